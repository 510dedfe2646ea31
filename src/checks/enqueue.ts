import { planById } from "#contract/plans.ts";
import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import { emitEvents } from "#storage/events.ts";
import { countOutstanding, markQueued, weighJobs } from "#storage/schedule.ts";

const secondsApart = 15;
const since = 1_750_000_000;
const hour = 3600;

/**
 * The queue takes the highest priority first: the time of asking, later by a while for each capture the same user
 * already waits for. So users take turns, and nobody waits for ever.
 */
export function turn(now: Date, place: number): number {
  return -(Math.floor(now.getTime() / 1000) - since + Math.round(place * secondsApart));
}

/** A check that has begun goes before those that have not. */
export const begun = (now: Date) => turn(now, 0) + 24 * hour;

/** What is asked for has an hour's start: before all that is due, though not before it for ever. */
const asked = (now: Date, place: number) => turn(now, place) + hour;

/** How far a check moves its account's next turn: by the seconds it takes, less for a plan that weighs more. */
export const share = ({ planId, lastMs }: { planId: string; lastMs: number }) =>
  Math.max(1, lastMs / 1000) / planById(planId).weight;

/** Has a job captured as soon as its turn comes; joins a capture that waits or runs. */
export async function enqueue(
  queue: Queue,
  tx: Database,
  job: { id: string; account_id: string; host: string },
  isAsked = false,
): Promise<void> {
  const { now, count } = await countOutstanding(tx, job.account_id);
  const weight = (await weighJobs(tx, [job.id])).get(job.id);
  const place = count * (weight ? share(weight) : 1);
  const priority = isAsked ? asked(now, place) : turn(now, place);
  // Before the task, in the order in which a claim does it.
  await markQueued(tx, job.id);
  const { id: singletonKey, account_id: owner, host } = job;
  const sent = await queue.send(
    tx,
    "execute",
    { jobId: job.id },
    { singletonKey, priority, owner, place: host },
  );
  if (!sent && isAsked) await queue.hasten(tx, "execute", singletonKey, priority);
  await emitEvents(tx, job.account_id, [{ kind: "queued", jobId: job.id }]);
}

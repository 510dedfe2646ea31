import { emitEvents } from "#live-events/events.ts";
import { planById } from "#plans/plans.ts";
import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import { countOutstanding, markQueued, readTurnWeights } from "./schedule-rows.ts";

const secondsApart = 15;
const epochSeconds = 1_750_000_000;
const hour = 3600;

/**
 * A task's priority; the queue takes the highest first. It is the time of the request, moved `secondsApart` later for
 * each capture that the same account already waits for. So accounts take turns, and nobody waits forever.
 */
export function turnPriority(now: Date, position: number): number {
  return -(Math.floor(now.getTime() / 1000) - epochSeconds + Math.round(position * secondsApart));
}

/** A check that has begun goes before those that have not. */
export const runningPriority = (now: Date) => turnPriority(now, 0) + 24 * hour;

/** A check that the user requested has a head start of an hour: it goes before due checks, but not forever. */
const requestedTurn = (now: Date, position: number) => turnPriority(now, position) + hour;

/** How far a check delays its account's next turn: by the seconds it takes, less for a plan with a higher weight. */
export const share = ({ planId, lastMs }: { planId: string; lastMs: number }) =>
  Math.max(1, lastMs / 1000) / planById(planId).weight;

/** Queues a job's capture for its account's turn; joins a capture that already waits or runs. */
export async function enqueue(
  queue: Queue,
  tx: Database,
  job: { id: string; account_id: string; host: string },
  isAsked = false,
): Promise<void> {
  const { now, count } = await countOutstanding(tx, job.account_id);
  const weight = (await readTurnWeights(tx, [job.id])).get(job.id);
  const position = count * (weight ? share(weight) : 1);
  const priority = isAsked ? requestedTurn(now, position) : turnPriority(now, position);
  // Before the task is sent, in the same order as in a claim.
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

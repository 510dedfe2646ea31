import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import { emitEvents } from "#storage/events.ts";
import { countOutstanding, markQueued } from "#storage/schedule.ts";

const secondsApart = 15;
const since = 1_750_000_000;

/**
 * The queue takes the highest priority first: the time of asking, later by a while for each capture the same user
 * already waits for. So users take turns, and nobody waits for ever.
 */
export function turn(now: Date, place: number): number {
  return -(Math.floor(now.getTime() / 1000) - since + place * secondsApart);
}

/** A check that has begun goes before those that have not. */
export const begun = (now: Date) => turn(now, 0) + 24 * 3600;

/** Has a job captured as soon as its turn comes; joins a capture that waits or runs. */
export async function enqueue(
  queue: Queue,
  tx: Database,
  job: { id: string; account_id: string },
): Promise<void> {
  const { now, count } = await countOutstanding(tx, job.account_id);
  // Before the task, in the order in which a claim does it.
  await markQueued(tx, job.id);
  await queue.send(tx, "execute", { jobId: job.id }, { singletonKey: job.id, priority: turn(now, count) });
  await emitEvents(tx, job.account_id, [{ kind: "queued", jobId: job.id }]);
}

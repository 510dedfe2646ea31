import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import { type DuePass, enqueueDue } from "./enqueue-due.ts";
import { msToDue, recordTick } from "./schedule-rows.ts";

const claimBatchSize = 500;
const tickEveryMs = 10_000;

type ScheduleDeps = { db: Database; jobs: { db: Database; queue: Queue } };

/** Queues due jobs and returns the milliseconds until the next one. Meanwhile it makes one small query per second. */
export function createScheduleWork() {
  let tickedAt = Number.NEGATIVE_INFINITY;
  return async ({ db, jobs }: ScheduleDeps, signal: AbortSignal): Promise<number | undefined> => {
    if (performance.now() - tickedAt > tickEveryMs) {
      await recordTick(db);
      tickedAt = performance.now();
    }
    const pass: DuePass = { from: null };
    const ms = await msToDue(db);
    if (ms === undefined || ms > 0) return ms;
    while (!signal.aborted && (await enqueueDue(jobs, claimBatchSize, pass)) === claimBatchSize);
    return msToDue(db, "later");
  };
}

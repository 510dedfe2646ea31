import type { Queue } from "#queue/queue.ts";
import { BlobLost } from "#storage/blobs.ts";
import type { Deps } from "./deps.ts";
import { seal } from "./seal.ts";
import { listJobsToSeal, listUnsealed, markOlderSealed } from "./seal-rows.ts";

const batchSize = 100;

/** Queues the sealing of executions from before seals existed, for jobs that still have some. */
export async function queueOlderSeals({ db, queue }: { db: Deps["db"]; queue: Queue }): Promise<void> {
  for (const jobId of await listJobsToSeal(db, batchSize))
    await queue.send(db, "join-chain", { jobId }, { singletonKey: jobId });
}

/** Seals a job's older executions, oldest first; each seal says when it was made. Safe to repeat. */
export async function sealOlder(deps: Deps, jobId: string): Promise<void> {
  for (const lost = new Set<string>(); ; ) {
    const ids = (await listUnsealed(deps.db, jobId, batchSize + lost.size)).filter((id) => !lost.has(id));
    if (ids.length === 0) return markOlderSealed(deps.db, jobId);
    for (const id of ids) {
      await deps.db
        .transaction()
        .execute((tx) => seal(deps, tx, id))
        .catch((error: unknown) => {
          // A capture that can't be read any more can't be vouched for.
          if (!(error instanceof BlobLost)) throw error;
          lost.add(id);
        });
    }
  }
}

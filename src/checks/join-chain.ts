import type { Queue } from "#queue/queue.ts";
import { BlobLost } from "#storage/blobs.ts";
import { listJobsToJoin, listUnsealed, markJoined } from "#storage/seals.ts";
import type { Deps } from "./deps.ts";
import { seal } from "./seal.ts";

const batch = 100;

/** Has the executions of before there were seals join their chains. */
export async function joinChains({ db, queue }: { db: Deps["db"]; queue: Queue }): Promise<void> {
  for (const jobId of await listJobsToJoin(db, batch))
    await queue.send(db, "join-chain", { jobId }, { singletonKey: jobId });
}

/** Seals a job's older executions, oldest first; each seal says when it was made. Safe to repeat. */
export async function joinChain(deps: Pick<Deps, "db" | "blobs">, jobId: string): Promise<void> {
  for (const lost = new Set<string>(); ; ) {
    const ids = (await listUnsealed(deps.db, jobId, batch + lost.size)).filter((id) => !lost.has(id));
    if (ids.length === 0) return markJoined(deps.db, jobId);
    for (const id of ids) {
      await deps.db
        .transaction()
        .execute((tx) => seal(deps, tx, id))
        .catch((error: unknown) => {
          // A capture that cannot be read any more cannot be vouched for either.
          if (!(error instanceof BlobLost)) throw error;
          lost.add(id);
        });
    }
  }
}

import { planById } from "#plans/plans.ts";
import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";
import { jobIdsOf } from "#storage/jobs.ts";
import { collectContents, findUsage, listUsage, shrinkTo, thinHistory } from "./delete-history.ts";
import { shrinkToShare } from "./policy.ts";

/** Deletes the oldest history of an account that exceeds its plan's bytes, before more is stored for it. */
export async function makeRoom({ db }: { db: Database }, accountId: string): Promise<void> {
  const usage = await findUsage(db, accountId);
  const limit = usage ? planById(usage.plan_id).storageBytes : 0;
  if (usage && usage.stored_bytes > limit) await shrinkTo(db, accountId, limit * shrinkToShare);
}

const pageSize = 100;
/** A batch, because one by one, a hundred thousand jobs without old history took half a core for minutes. */
const jobsAtOnce = 25;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Keeps every account within its plan's days and bytes, and removes the blobs that nothing refers to any more. */
export async function applyRetention({ db, blobs }: { db: Database; blobs: BlobStore }): Promise<void> {
  for (let afterId = firstId; ; ) {
    const accounts = await listUsage(db, afterId, pageSize);
    for (const { id, plan_id, stored_bytes } of accounts) {
      const plan = planById(plan_id);
      const jobIds = await jobIdsOf(db, id);
      for (let at = 0; at < jobIds.length; at += jobsAtOnce)
        await thinHistory(db, jobIds.slice(at, at + jobsAtOnce), plan.retentionDays);
      if (stored_bytes > plan.storageBytes) await shrinkTo(db, id, plan.storageBytes * shrinkToShare);
    }
    const last = accounts.at(-1);
    if (!last || accounts.length < pageSize) break;
    afterId = last.id;
  }
  await collectContents(db, blobs);
}

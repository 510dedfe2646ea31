import { planById } from "#contract/plans.ts";
import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";
import { deleteOldEvents } from "#storage/events.ts";
import { jobIdsOf } from "#storage/jobs.ts";
import { collectContents, findUsage, listUsage, shrinkTo, thinHistory } from "#storage/retention.ts";
import { deletePastPauses } from "#storage/schedule.ts";

/** Before more is kept for an account that is over its plan's bytes, its oldest goes. */
export async function makeRoom({ db }: { db: Database }, accountId: string): Promise<void> {
  const usage = await findUsage(db, accountId);
  const limit = usage ? planById(usage.plan_id).storageBytes : 0;
  if (usage && usage.stored_bytes > limit) await shrinkTo(db, accountId, limit * 0.9);
}

const pageSize = 100;
/** One by one, a hundred thousand jobs without anything old took half a core for minutes. */
const jobsAtOnce = 25;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Keeps every account within its plan's days and bytes, and removes the blobs that nothing refers to any more. */
export async function retain({ db, blobs }: { db: Database; blobs: BlobStore }): Promise<void> {
  for (let after = firstId; ; ) {
    const accounts = await listUsage(db, after, pageSize);
    for (const { id, plan_id, stored_bytes } of accounts) {
      const plan = planById(plan_id);
      const jobIds = await jobIdsOf(db, id);
      for (let at = 0; at < jobIds.length; at += jobsAtOnce)
        await thinHistory(db, jobIds.slice(at, at + jobsAtOnce), plan.retentionDays);
      if (stored_bytes > plan.storageBytes) await shrinkTo(db, id, plan.storageBytes * 0.9);
    }
    const last = accounts.at(-1);
    if (!last || accounts.length < pageSize) break;
    after = last.id;
  }
  await collectContents(db, blobs);
  await deleteOldEvents(db);
  await deletePastPauses(db);
}

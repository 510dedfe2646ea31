import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { emitEvents } from "#live-events/events.ts";
import {
  assertFrequencyAllowed,
  assertJobAllowed,
  assertTriggerAllowed,
  takeQuota,
} from "#plans/plan-limits.ts";
import { resumeRhythm } from "#scheduling/schedule-rows.ts";
import { listJobsToDelete } from "#storage/bulk-actions.ts";
import type { Database } from "#storage/database.ts";
import { bumpTargetVersions, type JobRow, lockJob, updateJobRow } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";
import { deleteLockedJob } from "./delete-job.ts";
import type { Deps } from "./deps.ts";

const maxAtOnce = 200;

/** Plans a job's deletion. Until then it isn't checked, doesn't count toward the plan, and can be restored. */
export async function scheduleDeletion(tx: Database, job: JobRow, at: Date): Promise<void> {
  await updateJobRow(tx, job.id, { delete_at: at });
  // The result of a check that is running now is dropped.
  await bumpTargetVersions(tx, [job.id]);
  await insertLogs(tx, job.id, [{ level: "info", meta: "Deleted; this can be undone for a while" }]);
}

/** Restores a job whose deletion was planned, if the plan still allows it. */
export async function restoreJob(tx: Database, actor: Actor, job: JobRow): Promise<void> {
  const quota = await takeQuota(tx, actor.accountId);
  if (job.status !== "INACTIVE") {
    assertJobAllowed(quota, job.group_id, job.id);
    if (job.trigger_sealed) assertTriggerAllowed(quota, job.id);
    if (job.status === "ACTIVE") assertFrequencyAllowed(quota, job.frequency_minutes);
  }
  await updateJobRow(tx, job.id, { delete_at: null });
  if (job.status === "ACTIVE") await resumeRhythm(tx, job.id);
  await insertLogs(tx, job.id, [{ level: "info", meta: "The deletion was undone" }]);
}

/** Refuses to change or check a job whose deletion is planned. */
export function assertNotDeleted({ delete_at }: Pick<JobRow, "delete_at">): void {
  if (delete_at) throw new AppError("INVALID_INPUT", "This job is deleted. Undo the deletion first.");
}

/** Carries out the deletions that are due. */
export async function deleteDueJobs(deps: Pick<Deps, "db" | "queue">): Promise<void> {
  for (const { id, account_id: accountId } of await listJobsToDelete(deps.db, maxAtOnce))
    await deps.db.transaction().execute(async (tx) => {
      const job = await lockJob(tx, accountId, id);
      // Its deletion may have been undone since it was listed.
      if (!job?.delete_at || job.delete_at > new Date()) return;
      await deleteLockedJob(deps, tx, job);
      await emitEvents(tx, accountId, [{ kind: "listed" }]);
    });
}

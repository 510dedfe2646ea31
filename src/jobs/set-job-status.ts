import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { settableStatuses } from "#contract/job.ts";
import { emitEvents } from "#live-events/events.ts";
import {
  assertFrequencyAllowed,
  assertJobAllowed,
  assertTriggerAllowed,
  takeQuota,
} from "#plans/plan-limits.ts";
import { enqueue } from "#scheduling/enqueue.ts";
import { setNextRuns } from "#scheduling/next-runs.ts";
import { resumeRhythm, startRhythm } from "#scheduling/schedule-rows.ts";
import type { Database } from "#storage/database.ts";
import { type JobRow, lockJob, updateJobRow } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";
import type { Deps } from "./deps.ts";
import { assertNotDeleted } from "./schedule-deletion.ts";

type Settable = (typeof settableStatuses)[number];

const logMessages: Record<Settable, string> = { ACTIVE: "Activated", PAUSED: "Paused", DISABLED: "Disabled" };

/** Activates, pauses or disables a job; activating checks the plan's limits and runs a check at once. */
export async function setJobStatus(
  deps: Pick<Deps, "db" | "queue">,
  actor: Actor,
  id: string,
  status: Settable,
  outerTransaction?: Database,
): Promise<void> {
  const inTransaction = (work: (tx: Database) => Promise<void>) =>
    outerTransaction ? work(outerTransaction) : deps.db.transaction().execute(work);
  await inTransaction(async (tx) => {
    const quota = await takeQuota(tx, actor.accountId);
    const job = await lockJob(tx, actor.accountId, id);
    if (!job) throw new AppError("NOT_FOUND");
    assertNotDeleted(job);
    if (job.status === status) return;
    if (status === "ACTIVE") {
      assertFrequencyAllowed(quota, job.frequency_minutes);
      if (job.status === "INACTIVE") {
        assertJobAllowed(quota, job.group_id, id);
        if (job.trigger_sealed) assertTriggerAllowed(quota, id);
      }
    }
    await updateJobRow(tx, id, { status, ...(status === "ACTIVE" ? { failures: 0, trouble: null } : {}) });
    await insertLogs(tx, id, [{ level: "info", meta: logMessages[status] }]);
    await emitEvents(tx, actor.accountId, [{ kind: "updated", jobId: id }]);
    if (status === "ACTIVE") await activate(deps, tx, job);
  });
}

/** A paused job resumes its rhythm; any other job starts a new one. */
async function activate(deps: Pick<Deps, "queue">, tx: Database, job: JobRow): Promise<void> {
  await (job.status === "PAUSED" ? resumeRhythm(tx, job.id) : startRhythm(tx, job.id));
  await setNextRuns(tx, [job.id], true);
  await enqueue(deps.queue, tx, job);
}

import { noticeSeverity } from "#contract/notice-severity.ts";
import { seal } from "#evidence/seal.ts";
import { emitEvents } from "#live-events/events.ts";
import { maxCheckAttempts, type Tasks } from "#queue/tasks.ts";
import { findJobToRun, updateJobRow } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";
import { addExecutions } from "./add-executions.ts";
import { judgeOutage } from "./choose-notices.ts";
import type { ExecuteDeps } from "./deps.ts";
import { notify } from "./notify.ts";

/** Records a check that failed on our side at every attempt like any other failed check. */
export async function recordAbandonedCheck(
  deps: Pick<ExecuteDeps, "db" | "queue" | "blobs">,
  task: Tasks["execute"],
): Promise<void> {
  const error = `The check could not be made: ${maxCheckAttempts} attempts failed on our side. The next one runs as scheduled.`;
  await deps.db.transaction().execute(async (tx) => {
    const job = await findJobToRun(tx, task.jobId, true);
    if (!job) return;
    const [execution] = await addExecutions(tx, [
      {
        job_id: job.id,
        account_id: job.account_id,
        status_code: null,
        changed: false,
        folded: false,
        failure: "crashed",
        error,
        similarity: null,
        severity: null,
        summary: error,
        truncated: false,
        via: null,
        duration_ms: 0,
        stages: null,
        attempts: maxCheckAttempts,
        baseline_id: job.baseline_id,
        kept: null,
        isBaseline: false,
      },
    ]);
    if (!execution) throw new Error("a locked job was not counted");
    await insertLogs(tx, job.id, [{ level: "error", meta: error }], execution.id);
    await seal(deps, tx, execution.id);
    await emitEvents(tx, job.account_id, [
      {
        kind: "finished",
        jobId: job.id,
        executionId: execution.id,
        changed: false,
        failed: true,
        summary: error,
      },
    ]);
    const { since, interrupted } = judgeOutage(job);
    const trouble = { sort: "down" as const, times: 0, told: [], ...job.trouble, since };
    await updateJobRow(tx, job.id, {
      trouble: JSON.stringify(trouble),
      ...(interrupted && { status: "INTERRUPTED" }),
    });
    if (!interrupted) return;
    await notify(deps, tx, {
      account_id: job.account_id,
      kind: "interrupted",
      job_id: job.id,
      execution_id: execution.id,
      severity: noticeSeverity.interrupted,
      title: job.name,
      message: `${interrupted}: ${error} Activate the job to continue.`,
    });
  });
}

import { executeAttempts, type Tasks } from "#queue/tasks.ts";
import { emitEvents } from "#storage/events.ts";
import { insertExecutions } from "#storage/executions.ts";
import { findJobToRun, updateJobRow } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";
import type { ExecuteDeps } from "./deps.ts";
import { failuresAllowed, failuresInSilence } from "./judge.ts";
import { notify } from "./notify.ts";
import { seal } from "./seal.ts";

/** A check that failed on our side for good is seen like any other failure. */
export async function recordDead(
  deps: Pick<ExecuteDeps, "db" | "queue" | "blobs">,
  task: Tasks["execute"],
): Promise<void> {
  const error = `The check could not be made: ${executeAttempts} attempts failed on our side.`;
  await deps.db.transaction().execute(async (tx) => {
    const job = await findJobToRun(tx, task.jobId, true);
    if (!job) return;
    const [execution] = await insertExecutions(tx, [
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
        attempts: executeAttempts,
        baseline_id: job.baseline_id,
        kept: null,
        becomesBaseline: false,
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
    if (job.status !== "ACTIVE" || failuresInSilence(job) + 1 < failuresAllowed) return;
    await updateJobRow(tx, job.id, { status: "INTERRUPTED" });
    await notify(deps, tx, {
      account_id: job.account_id,
      kind: "interrupted",
      job_id: job.id,
      execution_id: execution.id,
      severity: "important",
      title: job.name,
      message: `Interrupted after ${failuresAllowed} failures in a row: ${error} Activate the job to go on.`,
    });
  });
}

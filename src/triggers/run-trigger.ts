import { backoff, maxAttempts } from "#channels/retry.ts";
import { notify } from "#checks/notify.ts";
import { noticeSeverity } from "#contract/notice-severity.ts";
import { readChange } from "#history/read-change.ts";
import { openTrigger } from "#jobs/rules.ts";
import type { Attempt } from "#queue/queue.ts";
import { retryRecording } from "#queue/retry-recording.ts";
import type { Database } from "#storage/database.ts";
import { insertLogs } from "#storage/logs.ts";
import {
  countTriggerAttempt,
  findTriggerRun,
  hasPreviousRunFailed,
  updateTriggerRun,
} from "#storage/trigger-runs.ts";
import type { Deps } from "./deps.ts";
import { finish, fireTrigger, storeTriggerResult } from "./fire-trigger.ts";

/**
 * Makes one attempt at a trigger run. After five failed attempts it becomes a dead letter that the user sees. An attempt
 * that succeeded is recorded even if its claim lapsed meanwhile, so that the trigger isn't fired again.
 */
export async function runTrigger(deps: Deps, task: { runId: string }, attempt: Attempt): Promise<void> {
  const run = await findTriggerRun(deps.db, task.runId);
  if (run?.state !== "waiting") return;
  const change = await readChange(deps, run.account_id, run.job_id, run.execution_id);
  const trigger = change && openTrigger(deps.secrets, change.job);
  if (!change || !trigger) {
    return updateTriggerRun(deps.db, run.id, { state: "failed", error: "The trigger was removed." });
  }
  await deps.queue.hold("trigger", attempt);
  const number = await countTriggerAttempt(deps.db, run.id);
  const result = number > maxAttempts ? undefined : await fireTrigger(deps, change, trigger, run, number);
  const isOver = !result?.failure?.transient || number >= maxAttempts;
  deps.observe?.("trigger", result && !result.failure ? "sent" : isOver ? "failed" : "delayed");
  const record = async (tx: Database) => {
    if (result && !result.failure) await deps.queue.settleSent(tx, "trigger", attempt);
    else if (!(await deps.queue.settle(tx, "trigger", attempt))) return;
    await storeTriggerResult(deps, tx, run, result);
    const failure = result
      ? result.failure
      : { message: run.error ?? "It was interrupted.", transient: false };
    if (failure?.transient && number < maxAttempts) {
      const startAfter = Math.max(backoff("trigger", number), failure.retryAfterSeconds ?? 0);
      await updateTriggerRun(tx, run.id, { error: failure.message });
      await deps.queue.send(tx, "trigger", { runId: run.id }, { startAfter });
      return;
    }
    await finish(tx, run, failure?.message ?? null);
    const times = number === 1 ? "" : ` at attempt ${Math.min(number, maxAttempts)}`;
    const meta = failure
      ? `Trigger given up after ${Math.min(number, maxAttempts)} of ${maxAttempts} attempts: ${failure.message}`
      : `Trigger answered ${result?.response?.status}${times}`;
    await insertLogs(tx, run.job_id, [{ level: failure ? "error" : "info", meta }], run.execution_id);
    if (failure && !(await hasPreviousRunFailed(tx, run.job_id, run.id))) {
      await notify(deps, tx, {
        account_id: run.account_id,
        kind: "delivery-failed",
        job_id: run.job_id,
        execution_id: run.execution_id,
        severity: noticeSeverity.deliveryFailed,
        title: change.job.name,
        message: `The HTTP trigger was given up: ${failure.message}`,
      });
    }
  };
  await retryRecording(() => deps.db.transaction().execute(record));
}

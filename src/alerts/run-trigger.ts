import { notify } from "#checks/notify.ts";
import { backoff, maxAttempts } from "#delivery/retry.ts";
import { readChange } from "#history/read-change.ts";
import { openTrigger } from "#jobs/rules.ts";
import type { Attempt } from "#queue/queue.ts";
import { insertLogs } from "#storage/logs.ts";
import {
  countTriggerAttempt,
  failedBefore,
  findTriggerRun,
  updateTriggerRun,
} from "#storage/trigger-runs.ts";
import type { Deps } from "./deps.ts";
import { finish, fireTrigger, keepResult } from "./fire-trigger.ts";

/** Makes one attempt at a run; five fail, then it is a dead letter that the user sees. */
export async function runTrigger(deps: Deps, task: { runId: string }, attempt: Attempt): Promise<void> {
  const run = await findTriggerRun(deps.db, task.runId);
  if (run?.state !== "waiting") return;
  const change = await readChange(deps, run.account_id, run.job_id, run.execution_id);
  const trigger = change && openTrigger(deps.secrets, change.job);
  if (!change || !trigger) {
    return updateTriggerRun(deps.db, run.id, { state: "failed", error: "The trigger was removed." });
  }
  const number = await countTriggerAttempt(deps.db, run.id);
  const result = number > maxAttempts ? undefined : await fireTrigger(deps, change, trigger, run, number);
  const isOver = !result?.failure?.transient || number >= maxAttempts;
  deps.observe?.("trigger", result && !result.failure ? "sent" : isOver ? "failed" : "delayed");
  await deps.db.transaction().execute(async (tx) => {
    if (!(await deps.queue.settle(tx, "trigger", attempt))) return;
    await keepResult(deps, tx, run, result);
    const failure = result
      ? result.failure
      : { message: run.error ?? "It was broken off.", transient: false };
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
    if (failure && !(await failedBefore(tx, run.job_id, run.id))) {
      await notify(deps, tx, {
        account_id: run.account_id,
        kind: "delivery-failed",
        job_id: run.job_id,
        execution_id: run.execution_id,
        severity: "important",
        title: change.job.name,
        message: `The HTTP trigger was given up: ${failure.message}`,
      });
    }
  });
}

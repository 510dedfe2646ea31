import type { Actor } from "#contract/actor.ts";
import type { TriggerRun } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import { describeTriggerRun } from "#history/describe-trigger-run.ts";
import { readChange } from "#history/read-change.ts";
import { openTrigger } from "#jobs/rules.ts";
import {
  countTriggerAttempt,
  findTriggerRun,
  insertTriggerRun,
  updateTriggerRun,
} from "#storage/trigger-runs.ts";
import type { Deps } from "./deps.ts";
import { finish, fireTrigger, storeTriggerResult } from "./fire-trigger.ts";

/** Fires an execution's trigger again now, and stores the result. */
export async function runTriggerAgain(
  deps: Deps,
  actor: Actor,
  jobId: string,
  executionId: string,
): Promise<TriggerRun> {
  const { accountId } = actor;
  const change = await readChange(deps, accountId, jobId, executionId);
  if (!change) throw new AppError("NOT_FOUND");
  const trigger = openTrigger(deps.secrets, change.job);
  if (!trigger) throw new AppError("CONFLICT", "The job has no trigger.");
  const id = await insertTriggerRun(deps.db, {
    account_id: accountId,
    job_id: jobId,
    execution_id: executionId,
    notification_id: null,
  });
  if (!id) throw new Error("a run by hand has no event to be twice");
  // Nothing resumes a manual run that is interrupted, so it counts as failed until it finishes.
  await updateTriggerRun(deps.db, id, { state: "failed", error: "It was interrupted." });
  const attempts = await countTriggerAttempt(deps.db, id);
  const result = await fireTrigger(
    deps,
    change,
    trigger,
    { id, notification_id: null, account_id: accountId },
    attempts,
  );
  await deps.db.transaction().execute(async (tx) => {
    await storeTriggerResult(deps, tx, { id }, result);
    await finish(tx, { id }, result.failure?.message ?? null);
  });
  const run = await findTriggerRun(deps.db, id);
  if (!run) throw new AppError("NOT_FOUND");
  return describeTriggerRun(deps, run);
}

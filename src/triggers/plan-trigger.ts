import { containsOneOf } from "#alerts/search-change.ts";
import { RuleFailure } from "#checks/detection-threads/limit-errors.ts";
import { type ChangeRecord, readChange } from "#history/read-change.ts";
import { openTrigger } from "#jobs/rules.ts";
import { planById } from "#plans/plans.ts";
import { findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import { countOlderTriggers, insertTriggerRun } from "#storage/trigger-runs.ts";
import type { Deps } from "./deps.ts";

/** Prepares the database writes that fire a change's trigger; undefined if the job has no trigger. */
export async function planTrigger(
  deps: Deps,
  notification: NotificationRow,
): Promise<((tx: Database) => Promise<void>) | undefined> {
  const { account_id, job_id, execution_id, id } = notification;
  if (!job_id || !execution_id) return undefined;
  const change = await readChange(deps, account_id, job_id, execution_id);
  const trigger = change && openTrigger(deps.secrets, change.job);
  if (!change || !trigger) return undefined;
  const { isFired, line } = await decideToFire(deps, change, trigger.strings);
  return async (tx) => {
    const runId = isFired
      ? await insertTriggerRun(tx, { account_id, job_id, execution_id, notification_id: id })
      : undefined;
    if (runId) await deps.queue.send(tx, "trigger", { runId });
    if (line) await insertLogs(tx, job_id, [line], execution_id);
  };
}

type Decision = { isFired: boolean; line?: LogLine };

async function decideToFire(deps: Deps, change: ChangeRecord, strings: string[]): Promise<Decision> {
  const notFired = (why: string): Decision => ({
    isFired: false,
    line: { level: "info", meta: `Trigger not fired: ${why}` },
  });
  const { job } = change;
  const account = await findAccount(deps.db, job.account_id);
  const plan = planById(account?.plan_id ?? "basic");
  if (
    plan.triggers !== null &&
    (await countOlderTriggers(deps.db, job.account_id, job.id)) >= plan.triggers
  ) {
    return notFired(`the ${plan.name} plan allows ${plan.triggers}`);
  }
  if (strings.length === 0) return { isFired: true };
  const noMatch = notFired("none of its strings is in the new content");
  try {
    return (await containsOneOf(deps, change, strings)) === false ? noMatch : { isFired: true };
  } catch (error) {
    if (!(error instanceof RuleFailure)) throw error;
    // If the search fails, the trigger fires: once too often is better than once too seldom.
    const meta = `Trigger fired, although we couldn’t search for its strings: ${error.message}`;
    return { isFired: true, line: { level: "warn", meta } };
  }
}

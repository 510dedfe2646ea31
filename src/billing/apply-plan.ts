import type { Loss } from "#contract/billing.ts";
import { type Plan, planById } from "#contract/plans.ts";
import { updateAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";

/** Puts an account on a plan. Nothing is deleted: what the plan does not cover rests until a plan covers it again. */
export async function applyPlan(
  tx: Database,
  accountId: string,
  before: Plan,
  plan: Plan,
): Promise<Loss & { restoredJobs: number }> {
  await updateAccount(tx, accountId, { plan_id: plan.id });
  return {
    inactiveJobs: 0,
    slowedJobs: 0,
    pausedTriggers: 0,
    restoredJobs: 0,
    pausedChannels: pausedChannels(before, plan),
  };
}

/** What would rest if the account were on Basic. */
export async function foreseeLoss(_db: Database, _accountId: string, current: Plan): Promise<Loss> {
  return {
    inactiveJobs: 0,
    slowedJobs: 0,
    pausedTriggers: 0,
    pausedChannels: pausedChannels(current, planById("basic")),
  };
}

function pausedChannels(before: Plan, plan: Plan): string[] {
  return [
    ...(before.telegram && !plan.telegram ? ["Telegram"] : []),
    ...(before.discord && !plan.discord ? ["Discord"] : []),
  ];
}

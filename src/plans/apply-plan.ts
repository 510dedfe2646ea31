import { channelIds, channels, hasChannel } from "#channels/channel-list.ts";
import type { Loss } from "#contract/billing.ts";
import { updateAccount } from "#storage/accounts.ts";
import { addAuditEntry } from "#storage/audit.ts";
import type { Database } from "#storage/database.ts";
import type { LockedAccount } from "#storage/subscriptions.ts";
import { fitJobs } from "./fit-jobs.ts";
import { holdJobs, type JobChange, listHeldJobs } from "./plan-holds.ts";
import { type Plan, planById } from "./plans.ts";

/**
 * Moves a locked account to a plan. Nothing is deleted: what the plan doesn't cover is paused until a plan covers it
 * again, and history that was stored under a larger plan still expires by that plan's retention.
 */
export async function applyPlan(
  tx: Database,
  account: LockedAccount,
  plan: Plan,
): Promise<Loss & { restoredJobs: number }> {
  const previous = planById(account.plan_id);
  if (previous.id !== plan.id) {
    const isGranted = account.granted_plan_id === plan.id;
    await addAuditEntry(tx, account.id, {
      action: "plan-changed",
      about: `${previous.name} to ${plan.name}`,
      actor: isGranted ? "operator" : "payments",
    });
  }
  await updateAccount(tx, account.id, { plan_id: plan.id, ...chooseRetention(account, previous, plan) });
  const { changes, ...counts } = fitJobs(await listHeldJobs(tx, account.id), plan);
  await holdJobs(
    tx,
    changes.map((change) => ({ ...change, words: describeChange(change, plan) })),
  );
  return { ...counts, pausedChannels: pausedChannels(previous, plan) };
}

/** What would be paused if the account were on Basic. */
export async function predictPlanLoss(db: Database, accountId: string, current: Plan): Promise<Loss> {
  const basic = planById("basic");
  const { inactiveJobs, slowedJobs, pausedTriggers } = fitJobs(await listHeldJobs(db, accountId), basic);
  return { inactiveJobs, slowedJobs, pausedTriggers, pausedChannels: pausedChannels(current, basic) };
}

const dayMs = 86_400_000;

function chooseRetention(
  { kept_plan_id }: LockedAccount,
  previous: Plan,
  plan: Plan,
): { kept_plan_id?: "professional" | "ultimate" | null; kept_until?: Date | null } {
  const keptPlan = kept_plan_id ? planById(kept_plan_id) : undefined;
  const isLarger = (a: Plan, b: Plan | undefined) => !b || a.retentionDays > b.retentionDays;
  if (isLarger(previous, plan) && isLarger(previous, keptPlan) && previous.id !== "basic") {
    return { kept_plan_id: previous.id, kept_until: new Date(Date.now() + previous.retentionDays * dayMs) };
  }
  return keptPlan && !isLarger(keptPlan, plan) ? { kept_plan_id: null, kept_until: null } : {};
}

function describeChange({ before, status, frequency_minutes }: Omit<JobChange, "words">, plan: Plan): string {
  if (status === "INACTIVE" && before.status !== "INACTIVE") {
    return `Inactive: over the ${plan.name} plan's limits`;
  }
  if (status !== before.status) return `Back as it was: the ${plan.name} plan covers it`;
  return `Every ${frequency_minutes} minutes by the ${plan.name} plan`;
}

function pausedChannels(previous: Plan, plan: Plan): string[] {
  return channelIds
    .filter((id) => hasChannel(previous, id) && !hasChannel(plan, id))
    .map((id) => channels[id].name);
}

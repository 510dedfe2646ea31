import type { Loss } from "#contract/billing.ts";
import { channelIds, channels, hasChannel } from "#contract/channels.ts";
import { type Plan, planById } from "#contract/plans.ts";
import { updateAccount } from "#storage/accounts.ts";
import { addAuditEntry } from "#storage/audit.ts";
import type { Database } from "#storage/database.ts";
import { holdJobs, type JobChange, listHeldJobs } from "#storage/plan-holds.ts";
import type { LockedAccount } from "#storage/subscriptions.ts";
import { fitJobs } from "./fit-jobs.ts";

/**
 * Puts a locked account on a plan. Nothing is deleted: what the plan does not cover rests until a plan covers it again,
 * and the history that a larger plan has kept goes on ageing by that plan's rules.
 */
export async function applyPlan(
  tx: Database,
  account: LockedAccount,
  plan: Plan,
): Promise<Loss & { restoredJobs: number }> {
  const before = planById(account.plan_id);
  if (before.id !== plan.id) {
    const isGranted = account.granted_plan_id === plan.id;
    await addAuditEntry(tx, account.id, {
      action: "plan-changed",
      about: `${before.name} to ${plan.name}`,
      actor: isGranted ? "operator" : "payments",
    });
  }
  await updateAccount(tx, account.id, { plan_id: plan.id, ...keptHistory(account, before, plan) });
  const { changes, ...counts } = fitJobs(await listHeldJobs(tx, account.id), plan);
  await holdJobs(
    tx,
    changes.map((change) => ({ ...change, words: wordsOf(change, plan) })),
  );
  return { ...counts, pausedChannels: pausedChannels(before, plan) };
}

/** What would rest if the account were on Basic. */
export async function foreseeLoss(db: Database, accountId: string, current: Plan): Promise<Loss> {
  const basic = planById("basic");
  const { inactiveJobs, slowedJobs, pausedTriggers } = fitJobs(await listHeldJobs(db, accountId), basic);
  return { inactiveJobs, slowedJobs, pausedTriggers, pausedChannels: pausedChannels(current, basic) };
}

const dayMs = 86_400_000;

function keptHistory(
  { kept_plan_id }: LockedAccount,
  before: Plan,
  plan: Plan,
): { kept_plan_id?: "professional" | "ultimate" | null; kept_until?: Date | null } {
  const kept = kept_plan_id ? planById(kept_plan_id) : undefined;
  const isLarger = (a: Plan, b: Plan | undefined) => !b || a.retentionDays > b.retentionDays;
  if (isLarger(before, plan) && isLarger(before, kept) && before.id !== "basic") {
    return { kept_plan_id: before.id, kept_until: new Date(Date.now() + before.retentionDays * dayMs) };
  }
  return kept && !isLarger(kept, plan) ? { kept_plan_id: null, kept_until: null } : {};
}

function wordsOf({ before, status, frequency_minutes }: Omit<JobChange, "words">, plan: Plan): string {
  if (status === "INACTIVE" && before.status !== "INACTIVE") {
    return `Inactive: over the ${plan.name} plan's limits`;
  }
  if (status !== before.status) return `Back as it was: the ${plan.name} plan covers it`;
  return `Every ${frequency_minutes} minutes by the ${plan.name} plan`;
}

function pausedChannels(before: Plan, plan: Plan): string[] {
  return channelIds
    .filter((id) => hasChannel(before, id) && !hasChannel(plan, id))
    .map((id) => channels[id].name);
}

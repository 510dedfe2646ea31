import { type Plan, planById } from "#contract/plans.ts";
import type { SubscriptionRow } from "#storage/subscriptions.ts";
import { endOf } from "./end-of.ts";

type Standing = Pick<
  SubscriptionRow,
  "status" | "plan_id" | "provider" | "period_ends_at" | "ends_at" | "past_due_since" | "now"
>;

/** Whether a subscription gives access now: paid, or in the grace after a failed payment. */
function grants(row: Standing, provider: string): boolean {
  if (!["active", "trialing", "past_due"].includes(row.status)) return false;
  const end = endOf(row);
  if (end && end <= row.now) return false;
  // Nobody renews a subscription of a provider that is not in use any more.
  return row.provider === provider || row.period_ends_at === null || row.period_ends_at > row.now;
}

/** The best plan of those that are paid for or given by the operator; Basic when none is. */
export function grantedPlan(rows: Standing[], provider: string, given: string | null): Plan {
  return rows
    .filter((row) => grants(row, provider))
    .map((row) => planById(row.plan_id))
    .concat(given ? planById(given) : [])
    .reduce((best, plan) => (plan.priceCents > best.priceCents ? plan : best), planById("basic"));
}

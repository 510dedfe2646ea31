import { type Plan, planById } from "#plans/plans.ts";
import type { SubscriptionRow } from "#storage/subscriptions.ts";
import { accessEndsAt } from "./access-ends-at.ts";

type Subscription = Pick<
  SubscriptionRow,
  "status" | "plan_id" | "provider" | "period_ends_at" | "ends_at" | "past_due_since" | "now"
>;

/** Whether a subscription gives access now: it is paid, or in the grace period after a failed payment. */
function givesAccess(row: Subscription, provider: string): boolean {
  if (!["active", "trialing", "past_due"].includes(row.status)) return false;
  const end = accessEndsAt(row);
  if (end && end <= row.now) return false;
  // Nobody renews the subscriptions of a provider that is no longer in use.
  return row.provider === provider || row.period_ends_at === null || row.period_ends_at > row.now;
}

/** The best plan that is paid for or granted by the operator; Basic if there is none. */
export function grantedPlan(rows: Subscription[], provider: string, operatorPlanId: string | null): Plan {
  return rows
    .filter((row) => givesAccess(row, provider))
    .map((row) => planById(row.plan_id))
    .concat(operatorPlanId ? planById(operatorPlanId) : [])
    .reduce((best, plan) => (plan.priceCents > best.priceCents ? plan : best), planById("basic"));
}

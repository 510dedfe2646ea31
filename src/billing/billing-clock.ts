import { predictPlanLoss } from "#plans/apply-plan.ts";
import { planById } from "#plans/plans.ts";
import {
  listLapsedAccounts,
  listUnwarned,
  lockAccount,
  markWarned,
  type SubscriptionRow,
} from "#storage/subscriptions.ts";
import { accessEndsAt, graceDays } from "./access-ends-at.ts";
import * as news from "./billing-messages.ts";
import type { Deps } from "./deps.ts";
import { renewDueSandbox } from "./providers/sandbox.ts";
import { applyPendingEvents } from "./receive-event.ts";
import { settleAccount, tell } from "./settle-account.ts";

const warnDays = 3;

/** Does what is due by time: sandbox renewals, warnings, and the end of plans whose paid period is over. */
export async function runBillingClock(deps: Deps): Promise<void> {
  await applyPendingEvents(deps);
  if (deps.provider.name === "sandbox") await renewDueSandbox(deps);
  for (const subscription of await listUnwarned(deps.db, warnDays, graceDays)) await warn(deps, subscription);
  for (const accountId of await listLapsedAccounts(deps.db, deps.provider.name, graceDays)) {
    await deps.db.transaction().execute((tx) => settleAccount(deps, tx, accountId));
  }
}

async function warn(deps: Deps, subscription: SubscriptionRow): Promise<void> {
  const end = accessEndsAt(subscription);
  if (!end) return;
  await deps.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, subscription.account_id);
    if (!account || account.plan_id === "basic") return;
    if (!(await markWarned(tx, subscription.id, end))) return;
    const plan = planById(account.plan_id);
    const loss = await predictPlanLoss(tx, account.id, plan);
    const isUnpaid = subscription.past_due_since !== null;
    await tell(deps, tx, account, news.endingSoon(plan, end, isUnpaid, loss));
  });
}

import { planById } from "#contract/plans.ts";
import { deleteStrayEvents } from "#storage/billing-events.ts";
import { deleteOldCheckouts } from "#storage/checkouts.ts";
import {
  listLapsedAccounts,
  listUnwarned,
  lockAccount,
  markWarned,
  type SubscriptionRow,
} from "#storage/subscriptions.ts";
import { foreseeLoss } from "./apply-plan.ts";
import type { Deps } from "./deps.ts";
import { endOf, graceDays } from "./end-of.ts";
import * as news from "./news.ts";
import { renewDueSandbox } from "./providers/sandbox.ts";
import { applyPendingEvents } from "./receive-event.ts";
import { settleAccount, tell } from "./settle-account.ts";

const warnDays = 3;

/** What time alone brings about: renewals in the sandbox, warnings, and plans whose paid time is over. */
export async function runBillingClock(deps: Deps): Promise<void> {
  await applyPendingEvents(deps);
  if (deps.provider.name === "sandbox") await renewDueSandbox(deps);
  for (const subscription of await listUnwarned(deps.db, warnDays, graceDays)) await warn(deps, subscription);
  for (const accountId of await listLapsedAccounts(deps.db, deps.provider.name, graceDays)) {
    await deps.db.transaction().execute((tx) => settleAccount(deps, tx, accountId));
  }
  await deleteOldCheckouts(deps.db);
  await deleteStrayEvents(deps.db);
}

async function warn(deps: Deps, subscription: SubscriptionRow): Promise<void> {
  const end = endOf(subscription);
  if (!end) return;
  await deps.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, subscription.account_id);
    if (!account || account.plan_id === "basic") return;
    if (!(await markWarned(tx, subscription.id, end))) return;
    const plan = planById(account.plan_id);
    const loss = await foreseeLoss(tx, account.id, plan);
    const isUnpaid = subscription.past_due_since !== null;
    await tell(deps, tx, account, news.endingSoon(plan, end, isUnpaid, loss));
  });
}

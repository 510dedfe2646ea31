import { sendMail } from "#accounts/send-mail.ts";
import { type Plan, planById } from "#contract/plans.ts";
import type { Database } from "#storage/database.ts";
import { emitEvents } from "#storage/events.ts";
import { insertNotification } from "#storage/notifications.ts";
import { listSubscriptions, lockAccount, type SubscriptionRow } from "#storage/subscriptions.ts";
import { applyPlan, foreseeLoss } from "./apply-plan.ts";
import type { Deps } from "./deps.ts";
import { endOf } from "./end-of.ts";
import { grantedPlan } from "./granted-plan.ts";
import * as news from "./news.ts";

/** What happened to a subscription without changing the plan, yet. */
export type Turn = "cancelled" | "resumed" | "payment-failed" | "payment-received";

type Owner = { id: string; email: string; firstname: string };

/** Brings an account to the plan that is paid for, and tells its owner what has changed or will. */
export async function settleAccount(deps: Deps, tx: Database, accountId: string, turn?: Turn): Promise<void> {
  const account = await lockAccount(tx, accountId);
  if (!account) return;
  const subscriptions = await listSubscriptions(tx, accountId);
  const plan = grantedPlan(subscriptions, deps.provider.name, account.granted_plan_id);
  const before = planById(account.plan_id);
  if (plan.id !== before.id) {
    const { restoredJobs, ...loss } = await applyPlan(tx, account, plan);
    const isUpgrade = plan.priceCents > before.priceCents;
    await tell(
      deps,
      tx,
      account,
      isUpgrade ? news.upgraded(plan, restoredJobs) : news.downgraded(plan, loss),
    );
    return;
  }
  const [current] = subscriptions;
  if (turn && current) await tell(deps, tx, account, await newsOf(tx, turn, plan, current));
}

async function newsOf(tx: Database, turn: Turn, plan: Plan, current: SubscriptionRow): Promise<news.News> {
  if (turn === "resumed") return news.resumed(plan, current.period_ends_at);
  if (turn === "payment-received") return news.paymentReceived(plan);
  const end = endOf(current) ?? current.now;
  const loss = await foreseeLoss(tx, current.account_id, plan);
  return turn === "cancelled" ? news.cancelled(plan, end, loss) : news.paymentFailed(plan, end, loss);
}

/** Sends one piece of news, by mail and to the feed, with the transaction that it is about. */
export async function tell(deps: Deps, tx: Database, owner: Owner, item: news.News): Promise<void> {
  const mail = news.renderBillingMail(deps.baseUrl, owner.firstname, item);
  await sendMail(deps, tx, { to: owner.email, ...mail });
  const notificationId = await insertNotification(tx, {
    account_id: owner.id,
    kind: "plan",
    job_id: null,
    execution_id: null,
    severity: item.severity,
    title: item.subject,
    message: item.paragraphs.join(" "),
  });
  await emitEvents(tx, owner.id, [{ kind: "notification", notificationId }]);
}

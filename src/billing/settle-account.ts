import { emitEvents } from "#live-events/events.ts";
import { sendMail } from "#mail/send-mail.ts";
import { applyPlan, predictPlanLoss } from "#plans/apply-plan.ts";
import { type Plan, planById } from "#plans/plans.ts";
import type { Database } from "#storage/database.ts";
import { insertNotification } from "#storage/notifications.ts";
import { listSubscriptions, lockAccount, type SubscriptionRow } from "#storage/subscriptions.ts";
import { accessEndsAt } from "./access-ends-at.ts";
import * as news from "./billing-messages.ts";
import type { Deps } from "./deps.ts";
import { grantedPlan } from "./granted-plan.ts";

/** What happened to a subscription without changing the plan yet. */
export type Turn = "cancelled" | "resumed" | "payment-failed" | "payment-received";

type Owner = { id: string; email: string; firstname: string };

/** Moves an account to the plan that is paid for or granted, and notifies its owner of what changed or will change. */
export async function settleAccount(deps: Deps, tx: Database, accountId: string, turn?: Turn): Promise<void> {
  const account = await lockAccount(tx, accountId);
  if (!account) return;
  const subscriptions = await listSubscriptions(tx, accountId);
  const plan = grantedPlan(subscriptions, deps.provider.name, account.granted_plan_id);
  const previous = planById(account.plan_id);
  if (plan.id !== previous.id) {
    const { restoredJobs, ...loss } = await applyPlan(tx, account, plan);
    const isUpgrade = plan.priceCents > previous.priceCents;
    await tell(
      deps,
      tx,
      account,
      isUpgrade ? news.upgraded(plan, restoredJobs) : news.downgraded(plan, loss),
    );
    return;
  }
  const [current] = subscriptions;
  if (turn && current) await tell(deps, tx, account, await writeNews(tx, turn, plan, current));
}

async function writeNews(tx: Database, turn: Turn, plan: Plan, current: SubscriptionRow): Promise<news.News> {
  if (turn === "resumed") return news.resumed(plan, current.period_ends_at);
  if (turn === "payment-received") return news.paymentReceived(plan);
  const end = accessEndsAt(current) ?? current.now;
  const loss = await predictPlanLoss(tx, current.account_id, plan);
  return turn === "cancelled" ? news.cancelled(plan, end, loss) : news.paymentFailed(plan, end, loss);
}

/** Sends one billing message by mail and as a notification, in the transaction that caused it. */
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

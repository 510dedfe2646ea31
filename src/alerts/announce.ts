import { planById } from "#contract/plans.ts";
import { findAccount } from "#storage/accounts.ts";
import { type ChannelRow, listChannels, type MessageChannel } from "#storage/channels.ts";
import { findNotification } from "#storage/deliveries.ts";
import type { Deps } from "./deps.ts";
import { planTrigger } from "./plan-trigger.ts";
import { scheduleDelivery } from "./schedule-delivery.ts";

/** Kinds that stay in the feed: a target that answers again after a failed check is nothing to be woken for. */
const feedOnly = new Set(["recovered"]);

/** Turns an event into one delivery for each channel its user chose, and fires the job's trigger. Safe to repeat. */
export async function announce(deps: Deps, task: { notificationId: string }): Promise<void> {
  const notification = await findNotification(deps.db, task.notificationId);
  if (!notification || feedOnly.has(notification.kind)) return;
  const fire = notification.kind === "change" ? await planTrigger(deps, notification) : undefined;
  await deps.db.transaction().execute(async (tx) => {
    const account = await findAccount(tx, notification.account_id);
    if (!account) return;
    const rows = await listChannels(tx, account.id);
    const isTold = notification.kind === "delivery-failed";
    const wanted = chooseChannels(account, rows, deps.channels.telegram !== null, isTold);
    for (const channel of wanted) await scheduleDelivery(deps, tx, account, notification, channel);
    await fire?.(tx);
  });
}

type Settings = {
  plan_id: string;
  activated_at: Date | null;
  telegram_notifications: boolean;
  email_notifications: boolean;
};

/**
 * Telegram and Discord as far as the plan has them and they are set up. Mail when it is switched on, and when Telegram
 * is wanted but cannot be used; never after the user unsubscribed by a mail's own link.
 */
export function chooseChannels(
  account: Settings,
  rows: Pick<ChannelRow, "kind" | "failure" | "gone">[],
  hasBot: boolean,
  /** The event is that a channel fails: then it is told by the others. */
  isTold = false,
): MessageChannel[] {
  const plan = planById(account.plan_id);
  const row = (kind: MessageChannel) => rows.find((one) => one.kind === kind);
  const works = (kind: MessageChannel) => {
    const found = row(kind);
    return found !== undefined && !found.gone && !(isTold && found.failure !== null);
  };
  const telegram = plan.telegram && hasBot && account.telegram_notifications && works("telegram");
  const discord = plan.discord && works("discord");
  const missesTelegram = plan.telegram && hasBot && account.telegram_notifications && !telegram && !discord;
  const mail = row("email");
  const mayMail = account.activated_at !== null && !(isTold && mail?.failure);
  const email = mayMail && (account.email_notifications || (missesTelegram && !mail?.gone));
  return [
    ...(telegram ? (["telegram"] as const) : []),
    ...(discord ? (["discord"] as const) : []),
    ...(email ? (["email"] as const) : []),
  ];
}

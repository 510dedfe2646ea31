import { type ChannelId, channels, fallbackChannel } from "#channels/channel-list.ts";
import type { SendFailure } from "#channels/retry.ts";
import { notify } from "#checks/notify.ts";
import { noticeSeverity } from "#contract/notice-severity.ts";
import type { Account } from "#storage/accounts.ts";
import { findChannel, markFailing } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import { type DeliveryWithNotification, markFailed } from "#storage/deliveries.ts";
import type { Deps } from "./deps.ts";
import { scheduleDelivery } from "./schedule-delivery.ts";

/**
 * Gives up deliveries of one channel: mail replaces them, and the user is notified through another channel, once until
 * the channel works again.
 */
export async function giveUp(
  deps: Pick<Deps, "queue" | "channels">,
  tx: Database,
  account: Account,
  deliveries: DeliveryWithNotification[],
  failure: SendFailure,
): Promise<void> {
  const channel = deliveries[0]?.channel;
  if (!channel) return;
  await markFailed(
    tx,
    deliveries.map(({ id }) => id),
    failure.message,
  );
  const isNewFailure = await markFailing(tx, account.id, channel, {
    message: failure.message,
    gone: failure.gone ?? false,
  });
  if (channel !== fallbackChannel) await fallBackToMail(deps, tx, account, channel, deliveries);
  const isAboutFailing = deliveries.every(({ notification }) => notification.kind === "delivery-failed");
  if (isNewFailure && !isAboutFailing) await notifyFailing(deps, tx, account.id, channel, failure);
}

async function fallBackToMail(
  deps: Pick<Deps, "queue" | "channels">,
  tx: Database,
  account: Account,
  channel: ChannelId,
  deliveries: DeliveryWithNotification[],
): Promise<void> {
  const mail = await findChannel(tx, account.id, fallbackChannel);
  if (!account.activated_at || mail?.gone) return;
  for (const { notification } of deliveries)
    await scheduleDelivery(deps, tx, account, notification, fallbackChannel, channel);
}

async function notifyFailing(
  deps: Pick<Deps, "queue">,
  tx: Database,
  accountId: string,
  channel: ChannelId,
  failure: SendFailure,
): Promise<void> {
  const { name } = channels[channel];
  const advice = failure.gone
    ? `Set ${name} up again in the profile.`
    : "We’ll try again with the next alert.";
  await notify(deps, tx, {
    account_id: accountId,
    kind: "delivery-failed",
    job_id: null,
    execution_id: null,
    severity: noticeSeverity.deliveryFailed,
    title: `Alerts by ${name} are failing`,
    message: `${failure.message} ${advice}`,
  });
}

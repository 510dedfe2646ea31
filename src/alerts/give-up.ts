import { notify } from "#checks/notify.ts";
import { type ChannelId, channels, lastResort } from "#contract/channels.ts";
import type { SendFailure } from "#delivery/retry.ts";
import type { Account } from "#storage/accounts.ts";
import { findChannel, markFailing } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import { type DeliveryWithNotification, markFailed } from "#storage/deliveries.ts";
import type { Deps } from "./deps.ts";
import { scheduleDelivery } from "./schedule-delivery.ts";

/**
 * Gives deliveries of one channel up: mail takes its place, and the user is told through another channel, once for as
 * long as it fails.
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
  const isNews = await markFailing(tx, account.id, channel, {
    message: failure.message,
    gone: failure.gone ?? false,
  });
  if (channel !== lastResort) await fallBack(deps, tx, account, channel, deliveries);
  const isAboutFailing = deliveries.every(({ notification }) => notification.kind === "delivery-failed");
  if (isNews && !isAboutFailing) await tellFailing(deps, tx, account.id, channel, failure);
}

async function fallBack(
  deps: Pick<Deps, "queue" | "channels">,
  tx: Database,
  account: Account,
  channel: ChannelId,
  deliveries: DeliveryWithNotification[],
): Promise<void> {
  const mail = await findChannel(tx, account.id, lastResort);
  if (!account.activated_at || mail?.gone) return;
  for (const { notification } of deliveries)
    await scheduleDelivery(deps, tx, account, notification, lastResort, channel);
}

async function tellFailing(
  deps: Pick<Deps, "queue">,
  tx: Database,
  accountId: string,
  channel: ChannelId,
  failure: SendFailure,
): Promise<void> {
  const { name } = channels[channel];
  const advice = failure.gone
    ? `Set ${name} up again in the profile.`
    : "It will be tried again with the next alert.";
  await notify(deps, tx, {
    account_id: accountId,
    kind: "delivery-failed",
    job_id: null,
    execution_id: null,
    severity: "important",
    title: `Alerts by ${name} fail`,
    message: `${failure.message} ${advice}`,
  });
}

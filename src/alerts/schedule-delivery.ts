import type { ChannelId } from "#channels/channel-list.ts";
import { countUse } from "#request-limits/rate-limits.ts";
import type { Account } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { hasOtherHeld, insertDelivery, lockDigest } from "#storage/deliveries.ts";
import { findPace } from "#storage/delivery-schedules.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import { deliveryTimeFor } from "./delivery-time.ts";
import type { Deps } from "./deps.ts";

/** Changes of one user beyond this number per minute are combined into one message. */
const burst = { uses: 5, windowSeconds: 60 };

/** Schedules a notification for a channel unless that was done already: at once, or in a digest if there are many. */
export async function scheduleDelivery(
  deps: Pick<Deps, "queue" | "channels">,
  tx: Database,
  account: Pick<Account, "id" | "email">,
  notification: NotificationRow,
  channel: ChannelId,
  insteadOf: ChannelId | null = null,
): Promise<void> {
  const heldUntil = await findReleaseTime(tx, account.id, notification, channel);
  const delay = heldUntil ? Math.ceil((heldUntil.getTime() - Date.now()) / 1000) : 0;
  const wait =
    delay || (countedKinds.has(notification.kind) ? await countBurst(deps, tx, account, channel) : 0);
  if (wait > 0) await lockDigest(tx, account.id, channel);
  const state = wait > 0 ? "held" : "waiting";
  const deliveryId = await insertDelivery(tx, { notification, channel, insteadOf, state, heldUntil });
  if (!deliveryId) return;
  if (wait === 0) await deps.queue.send(tx, "deliver", { deliveryId });
  else if (!(await hasOtherHeld(tx, account.id, channel, deliveryId, heldUntil)))
    await scheduleDigest(deps, tx, account.id, channel, wait);
}

/** Kinds that follow the delivery schedule; notifications about the account's state are sent at once. */
const scheduledKinds = new Set([
  "change",
  "failing",
  "interrupted",
  "recovered",
  "folding",
  "found",
  "incident",
  "signed-out",
]);

/** Kinds of which many are combined into one message. */
const countedKinds = new Set(["change", "incident"]);

/** When the channel's delivery schedule releases a notification; null if it isn't held back. */
async function findReleaseTime(
  tx: Database,
  accountId: string,
  { kind, severity }: NotificationRow,
  channel: ChannelId,
): Promise<Date | null> {
  if (!scheduledKinds.has(kind)) return null;
  const schedule = await findPace(tx, accountId, channel);
  const now = new Date();
  const releaseAt = schedule && deliveryTimeFor(schedule, severity, now);
  return releaseAt && releaseAt > now ? releaseAt : null;
}

/** Counts a message; returns the seconds to hold it back so that it is combined with others. */
async function countBurst(
  deps: Pick<Deps, "channels">,
  tx: Database,
  account: Pick<Account, "id" | "email">,
  channel: ChannelId,
): Promise<number> {
  const burstWait = await countUse(tx, `burst:${channel}:${account.id}`, burst);
  return burstWait > 0 ? burstWait : countShare(deps, tx, account, channel);
}

/** Counts a message; returns the seconds to wait if the recipient has used up the channel's quota (N1). */
export async function countShare(
  { channels }: Pick<Deps, "channels">,
  db: Database,
  { email }: Pick<Account, "email">,
  channel: ChannelId,
): Promise<number> {
  const share = channels[channel]?.limits.share;
  return share ? countUse(db, `alerts:${channel}:${email.toLowerCase()}`, share) : 0;
}

/** Schedules one message with everything held back for a channel, `startAfter` seconds from now. */
export async function scheduleDigest(
  { queue }: Pick<Deps, "queue">,
  tx: Database,
  accountId: string,
  channel: ChannelId,
  startAfter: number,
  attempts = 0,
): Promise<void> {
  await queue.send(tx, "digest", { accountId, channel, attempts }, { owner: accountId, startAfter });
}

import type { ChannelId } from "#contract/channels.ts";
import { momentFor } from "#contract/moment-for.ts";
import type { Account } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { insertDelivery, lockDigest, othersHeld } from "#storage/deliveries.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import { findPace } from "#storage/paces.ts";
import { countUse } from "#storage/rate-limits.ts";
import type { Deps } from "./deps.ts";

/** More changes of a user than this within a minute come as one message. */
const burst = { uses: 5, windowSeconds: 60 };

/** Has an event told by a channel, unless it is already: at once, or with others when there are many. */
export async function scheduleDelivery(
  deps: Pick<Deps, "queue" | "channels">,
  tx: Database,
  account: Pick<Account, "id" | "email">,
  notification: NotificationRow,
  channel: ChannelId,
  insteadOf: ChannelId | null = null,
): Promise<void> {
  const heldUntil = await heldByPace(tx, account.id, notification, channel);
  const later = heldUntil ? Math.ceil((heldUntil.getTime() - Date.now()) / 1000) : 0;
  const wait = later || (notification.kind === "change" ? await mustWait(deps, tx, account, channel) : 0);
  if (wait > 0) await lockDigest(tx, account.id, channel);
  const state = wait > 0 ? "held" : "waiting";
  const deliveryId = await insertDelivery(tx, { notification, channel, insteadOf, state, heldUntil });
  if (!deliveryId) return;
  if (wait === 0) await deps.queue.send(tx, "deliver", { deliveryId });
  else if (!(await othersHeld(tx, account.id, channel, deliveryId, heldUntil)))
    await scheduleDigest(deps, tx, account.id, channel, wait);
}

/** What its user may want later; how the account stands is told at once. */
const paced = new Set(["change", "failing", "interrupted", "recovered", "folding"]);

/** Until when the channel's pace holds an event back; null where it does not. */
async function heldByPace(
  tx: Database,
  accountId: string,
  { kind, severity }: NotificationRow,
  channel: ChannelId,
): Promise<Date | null> {
  if (!paced.has(kind)) return null;
  const pace = await findPace(tx, accountId, channel);
  const now = new Date();
  const moment = pace && momentFor(pace, severity, now);
  return moment && moment > now ? moment : null;
}

/** Seconds for which a message is held back, to come with others. */
async function mustWait(
  deps: Pick<Deps, "channels">,
  tx: Database,
  account: Pick<Account, "id" | "email">,
  channel: ChannelId,
): Promise<number> {
  const many = await countUse(tx, `burst:${channel}:${account.id}`, burst);
  return many > 0 ? many : countShare(deps, tx, account, channel);
}

/** Counts a message; answers the seconds to wait once its recipient had the channel's share (N1). */
export async function countShare(
  { channels }: Pick<Deps, "channels">,
  db: Database,
  { email }: Pick<Account, "email">,
  channel: ChannelId,
): Promise<number> {
  const share = channels[channel]?.limits.share;
  return share ? countUse(db, `alerts:${channel}:${email.toLowerCase()}`, share) : 0;
}

/** Has what is held back for a channel sent as one message after so many seconds. */
export async function scheduleDigest(
  { queue }: Pick<Deps, "queue">,
  tx: Database,
  accountId: string,
  channel: ChannelId,
  startAfter: number,
  attempts = 0,
): Promise<void> {
  await queue.send(tx, "digest", { accountId, channel, attempts }, { startAfter });
}

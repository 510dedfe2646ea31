import type { Account } from "#storage/accounts.ts";
import type { ChannelKind, MessageChannel } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import { insertDelivery, lockDigest, othersHeld } from "#storage/deliveries.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import { countUse } from "#storage/rate-limits.ts";
import type { Deps } from "./deps.ts";

/** More changes of a user than this within a minute come as one message. */
const burst = { uses: 5, windowSeconds: 60 };
const mailsPerHour = { uses: 30, windowSeconds: 3600 };

/** Has an event told by a channel, unless it is already: at once, or with others when there are many. */
export async function scheduleDelivery(
  { queue }: Pick<Deps, "queue">,
  tx: Database,
  account: Pick<Account, "id" | "email">,
  notification: NotificationRow,
  channel: MessageChannel,
  insteadOf: ChannelKind | null = null,
): Promise<void> {
  const wait = notification.kind === "change" ? await mustWait(tx, account, channel) : 0;
  if (wait > 0) await lockDigest(tx, account.id, channel);
  const state = wait > 0 ? "held" : "waiting";
  const deliveryId = await insertDelivery(tx, { notification, channel, insteadOf, state });
  if (!deliveryId) return;
  if (wait === 0) await queue.send(tx, "deliver", { deliveryId });
  else if (!(await othersHeld(tx, account.id, channel, deliveryId)))
    await scheduleDigest({ queue }, tx, account.id, channel, wait);
}

/** Seconds for which a message is held back, to come with others. */
async function mustWait(
  tx: Database,
  account: Pick<Account, "id" | "email">,
  channel: MessageChannel,
): Promise<number> {
  const many = await countUse(tx, `burst:${channel}:${account.id}`, burst);
  return many > 0 || channel !== "email" ? many : countMail(tx, account);
}

/** Counts a mail to an address; answers the seconds to wait once it had its share of the hour (N1). */
export function countMail(db: Database, { email }: Pick<Account, "email">): Promise<number> {
  return countUse(db, `alerts:${email.toLowerCase()}`, mailsPerHour);
}

/** Has what is held back for a channel sent as one message after so many seconds. */
export async function scheduleDigest(
  { queue }: Pick<Deps, "queue">,
  tx: Database,
  accountId: string,
  channel: MessageChannel,
  startAfter: number,
  attempts = 0,
): Promise<void> {
  await queue.send(tx, "digest", { accountId, channel, attempts }, { startAfter });
}

import { type ChannelId, channels, hasChannel } from "#contract/channels.ts";
import { planById } from "#contract/plans.ts";
import type { Alert, Digest } from "#delivery/alert.ts";
import type { Channel, Recipient } from "#delivery/channel.ts";
import { fillMessage } from "#delivery/fill-message.ts";
import type { SendResult } from "#delivery/retry.ts";
import type { Account } from "#storage/accounts.ts";
import { findChannel } from "#storage/channels.ts";
import { findTemplate } from "#storage/templates.ts";
import { channelSecret } from "./channel-secret.ts";
import type { Deps } from "./deps.ts";
import { unsubscribeLink } from "./unsubscribe.ts";

type Message = Alert | Digest;
type Addressee = Pick<Account, "id" | "email" | "plan_id" | "activated_at">;

/** Hands one message to one channel of an account, as it is set up at this moment. */
export async function sendTo(
  deps: Deps,
  account: Addressee,
  id: ChannelId,
  messageId: string,
  build: () => Promise<Message>,
): Promise<SendResult> {
  const result = await trySending(deps, account, id, messageId, build);
  deps.observe?.(id, result.ok ? "sent" : result.failure.transient ? "delayed" : "failed");
  return result;
}

async function trySending(
  deps: Deps,
  account: Addressee,
  id: ChannelId,
  messageId: string,
  build: () => Promise<Message>,
): Promise<SendResult> {
  const channel = deps.channels[id];
  if (!channel) return refused(`This installation does not send by ${channels[id].name} any more.`);
  const address = channel.address(await recipientOf(deps, account, id, messageId));
  if (!address) {
    return refused(channels[id].ownAddress ? "It was unlinked." : "The address is not confirmed.");
  }
  if (!hasChannel(planById(account.plan_id), id)) return refused("It is not part of the plan any more.");
  const message = await build();
  if ("entries" in message) return channel.sendDigest(address, message);
  const template = await findTemplate(deps.db, account.id, id);
  const own = template && fillMessage(template, message, roomFor(channel, message.picture !== null));
  return channel.sendAlert(address, own ? { ...message, own } : message);
}

/** How many characters of one's own words a channel takes. */
export const roomFor = ({ limits }: Channel, withPicture: boolean): number =>
  withPicture ? (limits.withPicture ?? limits.text) : limits.text;

async function recipientOf(deps: Deps, account: Addressee, kind: ChannelId, id: string): Promise<Recipient> {
  const row = await findChannel(deps.db, account.id, kind);
  return {
    email: account.activated_at && account.email,
    unsubscribe: unsubscribeLink(deps, account.id),
    chatId: row?.chat_id ?? null,
    secret: (row && channelSecret(deps, row)) ?? null,
    id,
  };
}

const refused = (message: string): SendResult => ({ ok: false, failure: { message, transient: false } });

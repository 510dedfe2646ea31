import type { Channel, Recipient } from "#channels/channel.ts";
import { type ChannelId, channels, hasChannel } from "#channels/channel-list.ts";
import { unpackAddress } from "#channels/entered-address.ts";
import type { SendResult } from "#channels/retry.ts";
import type { Alert, Digest } from "#message-templates/alert.ts";
import { fillMessage } from "#message-templates/message-template.ts";
import { planById } from "#plans/plans.ts";
import type { Account } from "#storage/accounts.ts";
import { findChannel } from "#storage/channels.ts";
import { findTemplate } from "#storage/templates.ts";
import { openChannelSecret } from "./channel-secret.ts";
import type { Deps } from "./deps.ts";
import { signingSecret } from "./signing-secret.ts";
import { unsubscribeLink } from "./unsubscribe.ts";

type Message = Alert | Digest;
type Addressee = Pick<Account, "id" | "email" | "plan_id" | "activated_at">;

/** Builds a message with the values that the channel's template uses. */
type Build = (template: string) => Promise<Message>;

/** The id of a message; with `ref`, the receiver's name for the alert that it takes the place of. */
type Sent = { messageId: string; ref?: string };

/** Sends one message through a channel of an account, or edits one, as the channel is set up now. */
export async function sendToChannel(
  deps: Deps,
  account: Addressee,
  id: ChannelId,
  sent: Sent,
  build: Build,
): Promise<SendResult> {
  const result = await trySending(deps, account, id, sent, build);
  deps.observe?.(id, result.ok ? "sent" : result.failure.transient ? "delayed" : "failed");
  return result;
}

async function trySending(
  deps: Deps,
  account: Addressee,
  id: ChannelId,
  sent: Sent,
  build: Build,
): Promise<SendResult> {
  const channel = deps.channels[id];
  if (!channel) return refused(`This installation no longer sends alerts by ${channels[id].name}.`);
  const recipient = await recipientOf(deps, account, id, sent.messageId);
  const address = channel.address(recipient);
  if (!address) {
    return refused(channels[id].ownAddress ? "It was unlinked." : "Its address isn’t confirmed.");
  }
  if (!hasChannel(planById(account.plan_id), id)) return refused("Your plan no longer includes it.");
  const template = await findTemplate(deps.db, account.id, id);
  const message = await build(
    template ? `${template.title} ${template.text}` : webhookTemplate(id, recipient),
  );
  if ("entries" in message) return channel.sendDigest(address, message);
  const chosen = message.jobMessage ?? template;
  const own = chosen && fillMessage(chosen, message, roomFor(channel, message.picture !== null));
  const alert = own ? { ...message, own } : message;
  if (sent.ref === undefined) return channel.sendAlert(address, alert);
  if (!channel.editAlert) return refused("Its messages can’t be edited.");
  return channel.editAlert(address, sent.ref, alert);
}

/** A webhook's template is stored with its address. */
const webhookTemplate = (id: ChannelId, { secret }: Recipient): string =>
  (id === "webhook" && secret && unpackAddress(secret).template) || "";

/** How many characters of the user's own text fit into a message of this channel. */
export const roomFor = ({ limits }: Channel, withPicture: boolean): number =>
  withPicture ? (limits.withPicture ?? limits.text) : limits.text;

async function recipientOf(deps: Deps, account: Addressee, kind: ChannelId, id: string): Promise<Recipient> {
  const row = await findChannel(deps.db, account.id, kind);
  return {
    email: account.activated_at && account.email,
    unsubscribe: unsubscribeLink(deps, account.id),
    chatId: row?.chat_id ?? null,
    signingSecret: kind === "webhook" ? await signingSecret(deps, account.id) : null,
    secret: (row && openChannelSecret(deps, row)) ?? null,
    id,
  };
}

const refused = (message: string): SendResult => ({ ok: false, failure: { message, transient: false } });

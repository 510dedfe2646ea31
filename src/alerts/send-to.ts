import { planById } from "#contract/plans.ts";
import type { Alert, Digest } from "#delivery/alert.ts";
import type { SendResult } from "#delivery/retry.ts";
import type { Account } from "#storage/accounts.ts";
import { type ChannelRow, findChannel, type MessageChannel } from "#storage/channels.ts";
import type { Deps } from "./deps.ts";
import { unsubscribeLink } from "./unsubscribe.ts";

type Message = Alert | Digest;
const isDigest = (message: Message): message is Digest => "entries" in message;

/** Hands one message to one channel of an account, as it is set up at this moment. */
export async function sendTo(
  deps: Deps,
  account: Pick<Account, "id" | "email" | "plan_id" | "activated_at">,
  channel: MessageChannel,
  id: string,
  build: () => Promise<Message>,
): Promise<SendResult> {
  const { telegram, discord, mail } = deps.channels;
  if (channel === "email") {
    if (!account.activated_at) return refused("The address is not confirmed.");
    const message = await build();
    const address = { to: account.email, unsubscribe: unsubscribeLink(deps, account.id), id };
    return isDigest(message) ? mail.sendDigest(address, message) : mail.sendAlert(address, message);
  }
  const row = await findChannel(deps.db, account.id, channel);
  const address = row && openAddress(deps, row);
  if (!address) return refused("It was unlinked.");
  if (!planById(account.plan_id)[channel]) return refused("It is not part of the plan any more.");
  const sender = channel === "telegram" ? telegram : discord;
  if (!sender) return refused("This installation has no Telegram bot any more.");
  const message = await build();
  return isDigest(message) ? sender.sendDigest(address, message) : sender.sendAlert(address, message);
}

/** Where a channel's messages go: a chat's number or a webhook's address. */
export function openAddress({ secrets }: Pick<Deps, "secrets">, row: ChannelRow): string | null {
  if (row.kind === "telegram") return row.chat_id === null ? null : String(row.chat_id);
  return row.secret_sealed && secrets.open(row.secret_sealed, `channel-${row.kind}:${row.account_id}`);
}

const refused = (message: string): SendResult => ({ ok: false, failure: { message, transient: false } });

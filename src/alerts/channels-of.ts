import { channelIds } from "#contract/channels.ts";
import type { Account } from "#storage/accounts.ts";
import { listChannels } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import { type Choice, chooseChannels } from "./choose-channels.ts";
import type { Deps } from "./deps.ts";

/** The channels that an account is told by at this moment, and why not by the others; `isTold` where the event is that one of them fails. */
export async function channelsOf(
  { channels }: Pick<Deps, "channels">,
  tx: Database,
  account: Account,
  isTold = false,
): Promise<Choice> {
  const open = channelIds.filter((id) => channels[id] !== null);
  return chooseChannels(account, await listChannels(tx, account.id), open, isTold);
}

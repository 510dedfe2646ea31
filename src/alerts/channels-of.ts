import { channelIds } from "#channels/channel-list.ts";
import type { Account } from "#storage/accounts.ts";
import { listChannels } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import { type Choice, chooseChannels } from "./choose-channels.ts";
import type { Deps } from "./deps.ts";

/**
 * Chooses the channels that can reach an account now, with a reason for each skipped one. `isChannelFailure`: the
 * notification says that one of them fails.
 */
export async function channelsOf(
  { channels }: Pick<Deps, "channels">,
  tx: Database,
  account: Account,
  isChannelFailure = false,
): Promise<Choice> {
  const configured = channelIds.filter((id) => channels[id] !== null);
  return chooseChannels(account, await listChannels(tx, account.id), configured, isChannelFailure);
}

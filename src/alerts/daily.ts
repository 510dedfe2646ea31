import { channelIds } from "#contract/channels.ts";
import { findAccount } from "#storage/accounts.ts";
import { listChannels } from "#storage/channels.ts";
import { insertDelivery, listFolded, listHeld, lockDigest } from "#storage/deliveries.ts";
import { chooseChannels } from "./choose-channels.ts";
import type { Deps } from "./deps.ts";
import { scheduleDigest } from "./schedule-delivery.ts";

/** Has the day's folded changes of an account sent by each of its channels as one message. Safe to repeat. */
export async function daily(deps: Deps, { accountId }: { accountId: string }): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const account = await findAccount(tx, accountId);
    if (!account) return;
    const folded = await listFolded(tx, accountId);
    const open = channelIds.filter((id) => deps.channels[id] !== null);
    for (const channel of chooseChannels(account, await listChannels(tx, accountId), open)) {
      await lockDigest(tx, accountId, channel);
      // Where others are held back their digest is scheduled, and takes these along.
      const [waiting] = await listHeld(tx, accountId, channel, 1);
      for (const notification of folded)
        await insertDelivery(tx, { notification, channel, insteadOf: null, state: "held" });
      if (folded.length > 0 && !waiting) await scheduleDigest(deps, tx, accountId, channel, 0);
    }
  });
}

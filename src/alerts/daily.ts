import { findAccount } from "#storage/accounts.ts";
import { insertDelivery, listFolded, listHeld, lockDigest } from "#storage/deliveries.ts";
import { channelsOf } from "./channels-of.ts";
import type { Deps } from "./deps.ts";
import { scheduleDigest } from "./schedule-delivery.ts";

/** Has the day's folded changes of an account sent by each of its channels as one message. Safe to repeat. */
export async function daily(deps: Deps, { accountId }: { accountId: string }): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const account = await findAccount(tx, accountId);
    if (!account) return;
    const folded = await listFolded(tx, accountId);
    for (const channel of (await channelsOf(deps, tx, account)).chosen) {
      await lockDigest(tx, accountId, channel);
      // Where others are held back their digest is scheduled, and takes these along.
      const [waiting] = await listHeld(tx, accountId, channel, 1);
      for (const notification of folded)
        await insertDelivery(tx, { notification, channel, insteadOf: null, state: "held" });
      if (folded.length > 0 && !waiting) await scheduleDigest(deps, tx, accountId, channel, 0);
    }
  });
}

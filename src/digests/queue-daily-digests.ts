import { channelsOf } from "#alerts/channels-of.ts";
import type { Deps } from "#alerts/deps.ts";
import { scheduleDigest } from "#alerts/schedule-delivery.ts";
import { findAccount } from "#storage/accounts.ts";
import { insertDelivery, listDigestOnly, listHeld, lockDigest } from "#storage/deliveries.ts";

/** Sends an account's digest-only changes of the day as one message per channel. Safe to repeat. */
export async function daily(deps: Deps, { accountId }: { accountId: string }): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const account = await findAccount(tx, accountId);
    if (!account) return;
    const digestOnly = await listDigestOnly(tx, accountId);
    for (const channel of (await channelsOf(deps, tx, account)).chosen) {
      await lockDigest(tx, accountId, channel);
      // If the channel already holds messages back, their digest is scheduled and will include these.
      const [held] = await listHeld(tx, accountId, channel, 1);
      for (const notification of digestOnly)
        await insertDelivery(tx, { notification, channel, insteadOf: null, state: "held" });
      if (digestOnly.length > 0 && !held) await scheduleDigest(deps, tx, accountId, channel, 0);
    }
  });
}

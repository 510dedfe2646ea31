import type { MessageChannel } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import type { DeliveryDeps } from "./delivery-deps.ts";

/** Has what is held back for a channel sent as one message after so many seconds. */
export async function scheduleDigest(
  { queue }: Pick<DeliveryDeps, "queue">,
  tx: Database,
  accountId: string,
  channel: MessageChannel,
  startAfter: number,
  attempts = 0,
): Promise<void> {
  await queue.send(tx, "digest", { accountId, channel, attempts }, { startAfter });
}

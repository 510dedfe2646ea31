import type { ChannelId } from "#channels/channel-list.ts";
import { maxAttempts, planRetry, type SendFailure } from "#channels/retry.ts";
import type { Account } from "#storage/accounts.ts";
import { moveChat } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import type { DeliveryWithNotification } from "#storage/deliveries.ts";
import type { Deps } from "./deps.ts";
import { giveUp } from "./give-up.ts";

export function maxAttemptsOf({ channels }: Pick<Deps, "channels">, id: ChannelId): number {
  return channels[id]?.limits.attempts ?? maxAttempts;
}

type Failed = {
  channel: ChannelId;
  deliveries: DeliveryWithNotification[];
  failure: SendFailure;
  /** Attempts that failed before this one. */
  failed: number;
};

/** Handles a message that could not be sent: `scheduleRetry` postpones it, or it is given up. */
export async function settleFailure(
  deps: Pick<Deps, "queue" | "channels">,
  tx: Database,
  account: Account,
  { channel, deliveries, failure, failed }: Failed,
  scheduleRetry: (seconds: number, attempts: number) => Promise<void>,
): Promise<"put-off" | "given-up"> {
  if (failure.movedTo) await moveChat(tx, account.id, Number(failure.movedTo));
  const retry = planRetry(failure, failed, maxAttemptsOf(deps, channel));
  if (retry) await scheduleRetry(retry.seconds, retry.attempts);
  else await giveUp(deps, tx, account, deliveries, failure);
  return retry ? "put-off" : "given-up";
}

import type { SendResult } from "#delivery/retry.ts";
import type { Attempt } from "#queue/queue.ts";
import { findAccount } from "#storage/accounts.ts";
import { markWorking } from "#storage/channels.ts";
import {
  countAttempt,
  type DeliveryWithNotification,
  findDelivery,
  markSent,
  markWaiting,
} from "#storage/deliveries.ts";
import { buildAlert } from "./build-alert.ts";
import type { Deps } from "./deps.ts";
import { sendTo } from "./send-to.ts";
import { attemptsOf, settleFailure } from "./settle-failure.ts";

/**
 * Sends one message by one channel, or puts it off, or gives it up; a message that was sent is never sent again. Answers
 * how many milliseconds after its cause it was sent.
 */
export async function deliver(
  deps: Deps,
  task: { deliveryId: string },
  attempt: Attempt,
): Promise<number | undefined> {
  const delivery = await findDelivery(deps.db, task.deliveryId);
  if (delivery?.state !== "waiting") return undefined;
  const { id, channel, attempts: failed } = delivery;
  const account = await findAccount(deps.db, delivery.account_id);
  if (!account) return undefined;
  await countAttempt(deps.db, id);
  const result =
    failed >= attemptsOf(deps, channel)
      ? tooOften(delivery)
      : await sendTo(deps, account, channel, id, () => buildAlert(deps, delivery));
  await deps.db.transaction().execute(async (tx) => {
    if (!(await deps.queue.settle(tx, "deliver", attempt))) return;
    if (result.ok) {
      await markSent(tx, [id]);
      return markWorking(tx, account.id, channel);
    }
    const { failure } = result;
    const deliveries = [delivery];
    await settleFailure(
      deps,
      tx,
      account,
      { channel, deliveries, failure, failed },
      async (seconds, attempts) => {
        const isCounted = attempts > failed;
        await markWaiting(tx, id, isCounted ? failure.message : null, isCounted);
        await deps.queue.send(tx, "deliver", { deliveryId: id }, { startAfter: seconds });
      },
    );
  });
  return result.ok ? Date.now() - delivery.notification.created_at.getTime() : undefined;
}

function tooOften(delivery: DeliveryWithNotification): SendResult {
  const message = delivery.error ?? "The sending process ended again and again.";
  return { ok: false, failure: { message, transient: false } };
}

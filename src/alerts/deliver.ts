import type { SendResult } from "#channels/retry.ts";
import { type Attempt, ClaimLost } from "#queue/queue.ts";
import { retryRecording } from "#queue/retry-recording.ts";
import { findAccount } from "#storage/accounts.ts";
import { markWorking } from "#storage/channels.ts";
import {
  countAttempt,
  type DeliveryWithNotification,
  findDelivery,
  markSent,
  markWaiting,
  saveMessageRef,
  uncountAttempt,
} from "#storage/deliveries.ts";
import { listJoinedTo } from "#storage/joined-alerts.ts";
import { buildAlert } from "./build-alert.ts";
import type { Deps } from "./deps.ts";
import { queueEdit } from "./join-alert.ts";
import { sendToChannel } from "./send-to-channel.ts";
import { maxAttemptsOf, settleFailure } from "./settle-failure.ts";

/**
 * Sends one message through one channel, postpones it or gives it up. A message that was sent is recorded even if the
 * attempt's claim lapsed while it was sent, and never sent again. Returns the milliseconds from the notification's
 * creation to its sending.
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
    failed >= maxAttemptsOf(deps, channel)
      ? refuseTooManyAttempts(delivery)
      : await sendToChannel(deps, account, channel, { messageId: id }, async (template) => {
          const alert = await buildAlert(deps, delivery, template);
          await deps.queue.hold("deliver", attempt);
          return alert;
        }).catch((error: unknown) => ignoreLostClaim(error));
  if (!result) {
    await uncountAttempt(deps.db, id);
    return undefined;
  }
  await retryRecording(() =>
    deps.db.transaction().execute(async (tx) => {
      if (result.ok) {
        await deps.queue.settleSent(tx, "deliver", attempt);
        await markSent(tx, [id]);
        if (result.ref !== undefined) await saveMessageRef(tx, id, result.ref);
        // Pages may have joined it before it was sent.
        if ((await listJoinedTo(tx, id)).length > 0) await queueEdit(deps.queue, tx, id);
        return markWorking(tx, account.id, channel);
      }
      if (!(await deps.queue.settle(tx, "deliver", attempt))) return;
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
    }),
  );
  return result.ok ? Date.now() - delivery.notification.created_at.getTime() : undefined;
}

/** Nothing was sent: the attempt that has claimed the task meanwhile sends it. */
function ignoreLostClaim(error: unknown): undefined {
  if (!(error instanceof ClaimLost)) throw error;
}

function refuseTooManyAttempts(delivery: DeliveryWithNotification): SendResult {
  const message = delivery.error ?? "The sending process kept stopping.";
  return { ok: false, failure: { message, transient: false } };
}

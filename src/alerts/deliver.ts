import { backoff, maxAttempts, maxMailAttempts, type SendResult } from "#delivery/retry.ts";
import type { Attempt } from "#queue/queue.ts";
import { type Account, findAccount } from "#storage/accounts.ts";
import { findChannel, type MessageChannel, markWorking, moveChat } from "#storage/channels.ts";
import {
  countAttempt,
  type DeliveryWithNotification,
  findDelivery,
  markSent,
  markWaiting,
} from "#storage/deliveries.ts";
import { buildAlert } from "./build-alert.ts";
import type { Deps } from "./deps.ts";
import { giveUp } from "./give-up.ts";
import { openAddress, sendTo } from "./send-to.ts";

/** Sends one message by one channel, or puts it off, or gives it up; a message that was sent is never sent again. */
export async function deliver(deps: Deps, task: { deliveryId: string }, attempt: Attempt): Promise<void> {
  const delivery = await findDelivery(deps.db, task.deliveryId);
  if (delivery?.state !== "waiting") return;
  const { channel } = delivery;
  const account = await findAccount(deps.db, delivery.account_id);
  if (!account) return;
  await countAttempt(deps.db, delivery.id);
  const limit = channel === "email" ? maxMailAttempts : maxAttempts;
  const result =
    delivery.attempts >= limit
      ? tooOften(delivery)
      : await sendTo(deps, account, channel, delivery.id, () => buildAlert(deps, delivery));
  await deps.db.transaction().execute(async (tx) => {
    if (!(await deps.queue.settle(tx, "deliver", attempt))) return;
    if (result.ok) {
      await markSent(tx, [delivery.id]);
      return markWorking(tx, account.id, channel);
    }
    const { failure } = result;
    if (failure.movedTo) await moveChat(tx, account.id, Number(failure.movedTo));
    const asked = failure.retryAfterSeconds;
    const attempts = delivery.attempts + 1;
    if (!failure.transient || (!asked && attempts >= limit)) {
      return giveUp(deps, tx, account, [delivery], failure);
    }
    // A wait that the receiver asked for is no failed attempt.
    await markWaiting(tx, delivery.id, asked ? null : failure.message, asked === undefined);
    await deps.queue.send(
      tx,
      "deliver",
      { deliveryId: delivery.id },
      { startAfter: asked ?? backoff("message", attempts) },
    );
  });
}

function tooOften(delivery: DeliveryWithNotification): SendResult {
  const message = delivery.error ?? "The sending process ended again and again.";
  return { ok: false, failure: { message, transient: false } };
}

/** Sends a test alert now and answers how that went. */
export async function sendTest(deps: Deps, account: Account, channel: MessageChannel): Promise<SendResult> {
  const row = await findChannel(deps.db, account.id, channel);
  if (channel !== "email" && !(row && openAddress(deps, row))) {
    return { ok: false, failure: { message: "This channel is not set up.", transient: false } };
  }
  const result = await sendTo(deps, account, channel, crypto.randomUUID(), async () => ({
    kind: "test",
    severity: "info",
    title: "Test alert",
    message: "This is what an alert from Watchglass looks like here.",
    url: null,
    link: `${deps.baseUrl}/dashboard`,
    at: new Date(),
    jobId: null,
    executionId: null,
    status: null,
    similarity: null,
    lines: [
      { sign: "-", text: "A line that went" },
      { sign: "+", text: "A line that came" },
    ],
    moreLines: 0,
    findings: [],
    picture: null,
    note: null,
  }));
  if (result.ok) await markWorking(deps.db, account.id, channel);
  return result;
}

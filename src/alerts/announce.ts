import { findAccount } from "#storage/accounts.ts";
import { findNotification } from "#storage/deliveries.ts";
import { noteUntold } from "#storage/executions.ts";
import { channelsOf } from "./channels-of.ts";
import type { Deps } from "./deps.ts";
import { planTrigger } from "./plan-trigger.ts";
import { scheduleDelivery } from "./schedule-delivery.ts";

/** Kinds that stay in the feed: a target that answers again after a failed check is nothing to be woken for. */
const feedOnly = new Set(["recovered"]);
const dayInSeconds = 24 * 3600;

/** Turns an event into one delivery for each channel its user chose, and fires the job's trigger. Safe to repeat. */
export async function announce(deps: Deps, task: { notificationId: string }): Promise<void> {
  const notification = await findNotification(deps.db, task.notificationId);
  if (!notification || feedOnly.has(notification.kind)) return;
  if (notification.kind === "folded") {
    const { account_id: accountId } = notification;
    // One that waits already takes this along.
    await deps.queue.send(
      deps.db,
      "daily",
      { accountId },
      { singletonKey: accountId, startAfter: dayInSeconds },
    );
    return;
  }
  const fire = notification.kind === "change" ? await planTrigger(deps, notification) : undefined;
  await deps.db.transaction().execute(async (tx) => {
    const account = await findAccount(tx, notification.account_id);
    if (!account) return;
    const isTold = notification.kind === "delivery-failed";
    const { chosen, untold } = await channelsOf(deps, tx, account, isTold);
    if (notification.kind === "change" && notification.execution_id)
      await noteUntold(tx, notification.execution_id, untold);
    for (const channel of chosen) await scheduleDelivery(deps, tx, account, notification, channel);
    await fire?.(tx);
  });
}

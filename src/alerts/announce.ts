import { channelsOfJob } from "#checks/inherit.ts";
import { findAccount } from "#storage/accounts.ts";
import { findNotification } from "#storage/deliveries.ts";
import { notePassedOver } from "#storage/executions.ts";
import { findJob } from "#storage/jobs.ts";
import { channelsOf } from "./channels-of.ts";
import type { Deps } from "./deps.ts";
import { planTrigger } from "./plan-trigger.ts";
import { scheduleDelivery } from "./schedule-delivery.ts";

const dayInSeconds = 24 * 3600;

/** Turns an event into one delivery for each channel its user chose, and fires the job's trigger. Safe to repeat. */
export async function announce(deps: Deps, task: { notificationId: string }): Promise<void> {
  const notification = await findNotification(deps.db, task.notificationId);
  if (!notification) return;
  // Of failed checks that were not told, neither is their end.
  if (notification.kind === "recovered" && notification.severity === "info") return;
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
    const { chosen: all, passedOver } = await channelsOf(deps, tx, account, isTold);
    const job = notification.job_id && (await findJob(tx, account.id, notification.job_id));
    const chosen = job ? channelsOfJob(job) : null;
    const some = all.filter((channel) => chosen?.includes(channel) ?? true);
    // Where none of those that were chosen can be used, all are: silence is nobody's wish.
    const wanted = some.length > 0 ? some : all;
    if (notification.kind === "change" && notification.execution_id) {
      const others = all.filter((channel) => !wanted.includes(channel));
      const passed = [...passedOver, ...others.map((channel) => ({ channel, why: "job" as const }))];
      await notePassedOver(tx, notification.execution_id, passed);
    }
    for (const channel of wanted) await scheduleDelivery(deps, tx, account, notification, channel);
    await fire?.(tx);
  });
}

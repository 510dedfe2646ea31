import { inherit } from "#group-defaults/inherit.ts";
import { findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { findNotification } from "#storage/deliveries.ts";
import { saveSkippedChannels } from "#storage/executions.ts";
import { findJob } from "#storage/jobs.ts";
import { isAnnounced } from "#storage/joined-alerts.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import { channelsOf } from "./channels-of.ts";
import type { Deps } from "./deps.ts";
import { planJoining } from "./join-alert.ts";
import { scheduleDelivery } from "./schedule-delivery.ts";

const dayInSeconds = 24 * 3600;

/** Prepares the database writes that fire a change's trigger; undefined if the job has no trigger. */
type PlanTrigger = (change: NotificationRow) => Promise<((tx: Database) => Promise<void>) | undefined>;

type Others = {
  planTrigger: PlanTrigger;
  /** Decides whether the alert waits for a second opinion, or was lowered by it; `alongside` is done when it begins. */
  awaitOpinion: (
    change: NotificationRow,
    alongside: () => ReturnType<PlanTrigger>,
  ) => Promise<"send" | "begun" | "waiting" | "send-late" | "lowered">;
};

/**
 * Turns a notification into one delivery for each selected channel, or lets it join that of another page of its
 * incident, and fires the job's trigger. Safe to repeat.
 */
export async function announce(
  deps: Deps,
  task: { notificationId: string },
  { planTrigger, awaitOpinion }: Others,
): Promise<void> {
  const notification = await findNotification(deps.db, task.notificationId);
  if (!notification) return;
  // Failures that produced no alert get no recovery alert either.
  if (notification.kind === "recovered" && notification.severity === "info") return;
  if (notification.kind === "folded") {
    const { account_id: accountId } = notification;
    // If a daily digest is already queued for the account, it will include this change.
    await deps.queue.send(
      deps.db,
      "daily",
      { accountId },
      { singletonKey: accountId, startAfter: dayInSeconds },
    );
    return;
  }
  const isChange = notification.kind === "change";
  // The trigger doesn't wait: no opinion decides whether another program hears of a change.
  const outcome = isChange ? await awaitOpinion(notification, () => planTrigger(notification)) : "send";
  if (outcome !== "send" && outcome !== "send-late") return;
  const fire = isChange && outcome === "send" ? await planTrigger(notification) : undefined;
  await deps.db.transaction().execute(async (tx) => {
    const account = await findAccount(tx, notification.account_id);
    if (!account) return;
    const isChannelFailure = notification.kind === "delivery-failed";
    const { chosen: usable, passedOver } = await channelsOf(deps, tx, account, isChannelFailure);
    const job = notification.job_id && (await findJob(tx, account.id, notification.job_id));
    const jobChannels = job ? inherit(job, "channels") : null;
    const matching = usable.filter((channel) => jobChannels?.includes(channel) ?? true);
    // If none of the job's channels can be used, all channels are: nobody wants silence.
    const selected = matching.length > 0 ? matching : usable;
    if (notification.kind === "change" && notification.execution_id) {
      const unselected = usable.filter((channel) => !selected.includes(channel));
      const skipped = [...passedOver, ...unselected.map((channel) => ({ channel, why: "job" as const }))];
      await saveSkippedChannels(tx, notification.execution_id, skipped);
    }
    const join = await planJoining(deps, tx, account, notification);
    for (const channel of selected) {
      if (await isAnnounced(tx, notification.id, channel)) continue;
      if (!(await join(channel))) await scheduleDelivery(deps, tx, account, notification, channel);
    }
    await fire?.(tx);
  });
}

import { emitEvents } from "#live-events/events.ts";
import type { Database } from "#storage/database.ts";
import { insertNotification, promotePendingChange } from "#storage/notifications.ts";
import type { Deps } from "./deps.ts";

/** Adds an entry to the feed, and sends it to open pages and the channels. */
export async function notify(
  deps: Pick<Deps, "queue">,
  tx: Database,
  values: Parameters<typeof insertNotification>[1],
): Promise<void> {
  const notificationId = await insertNotification(tx, values);
  await deps.queue.send(tx, "announce", { notificationId });
  await emitEvents(tx, values.account_id, [{ kind: "notification", notificationId }]);
}

/** Sends the job's pending change to the channels: until this check saw it again, it was only in the feed. */
export async function announcePending(
  deps: Pick<Deps, "queue">,
  tx: Database,
  jobId: string,
  executionId: string,
): Promise<void> {
  const notificationId = await promotePendingChange(tx, jobId, executionId);
  if (notificationId !== undefined) await deps.queue.send(tx, "announce", { notificationId });
}

import type { Database } from "#storage/database.ts";
import { emitEvents } from "#storage/events.ts";
import { insertNotification, unfoldNewest } from "#storage/notifications.ts";
import type { Deps } from "./deps.ts";

/** Puts an entry into the feed, tells open pages and the other channels. */
export async function notify(
  deps: Pick<Deps, "queue">,
  tx: Database,
  values: Parameters<typeof insertNotification>[1],
): Promise<void> {
  const notificationId = await insertNotification(tx, values);
  await deps.queue.send(tx, "announce", { notificationId });
  await emitEvents(tx, values.account_id, [{ kind: "notification", notificationId }]);
}

/** Sends the job's last change by the channels after all: it waited in the feed until a check had seen it again. */
export async function tellLate(
  deps: Pick<Deps, "queue">,
  tx: Database,
  jobId: string,
  executionId: string,
): Promise<void> {
  const notificationId = await unfoldNewest(tx, jobId, executionId);
  if (notificationId !== undefined) await deps.queue.send(tx, "announce", { notificationId });
}

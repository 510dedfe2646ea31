import { planRetry } from "#channels/retry.ts";
import type { Tasks } from "#queue/tasks.ts";
import { findAccount } from "#storage/accounts.ts";
import { findDelivery } from "#storage/deliveries.ts";
import { listJoinedTo, markCovered } from "#storage/joined-alerts.ts";
import { describeAlert } from "./build-alert.ts";
import type { Deps } from "./deps.ts";
import { listNames } from "./list-names.ts";
import { sendToChannel } from "./send-to-channel.ts";
import { maxAttemptsOf } from "./settle-failure.ts";

/**
 * Adds the pages that joined a message to it. If that isn't possible, they stay uncovered and the incident's closing
 * message covers them. Safe to repeat: an edit says everything again.
 */
export async function editAlert(deps: Deps, { deliveryId, attempts }: Tasks["edit-alert"]): Promise<void> {
  const lead = await findDelivery(deps.db, deliveryId);
  const account = lead && (await findAccount(deps.db, lead.account_id));
  // A message that isn't sent yet queues its edit when it is.
  if (!lead?.message_ref || !account) return;
  const { channel, notification, message_ref: ref } = lead;
  const joined = await listJoinedTo(deps.db, deliveryId);
  const uncovered = joined.filter(({ covered_at }) => covered_at === null);
  if (uncovered.length === 0) return;
  const names = joined.map(({ title }) => title);
  const pages = names.length === 1 ? "1 other page" : `${names.length} other pages`;
  const messageId = `${deliveryId}-${joined.length}`;
  const result = await sendToChannel(deps, account, channel, { messageId, ref }, async (template) => {
    const { alert } = await describeAlert(deps, notification, template);
    return { ...alert, note: `The same changed on ${pages}: ${listNames(names)}.` };
  });
  await deps.db.transaction().execute(async (tx) => {
    if (result.ok) {
      const ids = uncovered.map(({ notification_id }) => notification_id);
      return markCovered(tx, [channel], ids);
    }
    const retry = planRetry(result.failure, attempts, maxAttemptsOf(deps, channel));
    if (!retry) return;
    const { seconds, attempts: failed } = retry;
    await deps.queue.send(tx, "edit-alert", { deliveryId, attempts: failed }, { startAfter: seconds });
  });
}

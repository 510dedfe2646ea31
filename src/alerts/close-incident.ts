import type { Summarize } from "#contract/second-opinion.ts";
import { highestSeverity } from "#detection/severity/severity.ts";
import { quietSeconds } from "#incidents/group-changes.ts";
import { listIncidentChanges, lockIncidents } from "#incidents/incident-rows.ts";
import { summarizeCommon } from "#incidents/summarize.ts";
import { emitEvents } from "#live-events/events.ts";
import { type Account, findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { findNotification } from "#storage/deliveries.ts";
import { findIncident, saveIncidentOpinion } from "#storage/incidents.ts";
import { listUncovered, markCovered, type UncoveredAlert } from "#storage/joined-alerts.ts";
import { insertNotification } from "#storage/notifications.ts";
import type { Deps } from "./deps.ts";
import { listNames } from "./list-names.ts";
import { scheduleDelivery } from "./schedule-delivery.ts";

/** No page waits longer than this for a message, even if others keep joining. */
const longestWaitSeconds = 3_600;

type Needed = Pick<Deps, "db" | "queue" | "channels">;

/**
 * Once an incident is quiet, asks for a summary of it, and sends one message about the pages that no edited message covers.
 * Each page that joins an incident queues this task, so that of the last page finds it quiet. Safe to repeat.
 */
export async function closeIncident(
  deps: Needed,
  { incidentId }: { incidentId: string },
  summarize: Summarize,
): Promise<void> {
  const incident = await findIncident(deps.db, incidentId);
  const account = incident && (await findAccount(deps.db, incident.account_id));
  if (!account || !(await isQuiet(deps.db, incidentId))) return;
  const changes = await listIncidentChanges(deps.db, incidentId);
  const asked = changes.map(({ job_id, execution_id }) => ({ jobId: job_id, executionId: execution_id }));
  const isKnown = incident.opinion?.changes === changes.length;
  const opinion = isKnown ? incident.opinion : await summarize(account.id, asked);
  await deps.db.transaction().execute(async (tx) => {
    await lockIncidents(tx, account.id);
    if (!isKnown)
      await saveIncidentOpinion(tx, incidentId, opinion && { ...opinion, changes: changes.length });
    const uncovered = await listUncovered(tx, incidentId);
    if (uncovered.length > 0) await sendClosing(deps, tx, account, incidentId, uncovered);
  });
}

async function isQuiet(db: Database, incidentId: string): Promise<boolean> {
  const [changes, uncovered] = await Promise.all([
    listIncidentChanges(db, incidentId),
    listUncovered(db, incidentId),
  ]);
  const passed = [...changes, ...uncovered].map(({ seconds }) => seconds);
  const waited = uncovered.map(({ seconds }) => seconds);
  return Math.min(...passed) >= quietSeconds || Math.max(0, ...waited) >= longestWaitSeconds;
}

async function sendClosing(
  deps: Needed,
  tx: Database,
  account: Account,
  incidentId: string,
  uncovered: UncoveredAlert[],
): Promise<void> {
  const changes = await listIncidentChanges(tx, incidentId);
  const pages = new Map(uncovered.map(({ execution_id, title }) => [execution_id, title]));
  const all = new Set(changes.map(({ job_id }) => job_id)).size;
  const executionIds = changes.map(({ execution_id }) => execution_id);
  const summary = await summarizeCommon(tx, account.id, executionIds, all);
  const notificationId = await insertNotification(tx, {
    account_id: account.id,
    kind: "incident",
    job_id: null,
    execution_id: null,
    incident_id: incidentId,
    severity: highestSeverity(changes),
    title: `The same change on ${pages.size} more ${pages.size === 1 ? "page" : "pages"}`,
    message: `${summary}. You haven’t been alerted about ${listNames([...pages.values()])} yet.`,
  });
  const notification = await findNotification(tx, notificationId);
  if (!notification) return;
  const channels = [...new Set(uncovered.map(({ channel }) => channel))];
  for (const channel of channels) await scheduleDelivery(deps, tx, account, notification, channel);
  await markCovered(tx, channels, [...new Set(uncovered.map(({ notification_id }) => notification_id))]);
  await emitEvents(tx, account.id, [{ kind: "notification", notificationId }]);
}

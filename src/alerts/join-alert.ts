import { type ChannelId } from "#channels/channel-list.ts";
import { isAtLeast, type Severity } from "#detection/severity/severity.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { inherit } from "#group-defaults/inherit.ts";
import { quietSeconds } from "#incidents/group-changes.ts";
import { listIncidentChanges } from "#incidents/incident-rows.ts";
import { joinIncident } from "#incidents/join-incident.ts";
import { listChangeFacts } from "#incidents/list-change-facts.ts";
import type { Account } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { findVerdict } from "#storage/executions.ts";
import { findJob } from "#storage/jobs.ts";
import { insertJoinedAlert, type Lead, listLeads } from "#storage/joined-alerts.ts";
import type { NotificationRow } from "#storage/notifications.ts";
import type { Deps } from "./deps.ts";

/** Pages that join soon after each other need one edit. */
const editDelaySeconds = 5;

/** Joins a change's alert on one channel to the message of another page; false if it must be a message of its own. */
type JoinAlert = (channel: ChannelId) => Promise<boolean>;

const never: JoinAlert = async () => false;

/**
 * Puts a change into its incident, and says how its alert may join the alerts of the incident's other pages: if a
 * message of at least the same severity says everything that this one would say. The transaction holds the account's
 * incidents, so the first alert of an incident is always a message of its own, and only one is.
 */
export async function planJoining(
  { queue, channels }: Pick<Deps, "queue" | "channels">,
  tx: Database,
  account: Pick<Account, "id" | "combines_alerts">,
  notification: NotificationRow,
): Promise<JoinAlert> {
  const { execution_id: executionId, job_id: jobId } = notification;
  if (notification.kind !== "change" || !executionId || !jobId) return never;
  const incidentId = await joinIncident(tx, account.id, executionId);
  if (incidentId === undefined) return never;
  if ((await listIncidentChanges(tx, incidentId)).length > 1)
    await queue.send(
      tx,
      "close-incident",
      { incidentId },
      { owner: account.id, startAfter: quietSeconds + 1 },
    );
  if (!account.combines_alerts) return never;
  const facts = await readFacts(tx, account.id, jobId, executionId);
  if (!facts) return never;
  return async (channel) => {
    const leads = await listLeads(tx, { incidentId, executionId, jobId }, channel);
    const lead = await findCovering(tx, account.id, leads, facts, notification.severity as Severity);
    if (!lead) return false;
    await insertJoinedAlert(tx, { notification, executionId, channel, leadId: lead.id });
    if (channels[channel]?.editAlert) await queueEdit(queue, tx, lead.id);
    return true;
  };
}

/** Queues the edit of a message that other alerts joined, unless one waits already. */
export async function queueEdit(queue: Deps["queue"], tx: Database, deliveryId: string): Promise<void> {
  await queue.send(
    tx,
    "edit-alert",
    { deliveryId, attempts: 0 },
    { singletonKey: deliveryId, startAfter: editDelaySeconds },
  );
}

async function findCovering(
  tx: Database,
  accountId: string,
  leads: Lead[],
  facts: Set<string>,
  severity: Severity,
): Promise<Lead | undefined> {
  for (const lead of leads) {
    if (!isAtLeast(lead.severity as Severity, severity)) continue;
    const known = await readFacts(tx, accountId, lead.job_id, lead.execution_id);
    if (known && facts.isSubsetOf(known)) return lead;
  }
  return undefined;
}

/** What an alert says, with the user's own words for it: a job's own message isn't replaced by another one. */
async function readFacts(
  tx: Database,
  accountId: string,
  jobId: string,
  executionId: string,
): Promise<Set<string> | null> {
  const [job, verdict] = [await findJob(tx, accountId, jobId), await findVerdict(tx, executionId)];
  const facts = job && verdict ? listChangeFacts(verdict as Verdict) : null;
  return job && facts ? facts.add(JSON.stringify(["message", inherit(job, "message")])) : null;
}

import { type Selectable, sql } from "kysely";
import type { ChannelId } from "#channels/channel-list.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type JoinedAlertRow = Selectable<Schema["joined_alerts"]>;

type NewJoinedAlert = {
  notification: { id: string; account_id: string };
  executionId: string;
  channel: ChannelId;
  leadId: string;
};

export async function insertJoinedAlert(
  tx: Database,
  { notification, executionId, channel, leadId }: NewJoinedAlert,
): Promise<void> {
  await tx
    .insertInto("joined_alerts")
    .values({
      notification_id: notification.id,
      account_id: notification.account_id,
      execution_id: executionId,
      channel,
      lead_id: leadId,
    })
    .execute();
}

/** Whether a channel has a message for a notification, or lets it join another one. */
export async function isAnnounced(
  db: Database,
  notificationId: string,
  channel: ChannelId,
): Promise<boolean> {
  const { rows } = await sql`
    select from deliveries where notification_id = ${notificationId} and channel = ${channel}
    union all
    select from joined_alerts where notification_id = ${notificationId} and channel = ${channel}
  `.execute(db);
  return rows.length > 0;
}

export type Lead = { id: string; execution_id: string; job_id: string; severity: string };

const comparedLeads = 10;

/**
 * The messages of an incident's pages that were sent through a channel or will be. Empty if the incident has another
 * change of the same job: that the page changed again is news.
 */
export async function listLeads(
  tx: Database,
  { incidentId, executionId, jobId }: { incidentId: string; executionId: string; jobId: string },
  channel: ChannelId,
): Promise<Lead[]> {
  const { rows } = await sql<Lead>`
    select deliveries.id, deliveries.execution_id, incident_changes.job_id, notifications.severity
    from incident_changes
    join deliveries on deliveries.execution_id = incident_changes.execution_id
    join notifications on notifications.id = notification_id and notifications.kind = 'change'
    where incident_changes.incident_id = ${incidentId} and incident_changes.execution_id != ${executionId}
      and channel = ${channel} and state in ('waiting', 'held', 'sent')
      and not exists (select from incident_changes
        where incident_id = ${incidentId} and job_id = ${jobId} and execution_id != ${executionId})
    order by deliveries.id limit ${comparedLeads}
  `.execute(tx);
  return rows;
}

type JoinedAlert = { notification_id: string; title: string; covered_at: Date | null };

/** The alerts that joined the message of another page, oldest first, with the names of their jobs. */
export async function listJoinedTo(db: Database, leadId: string): Promise<JoinedAlert[]> {
  return db
    .selectFrom("joined_alerts")
    .innerJoin("notifications", "notifications.id", "joined_alerts.notification_id")
    .select(["notification_id", "title", "covered_at"])
    .where("lead_id", "=", leadId)
    .orderBy("joined_alerts.created_at")
    .orderBy("notification_id")
    .execute();
}

export async function markCovered(
  tx: Database,
  channels: ChannelId[],
  notificationIds: string[],
): Promise<void> {
  await tx
    .updateTable("joined_alerts")
    .set({ covered_at: sql<Date>`now()` })
    .where("channel", "in", channels)
    .where(sql<boolean>`notification_id = any(${notificationIds}::uuid[])`)
    .where("covered_at", "is", null)
    .execute();
}

export type UncoveredAlert = {
  notification_id: string;
  execution_id: string;
  channel: ChannelId;
  title: string;
  job_id: string | null;
  /** For how long it has waited. */
  seconds: number;
};

/** The alerts of an incident that no message covers yet, oldest first. */
export async function listUncovered(tx: Database, incidentId: string): Promise<UncoveredAlert[]> {
  const { rows } = await sql<UncoveredAlert>`
    select notification_id, joined_alerts.execution_id, channel, title, notifications.job_id,
      extract(epoch from now() - joined_alerts.created_at)::float8 as seconds
    from incident_changes
    join joined_alerts on joined_alerts.execution_id = incident_changes.execution_id and covered_at is null
    join notifications on notifications.id = notification_id
    where incident_changes.incident_id = ${incidentId}
    order by joined_alerts.created_at, notification_id, channel
  `.execute(tx);
  return rows;
}

/** The alerts of an execution that joined those of other pages. */
export async function listJoinedAlerts(
  db: Database,
  accountId: string,
  executionId: string,
): Promise<JoinedAlertRow[]> {
  return db
    .selectFrom("joined_alerts")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("execution_id", "=", executionId)
    .orderBy("channel")
    .execute();
}

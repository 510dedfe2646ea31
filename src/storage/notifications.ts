import { type Insertable, type Selectable, sql } from "kysely";
import { severities } from "#detection/severity/severity.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type NotificationRow = Selectable<Schema["notifications"]>;

export async function insertNotification(
  db: Database,
  values: Omit<Insertable<Schema["notifications"]>, "id" | "created_at" | "read_at">,
): Promise<string> {
  const row = await db.insertInto("notifications").values(values).returning("id").executeTakeFirstOrThrow();
  return row.id;
}

export async function listNotifications(
  db: Database,
  accountId: string,
  { limit, cursor, until }: { limit: number; cursor?: string; until?: string },
): Promise<NotificationRow[]> {
  let query = db.selectFrom("notifications").selectAll().where("account_id", "=", accountId);
  if (cursor) query = query.where("id", "<", cursor);
  if (until) query = query.where("id", "<", firstIdAt(new Date(until)));
  return query.orderBy("id", "desc").limit(limit).execute();
}

/** Ids begin with their time, so this is the least one of a millisecond. */
function firstIdAt(at: Date): string {
  const ms = Math.max(0, at.getTime()).toString(16).padStart(12, "0");
  return `${ms.slice(0, 8)}-${ms.slice(8)}-0000-0000-000000000000`;
}

/** Changes that the user hasn't opened yet, most severe first, then newest; only among the newest 500. */
export async function listUnreadChanges(
  db: Database,
  accountId: string,
  limit: number,
): Promise<NotificationRow[]> {
  return db
    .selectFrom((qb) =>
      qb
        .selectFrom("notifications")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("kind", "=", "change")
        .where("read_at", "is", null)
        .orderBy("id", "desc")
        .limit(500)
        .as("unread"),
    )
    .selectAll()
    .orderBy(sql`array_position(${sql.val([...severities])}::text[], severity)`, "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** The newest alerted change whose execution is still stored. */
export async function findNewestChange(
  db: Database,
  accountId: string,
  jobId?: string,
): Promise<NotificationRow | undefined> {
  return db
    .selectFrom("notifications")
    .innerJoin("executions", "executions.id", "notifications.execution_id")
    .selectAll("notifications")
    .where("notifications.account_id", "=", accountId)
    .where("notifications.kind", "=", "change")
    .$if(jobId !== undefined, (query) => query.where("notifications.job_id", "=", jobId ?? ""))
    .orderBy("notifications.id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Turns a job's last change before an execution into an immediate alert; undefined if it was sent already. */
export async function promotePendingChange(
  db: Database,
  jobId: string,
  executionId: string,
): Promise<string | undefined> {
  const row = await db
    .updateTable("notifications")
    .set({ kind: "change" })
    .where("kind", "=", "folded")
    .where("execution_id", "=", (eb) =>
      eb
        .selectFrom("executions")
        .select("id")
        .where("job_id", "=", jobId)
        .where("changed", "=", true)
        .where("id", "!=", executionId)
        .orderBy("number", "desc")
        .limit(1),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("deliveries")
            .select("deliveries.id")
            .whereRef("deliveries.notification_id", "=", "notifications.id"),
        ),
      ),
    )
    .returning(["id", "execution_id"])
    .executeTakeFirst();
  if (row?.execution_id)
    await db.updateTable("executions").set({ folded: false }).where("id", "=", row.execution_id).execute();
  return row?.id;
}

/** Counts up to 100: the badge shows no more. */
export async function countUnread(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from notifications where account_id = ${accountId} and read_at is null limit 100
    ) as unread
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export async function markNotificationsRead(db: Database, accountId: string, ids?: string[]): Promise<void> {
  let query = db
    .updateTable("notifications")
    .set({ read_at: sql<Date>`now()` })
    .where("account_id", "=", accountId)
    .where("read_at", "is", null);
  if (ids) query = query.where("id", "in", ids.length > 0 ? ids : [sql<string>`null`]);
  await query.execute();
}

/** Removes notifications, with their deliveries, that are older than `days` from accounts of a plan. */
export async function deleteOldNotifications(db: Database, planId: string, days: number): Promise<void> {
  await sql`
    delete from notifications where id in (
      select notifications.id from notifications join accounts on accounts.id = account_id
      where notifications.created_at < now() - make_interval(days => ${days})
        and case when kept_until > now() then kept_plan_id else plan_id end = ${planId}
      limit 5000
    )
  `.execute(db);
}

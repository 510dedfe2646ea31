import { type Selectable, sql } from "kysely";
import type { NewSearchAlert } from "#contract/search-alert.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type SearchAlertRow = Selectable<Schema["search_alerts"]>;

export async function listSearchAlerts(db: Database, accountId: string): Promise<SearchAlertRow[]> {
  return db
    .selectFrom("search_alerts")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("name")
    .execute();
}

/** How often each alert found something, and when last. */
export async function countSearchAlertHits(db: Database, accountId: string) {
  const { rows } = await sql<{ alert_id: string; alerts: number; last_at: Date }>`
    select alert_id, count(*) as alerts, max(hit.created_at) as last_at
    from search_alert_hits as hit join search_alerts on search_alerts.id = alert_id
    where account_id = ${accountId} group by alert_id
  `.execute(db);
  return new Map(rows.map((row) => [row.alert_id, row]));
}

const columnsOf = ({ groupIds, hidesMatch, ...rest }: NewSearchAlert) => ({
  ...rest,
  group_ids: groupIds,
  hides_match: hidesMatch,
});

export async function insertSearchAlert(
  db: Database,
  accountId: string,
  alert: NewSearchAlert,
): Promise<void> {
  await db
    .insertInto("search_alerts")
    .values({ account_id: accountId, ...columnsOf(alert) })
    .execute();
}

/** Returns whether the account has that alert. */
export async function updateSearchAlertRow(
  db: Database,
  accountId: string,
  id: string,
  alert: NewSearchAlert,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("search_alerts")
    .set(columnsOf(alert))
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns whether the account had that alert. */
export async function deleteSearchAlertRow(db: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("search_alerts")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Those of the executions whose accounts have search alerts. */
export async function findWithSearchAlerts<T extends { accountId: string }>(
  db: Database,
  executions: T[],
): Promise<T[]> {
  if (executions.length === 0) return [];
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from search_alerts
    where account_id = any(${executions.map(({ accountId }) => accountId)}::uuid[])
  `.execute(db);
  const accounts = new Set(rows.map(({ account_id }) => account_id));
  return executions.filter(({ accountId }) => accounts.has(accountId));
}

/** Stores that an alert found something in an execution; false if that was stored before. */
export async function insertSearchAlertHit(
  db: Database,
  hit: { alert_id: string; execution_id: string; lines: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("search_alert_hits")
    .values(hit)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

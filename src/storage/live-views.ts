import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type LiveViewRow = Selectable<Schema["live_views"]>;

const ticketSeconds = 30;
const openSeconds = 60;
const openUntil = sql<Date>`now() + ${openSeconds} * interval '1 second'`;

export async function insertLiveView(
  db: Database,
  values: Insertable<Schema["live_views"]>,
): Promise<LiveViewRow> {
  return db.insertInto("live_views").values(values).returningAll().executeTakeFirstOrThrow();
}

export async function hasOpenLiveView(db: Database, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom("live_views")
    .select("id")
    .where("account_id", "=", accountId)
    .where("open_until", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses up a ticket. Undefined if it is wrong, used, too old or another account's. */
export async function openLiveView(
  db: Database,
  { accountId, id, ticket }: { accountId: string; id: string; ticket: string },
): Promise<LiveViewRow | undefined> {
  return db
    .updateTable("live_views")
    .set({ ticket: null, open_until: openUntil })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where("ticket", "=", ticket)
    .where(sql<boolean>`created_at > now() - ${ticketSeconds} * interval '1 second'`)
    .returningAll()
    .executeTakeFirst();
}

export async function renewLiveView(db: Database, id: string): Promise<void> {
  await db.updateTable("live_views").set({ open_until: openUntil }).where("id", "=", id).execute();
}

export async function closeLiveView(db: Database, id: string): Promise<void> {
  await db.updateTable("live_views").set({ open_until: null }).where("id", "=", id).execute();
}

export async function keepLiveJar(db: Database, id: string, jar_sealed: string): Promise<void> {
  await db.updateTable("live_views").set({ jar_sealed }).where("id", "=", id).execute();
}

export async function findLiveView(
  db: Database,
  accountId: string,
  id: string,
): Promise<LiveViewRow | undefined> {
  return db
    .selectFrom("live_views")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

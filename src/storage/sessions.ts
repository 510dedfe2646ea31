import { sql } from "kysely";
import type { Database } from "./database.ts";

export async function insertSession(db: Database, accountId: string, days: number): Promise<string> {
  const row = await db
    .insertInto("sessions")
    .values({ account_id: accountId, expires_at: sql<Date>`now() + make_interval(days => ${days})` })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Whether the session is neither ended nor expired. */
export async function isSessionValid(db: Database, id: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function endSession(db: Database, id: string): Promise<void> {
  await db.deleteFrom("sessions").where("id", "=", id).execute();
}

export async function endSessionsOf(db: Database, accountId: string): Promise<void> {
  await db.deleteFrom("sessions").where("account_id", "=", accountId).execute();
}

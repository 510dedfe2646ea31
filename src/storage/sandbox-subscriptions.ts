import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

/** A subscription in the sandbox's own books, with its period and the time by its clock. */
export type SandboxSubscription = Selectable<Schema["sandbox_subscriptions"]> & {
  period_starts_at: Date;
  period_ends_at: Date;
  now: Date;
};

const monthsAfterStart = (months: ReturnType<typeof sql>) =>
  sql<Date>`(started_at at time zone 'UTC' + make_interval(months => ${months})) at time zone 'UTC'`;
const periodStart = monthsAfterStart(sql`months - 1`);
const periodEnd = monthsAfterStart(sql`months`);
const clock = sql<Date>`now() + clock_seconds * interval '1 second'`;

const query = (db: Database) =>
  db
    .selectFrom("sandbox_subscriptions")
    .selectAll()
    .select([periodStart.as("period_starts_at"), periodEnd.as("period_ends_at"), clock.as("now")]);

export async function lockSandboxSubscription(
  db: Database,
  id: string,
): Promise<SandboxSubscription | undefined> {
  return query(db).where("id", "=", id).forUpdate().executeTakeFirst();
}

export async function lockRunningSandbox(
  db: Database,
  accountId: string,
): Promise<SandboxSubscription | undefined> {
  return query(db)
    .where("account_id", "=", accountId)
    .where("status", "!=", "canceled")
    .forUpdate()
    .executeTakeFirst();
}

export async function insertSandboxSubscription(
  db: Database,
  values: Insertable<Schema["sandbox_subscriptions"]>,
): Promise<void> {
  await db.insertInto("sandbox_subscriptions").values(values).execute();
}

export async function updateSandboxSubscription(
  db: Database,
  id: string,
  values: Updateable<Schema["sandbox_subscriptions"]>,
): Promise<void> {
  await db.updateTable("sandbox_subscriptions").set(values).where("id", "=", id).execute();
}

/** The account's clock: a later subscription continues at the time that earlier ones were moved to. */
export async function sandboxClock(
  db: Database,
  accountId: string,
): Promise<{ now: Date; clock_seconds: number }> {
  const { rows } = await sql<{ now: Date; clock_seconds: number }>`
    select now() + ahead.seconds * interval '1 second' as now, ahead.seconds as clock_seconds
    from (
      select coalesce(max(clock_seconds), 0) as seconds from sandbox_subscriptions where account_id = ${accountId}
    ) as ahead
  `.execute(db);
  if (!rows[0]) throw new Error("an aggregate has one row");
  return rows[0];
}

/** Returns the id of the running subscription whose clock was moved. */
export async function advanceClock(
  db: Database,
  accountId: string,
  seconds: number,
): Promise<string | undefined> {
  const row = await db
    .updateTable("sandbox_subscriptions")
    .set({ clock_seconds: sql<number>`clock_seconds + ${seconds}` })
    .where("account_id", "=", accountId)
    .where("status", "!=", "canceled")
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/** Subscriptions whose period is over, or whose payment has been missing for `dunningDays`. */
export async function listDueSandbox(db: Database, dunningDays: number): Promise<string[]> {
  const rows = await db
    .selectFrom("sandbox_subscriptions")
    .select("id")
    .where(
      sql<boolean>`(status = 'active' and ${periodEnd} <= ${clock})
        or (status = 'past_due' and ${periodStart} <= ${clock} - make_interval(days => ${dunningDays}))`,
    )
    .limit(1000)
    .execute();
  return rows.map((row) => row.id);
}

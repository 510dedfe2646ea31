import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

/** A subscription with the time by its provider's clock, which only the sandbox ever moves. */
export type SubscriptionRow = Selectable<Schema["subscriptions"]> & { now: Date };

const providerNow = sql<Date>`now() + coalesce(
  (select clock_seconds from sandbox_subscriptions as sandbox where sandbox.id = subscriptions.id), 0
) * interval '1 second'`;

const accessEndsAt = (graceDays: number) =>
  sql`least(ends_at, past_due_since + make_interval(days => ${graceDays}))`;

export async function accountOfSubscription(db: Database, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("subscriptions")
    .select("account_id")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.account_id;
}

export type LockedAccount = {
  id: string;
  email: string;
  firstname: string;
  plan_id: string;
  /** The larger plan by whose rules the history is still kept. */
  kept_plan_id: "professional" | "ultimate" | null;
  /** Given by the operator. */
  granted_plan_id: "professional" | "ultimate" | null;
};

/** Locks the account: other changes to its plan, groups and jobs wait until the transaction ends. */
export async function lockAccount(db: Database, id: string): Promise<LockedAccount | undefined> {
  return db
    .selectFrom("accounts")
    .select(["id", "email", "firstname", "plan_id", "granted_plan_id"])
    .select(
      sql<LockedAccount["kept_plan_id"]>`case when kept_until > now() then kept_plan_id end`.as(
        "kept_plan_id",
      ),
    )
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function listSubscriptions(db: Database, accountId: string): Promise<SubscriptionRow[]> {
  return db
    .selectFrom("subscriptions")
    .selectAll()
    .select(providerNow.as("now"))
    .where("account_id", "=", accountId)
    .where("status", "!=", "canceled")
    .orderBy("occurred_at", "desc")
    .execute();
}

export async function findSubscription(db: Database, id: string): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom("subscriptions")
    .selectAll()
    .select(providerNow.as("now"))
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Saves an event's values, unless a newer event was saved before; returns whether it did. */
export async function saveSubscription(
  db: Database,
  values: Insertable<Schema["subscriptions"]>,
): Promise<boolean> {
  const { id: _, ...changes } = values;
  const row = await db
    .insertInto("subscriptions")
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(changes)
        .where(
          sql<boolean>`(excluded.occurred_at, excluded.event_id) > (subscriptions.occurred_at, subscriptions.event_id)`,
        ),
    )
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Accounts whose paid time is over although no event said so: the grace period is over, or an announced end has passed.
 * A sandbox subscription left over from before Paddle was set up ends with its period.
 */
export async function listLapsedAccounts(
  db: Database,
  provider: string,
  graceDays: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("subscriptions")
    .innerJoin("accounts", "accounts.id", "subscriptions.account_id")
    .select("account_id")
    .distinct()
    .where("accounts.plan_id", "!=", "basic")
    .where("status", "!=", "canceled")
    .where(
      sql<boolean>`least(${accessEndsAt(graceDays)}, case when provider <> ${provider} then period_ends_at end) <= ${providerNow}`,
    )
    .execute();
  return rows.map((row) => row.account_id);
}

/** Subscriptions that end within `days` and whose owners have not been warned of that end. */
export async function listUnwarned(
  db: Database,
  days: number,
  graceDays: number,
): Promise<SubscriptionRow[]> {
  const end = accessEndsAt(graceDays);
  return db
    .selectFrom("subscriptions")
    .selectAll()
    .select(providerNow.as("now"))
    .where("status", "!=", "canceled")
    .where(sql<boolean>`${end} between ${providerNow} and ${providerNow} + make_interval(days => ${days})`)
    .where(sql<boolean>`warned_of is distinct from ${end}`)
    .execute();
}

/** Returns false when another process has sent the warning meanwhile. */
export async function markWarned(db: Database, id: string, end: Date): Promise<boolean> {
  const row = await db
    .updateTable("subscriptions")
    .set({ warned_of: end })
    .where("id", "=", id)
    .where(sql<boolean>`warned_of is distinct from ${end}`)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

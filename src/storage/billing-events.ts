import { sql } from "kysely";
import type { Database } from "./database.ts";

export type NewBillingEvent = { id: string; type: string; occurredAt: string; payload: unknown };

/** After this many attempts, an event is left for the operator to look at. */
const maxAttempts = 10;

/** Stores an event; one that is stored already stays as it is. */
export async function insertBillingEvent(db: Database, event: NewBillingEvent): Promise<void> {
  await db
    .insertInto("billing_events")
    .values({
      id: event.id,
      type: event.type,
      occurred_at: event.occurredAt,
      payload: JSON.stringify(event.payload),
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Locks an event that hasn't been applied yet; undefined when it has. */
export async function lockPendingEvent(db: Database, id: string): Promise<{ payload: unknown } | undefined> {
  return db
    .selectFrom("billing_events")
    .select("payload")
    .where("id", "=", id)
    .where("applied_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

export async function markEventApplied(
  db: Database,
  id: string,
  outcome: string,
  accountId: string | undefined,
): Promise<void> {
  await db
    .updateTable("billing_events")
    .set({ applied_at: sql<Date>`now()`, outcome, account_id: accountId ?? null })
    .where("id", "=", id)
    .execute();
}

export async function markEventFailed(db: Database, id: string, reason: string): Promise<void> {
  await db
    .updateTable("billing_events")
    .set({ attempts: sql<number>`attempts + 1`, outcome: reason.slice(0, 500) })
    .where("id", "=", id)
    .where("applied_at", "is", null)
    .execute();
}

/** Events that were stored but not applied, oldest first. */
export async function listPendingEvents(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom("billing_events")
    .select("id")
    .where("applied_at", "is", null)
    .where("attempts", "<", maxAttempts)
    .orderBy("occurred_at")
    .limit(100)
    .execute();
  return rows.map((row) => row.id);
}

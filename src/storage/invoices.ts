import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type InvoiceRow = Selectable<Schema["invoices"]>;

export async function listInvoices(db: Database, accountId: string): Promise<InvoiceRow[]> {
  return db
    .selectFrom("invoices")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("billed_at", "desc")
    .orderBy("id", "desc")
    .limit(500)
    .execute();
}

/** Saves an event's values, unless a newer event was saved before; returns whether it did. */
export async function saveInvoice(db: Database, values: Insertable<Schema["invoices"]>): Promise<boolean> {
  const { id: _, account_id: __, ...changes } = values;
  const row = await db
    .insertInto("invoices")
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(changes)
        .where(
          sql<boolean>`(excluded.occurred_at, excluded.event_id) > (invoices.occurred_at, invoices.event_id)`,
        ),
    )
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

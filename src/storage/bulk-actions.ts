import { type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type BulkActionRow = Selectable<Schema["bulk_actions"]>;

export async function insertBulkAction(
  db: Database,
  {
    minutes,
    changes,
    ...values
  }: Pick<BulkActionRow, "account_id" | "action" | "changes"> & { minutes: number },
): Promise<BulkActionRow> {
  return db
    .insertInto("bulk_actions")
    .values({
      ...values,
      changes: JSON.stringify(changes),
      expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The actions of an account that can still be undone, newest first. */
export async function listBulkActions(db: Database, accountId: string): Promise<BulkActionRow[]> {
  return db
    .selectFrom("bulk_actions")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("expires_at", ">", sql<Date>`now()`)
    .orderBy("id", "desc")
    .execute();
}

/** Takes an action off the list, so that it is undone only once; undefined if its time is over. */
export async function takeBulkAction(
  db: Database,
  accountId: string,
  id: string,
): Promise<BulkActionRow | undefined> {
  return db
    .deleteFrom("bulk_actions")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .where("expires_at", ">", sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
}

/** Jobs whose deletion is due. */
export async function listJobsToDelete(
  db: Database,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return db
    .selectFrom("jobs")
    .select(["id", "account_id"])
    .where("delete_at", "<=", sql<Date>`now()`)
    .orderBy("delete_at")
    .limit(limit)
    .execute();
}

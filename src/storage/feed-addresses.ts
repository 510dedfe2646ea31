import { sql } from "kysely";
import type { Database } from "./database.ts";

const withTitles = (db: Database) =>
  db
    .selectFrom("feed_addresses")
    .leftJoin("jobs", "jobs.id", "feed_addresses.job_id")
    .leftJoin("groups", "groups.id", "feed_addresses.group_id")
    .selectAll("feed_addresses")
    .select(["jobs.name as job_name", "groups.name as group_name"]);

export type FeedAddressRow = Awaited<ReturnType<typeof listFeedAddresses>>[number];

export async function listFeedAddresses(db: Database, accountId: string) {
  return withTitles(db)
    .where("feed_addresses.account_id", "=", accountId)
    .orderBy("feed_addresses.created_at")
    .execute();
}

export async function findFeedAddress(db: Database, accountId: string, id: string) {
  return withTitles(db)
    .where("feed_addresses.account_id", "=", accountId)
    .where("feed_addresses.id", "=", id)
    .executeTakeFirst();
}

export async function findFeedByToken(db: Database, hash: Buffer) {
  return withTitles(db).where("token_hash", "=", hash).executeTakeFirst();
}

/** Returns the id of the existing address, or of the new one. */
export async function putFeedAddress(
  db: Database,
  values: {
    id: string;
    account_id: string;
    job_id: string | null;
    group_id: string | null;
    token_hash: Buffer;
    token_sealed: string;
  },
): Promise<string> {
  const added = await db
    .insertInto("feed_addresses")
    .values(values)
    .onConflict((conflict) => conflict.columns(["account_id", "job_id", "group_id"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (added) return added.id;
  const { id } = await db
    .selectFrom("feed_addresses")
    .select("id")
    .where("account_id", "=", values.account_id)
    .where(sql<boolean>`job_id is not distinct from ${values.job_id}`)
    .where(sql<boolean>`group_id is not distinct from ${values.group_id}`)
    .executeTakeFirstOrThrow();
  return id;
}

export async function renewFeedToken(
  db: Database,
  accountId: string,
  id: string,
  token: { token_hash: Buffer; token_sealed: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("feed_addresses")
    .set({ ...token, created_at: sql<Date>`now()` })
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteFeedAddress(db: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("feed_addresses")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

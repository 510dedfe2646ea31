import { type Selectable, sql } from "kysely";
import type { Scope } from "#accounts/api-key-scopes.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type ApiKeyRow = Selectable<Schema["api_keys"]>;

export async function insertApiKey(
  tx: Database,
  values: { account_id: string; name: string; scope: Scope; token_hash: Buffer; hint: string },
  days: number | null,
): Promise<ApiKeyRow> {
  return tx
    .insertInto("api_keys")
    .values({
      ...values,
      expires_at: days === null ? null : sql<Date>`now() + make_interval(days => ${days})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** All keys of an account, newest first, including expired ones. */
export async function listApiKeys(db: Database, accountId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom("api_keys")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .execute();
}

/** The valid keys of an account, newest first. */
export async function listWorkingKeys(db: Database, accountId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom("api_keys")
    .selectAll()
    .where("account_id", "=", accountId)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", sql<Date>`now()`)]))
    .orderBy("created_at", "desc")
    .execute();
}

/** Revokes every key of an account; returns their names. */
export async function deleteApiKeys(tx: Database, accountId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom("api_keys")
    .where("account_id", "=", accountId)
    .returning("name")
    .execute();
  return rows.map(({ name }) => name);
}

/** Locks the account, so that its keys can be counted, and returns how many there are. */
export async function lockKeysOf(tx: Database, accountId: string): Promise<number> {
  await tx.selectFrom("accounts").select("id").where("id", "=", accountId).forUpdate().execute();
  const { count } = await tx
    .selectFrom("api_keys")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Finds a valid key by its hash; its last use is updated at most once a minute. */
export async function useApiKey(
  db: Database,
  hash: Buffer,
): Promise<{ id: string; account_id: string; name: string; scope: Scope } | undefined> {
  const row = await db
    .selectFrom("api_keys")
    .select(["id", "account_id", "name", "scope"])
    .select(sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as("stale"))
    .where("token_hash", "=", hash)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", sql<Date>`now()`)]))
    .executeTakeFirst();
  if (!row) return undefined;
  const { stale, ...key } = row;
  if (stale) {
    await db
      .updateTable("api_keys")
      .set({ last_used_at: sql<Date>`now()` })
      .where("id", "=", key.id)
      .execute();
  }
  return key;
}

export async function isApiKeyValid(db: Database, id: string, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom("api_keys")
    .select("id")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", sql<Date>`now()`)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the name of the deleted key. */
export async function deleteApiKey(db: Database, accountId: string, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom("api_keys")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .returning("name")
    .executeTakeFirst();
  return row?.name;
}

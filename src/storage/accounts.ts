import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

const columns = [
  "id",
  "email",
  "email_key",
  "firstname",
  "surname",
  "password_hash",
  "plan_id",
  "activated_at",
  "bot_token_sealed",
  "telegram_notifications",
  "email_notifications",
  "combines_alerts",
  "photo_name",
  "created_at",
] as const;

export type Account = Pick<Selectable<Schema["accounts"]>, (typeof columns)[number]>;

/** The key by which email addresses are compared: case-insensitive, in one Unicode form. */
export function emailKey(email: string): string {
  return email.trim().normalize("NFKC").toLowerCase();
}

/** Returns undefined when the address is taken, even in a race. */
export async function insertAccount(
  db: Database,
  values: Omit<Insertable<Schema["accounts"]>, "email_key">,
): Promise<Account | undefined> {
  return db
    .insertInto("accounts")
    .values({ ...values, email_key: emailKey(values.email) })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning(columns)
    .executeTakeFirst();
}

export async function findAccountByEmail(db: Database, email: string): Promise<Account | undefined> {
  return db
    .selectFrom("accounts")
    .select(columns)
    .where("email_key", "=", emailKey(email))
    .executeTakeFirst();
}

export async function findAccount(db: Database, id: string): Promise<Account | undefined> {
  return db.selectFrom("accounts").select(columns).where("id", "=", id).executeTakeFirst();
}

/** Locks the account until the transaction ends, so that decisions based on it still hold when they are written. */
export async function lockAccount(tx: Database, id: string): Promise<Account | undefined> {
  return tx.selectFrom("accounts").select(columns).where("id", "=", id).forUpdate().executeTakeFirst();
}

export async function lockAccountByEmail(tx: Database, email: string): Promise<Account | undefined> {
  return tx
    .selectFrom("accounts")
    .select(columns)
    .where("email_key", "=", emailKey(email))
    .forUpdate()
    .executeTakeFirst();
}

export async function updateAccount(
  db: Database,
  id: string,
  values: Partial<Insertable<Schema["accounts"]>>,
): Promise<void> {
  if (Object.keys(values).length === 0) return;
  await db.updateTable("accounts").set(values).where("id", "=", id).execute();
}

export async function activateAccount(db: Database, id: string): Promise<void> {
  await db
    .updateTable("accounts")
    .set({ activated_at: sql<Date>`coalesce(activated_at, now())` })
    .where("id", "=", id)
    .execute();
}

export async function deleteAccount(db: Database, id: string): Promise<void> {
  await db.deleteFrom("accounts").where("id", "=", id).execute();
}

export async function findPhoto(db: Database, id: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom("accounts").select("photo").where("id", "=", id).executeTakeFirst();
  return row?.photo ?? undefined;
}

export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) !== undefined;
}

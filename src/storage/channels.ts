import { type Selectable, sql } from "kysely";
import { type ChannelId, channels } from "#channels/channel-list.ts";
import type { Database } from "./database.ts";
import type { ChannelKind } from "./delivery-tables.ts";
import type { Schema } from "./schema.ts";

export type ChannelRow = Selectable<Schema["channels"]>;

export async function listChannels(db: Database, accountId: string): Promise<ChannelRow[]> {
  return db.selectFrom("channels").selectAll().where("account_id", "=", accountId).execute();
}

export async function findChannel(
  db: Database,
  accountId: string,
  kind: ChannelKind,
): Promise<ChannelRow | undefined> {
  return db
    .selectFrom("channels")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .executeTakeFirst();
}

/** Sets up a channel from scratch; a failure of the old one is forgotten. */
export async function putChannel(
  db: Database,
  accountId: string,
  kind: ChannelKind,
  values: { chat_id?: number; secret_sealed?: string; label?: string },
): Promise<void> {
  const fresh = { chat_id: null, secret_sealed: null, label: "", ...values, failure: null, gone: false };
  await db
    .insertInto("channels")
    .values({ account_id: accountId, kind, ...fresh })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "kind"]).doUpdateSet({ ...fresh, created_at: sql<Date>`now()` }),
    )
    .execute();
}

/** Replaces the secret of an existing channel; everything else stays. */
export async function keepSecret(
  db: Database,
  accountId: string,
  kind: ChannelKind,
  sealed: string,
): Promise<void> {
  await db
    .updateTable("channels")
    .set({ secret_sealed: sealed })
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .execute();
}

/** Links a chat, which belongs to one account only; returns the other accounts that it was linked to. */
export async function linkChat(
  tx: Database,
  accountId: string,
  chatId: number,
  label: string,
): Promise<string[]> {
  const left = await tx
    .deleteFrom("channels")
    .where("chat_id", "=", chatId)
    .returning("account_id")
    .execute();
  await putChannel(tx, accountId, "telegram", { chat_id: chatId, label });
  return left.map((row) => row.account_id).filter((id) => id !== accountId);
}

export async function removeChannel(db: Database, accountId: string, kind: ChannelId): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("channels")
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function findAccountOfChat(db: Database, chatId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("channels")
    .select("account_id")
    .where("chat_id", "=", chatId)
    .executeTakeFirst();
  return row?.account_id;
}

/** Saves the new id that Telegram gave to a chat. */
export async function moveChat(db: Database, accountId: string, chatId: number): Promise<void> {
  await db
    .updateTable("channels")
    .set({ chat_id: chatId })
    .where("account_id", "=", accountId)
    .where("kind", "=", "telegram")
    .execute();
}

/** Stores why a channel fails; returns whether that is news. A channel that was removed meanwhile isn't restored. */
export async function markFailing(
  tx: Database,
  accountId: string,
  kind: ChannelId,
  failure: { message: string; gone: boolean },
): Promise<boolean> {
  if (!channels[kind].ownAddress) {
    await tx
      .insertInto("channels")
      .values({ account_id: accountId, kind })
      .onConflict((conflict) => conflict.columns(["account_id", "kind"]).doNothing())
      .execute();
  }
  const row = await tx
    .selectFrom("channels")
    .select("failure")
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .forUpdate()
    .executeTakeFirst();
  await tx
    .updateTable("channels")
    .set({ failure: failure.message, ...(failure.gone ? { gone: true } : {}) })
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .execute();
  return row?.failure === null;
}

export async function markWorking(db: Database, accountId: string, kind: ChannelId): Promise<void> {
  await db
    .updateTable("channels")
    .set({ failure: null, gone: false })
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .where("failure", "is not", null)
    .execute();
}

/** Finds the account of a bot token, and locks it so that the token is used once. */
export async function lockAccountByBotToken(tx: Database, hash: Buffer) {
  return tx
    .selectFrom("accounts")
    .select(["id", "email", "firstname", "plan_id"])
    .where("bot_token_hash", "=", hash)
    .where("activated_at", "is not", null)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether a bot update is new; also marks it as seen. */
export async function isNewUpdate(db: Database, updateId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("telegram_updates")
    .values({ update_id: updateId })
    .onConflict((conflict) => conflict.column("update_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

import { type Selectable, sql } from "kysely";
import { type ChannelId, channels } from "#contract/channels.ts";
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

/** Sets a channel up anew: whatever was wrong with the old one is forgotten. */
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

/** Puts another secret into a channel that is set up; all else of it stays. */
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

/** A chat belongs to one account; answers which others it leaves. */
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

/** Telegram gave a chat another number. */
export async function moveChat(db: Database, accountId: string, chatId: number): Promise<void> {
  await db
    .updateTable("channels")
    .set({ chat_id: chatId })
    .where("account_id", "=", accountId)
    .where("kind", "=", "telegram")
    .execute();
}

/** Notes why a channel fails; answers whether that is news. A channel that was removed meanwhile does not come back. */
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

/** The account that a bot token stands for, locked so that the token is used once. */
export async function lockAccountByBotToken(tx: Database, hash: Buffer) {
  return tx
    .selectFrom("accounts")
    .select(["id", "email", "firstname", "plan_id"])
    .where("bot_token_hash", "=", hash)
    .where("activated_at", "is not", null)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether an update of the bot's is new; from now on it is not. */
export async function isNewUpdate(db: Database, updateId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("telegram_updates")
    .values({ update_id: updateId })
    .onConflict((conflict) => conflict.column("update_id").doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

import { type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { ChannelKind, MessageChannel } from "./delivery-tables.ts";
import type { NotificationRow } from "./notifications.ts";
import type { Schema } from "./schema.ts";

export type DeliveryRow = Selectable<Schema["deliveries"]>;
export type DeliveryWithNotification = DeliveryRow & { notification: NotificationRow };

export async function findNotification(db: Database, id: string): Promise<NotificationRow | undefined> {
  return db.selectFrom("notifications").selectAll().where("id", "=", id).executeTakeFirst();
}

type NewDelivery = {
  notification: Pick<NotificationRow, "id" | "account_id" | "execution_id">;
  channel: MessageChannel;
  insteadOf?: ChannelKind | null;
  state?: "waiting" | "held";
};

/** Adds deliveries; one that the event has for the channel already is passed over. Answers the ids of the new ones. */
export async function insertDeliveries(tx: Database, deliveries: NewDelivery[]): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const rows = await tx
    .insertInto("deliveries")
    .values(
      deliveries.map(({ notification, channel, insteadOf, state }) => ({
        account_id: notification.account_id,
        notification_id: notification.id,
        execution_id: notification.execution_id,
        channel,
        state: state ?? "waiting",
        instead_of: insteadOf ?? null,
      })),
    )
    .onConflict((conflict) => conflict.columns(["notification_id", "channel"]).doNothing())
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

const withNotification = (db: Database) =>
  db
    .selectFrom("deliveries")
    .innerJoin("notifications", "notifications.id", "deliveries.notification_id")
    .selectAll("deliveries")
    .select(sql<NotificationRow>`to_jsonb(notifications)`.as("notification"));

export async function findDelivery(db: Database, id: string): Promise<DeliveryWithNotification | undefined> {
  const row = await withNotification(db).where("deliveries.id", "=", id).executeTakeFirst();
  return row && revive(row);
}

/** JSON has no dates. */
function revive(row: DeliveryWithNotification): DeliveryWithNotification {
  const { notification } = row;
  return { ...row, notification: { ...notification, created_at: new Date(notification.created_at) } };
}

/** Counts an attempt before it is made, so that one that dies counts too. */
export async function countAttempt(db: Database, id: string): Promise<void> {
  await db.updateTable("deliveries").set({ attempts: sql`attempts + 1` }).where("id", "=", id).execute();
}

export async function markSent(tx: Database, ids: string[]): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set({ state: "sent", error: null, sent_at: sql<Date>`now()` })
    .where("id", "in", ids)
    .execute();
}

export async function markFailed(tx: Database, ids: string[], error: string): Promise<void> {
  await tx.updateTable("deliveries").set({ state: "failed", error }).where("id", "in", ids).execute();
}

/** Goes back to waiting; `counted` takes the attempt back where it was none. */
export async function markWaiting(
  tx: Database,
  id: string,
  error: string | null,
  counted: boolean,
): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set({
      state: "waiting",
      ...(error ? { error } : {}),
      ...(counted ? {} : { attempts: sql`attempts - 1` }),
    })
    .where("id", "=", id)
    .execute();
}

/** One at a time decides what of an account's is held back for a digest, until the transaction ends. */
export async function lockDigest(tx: Database, accountId: string, channel: MessageChannel): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`digest:${channel}:${accountId}`}, 0))`.execute(
    tx,
  );
}

/** Holds a delivery back; answers whether it is the first, so that its digest is still to be scheduled. */
export async function holdDeliveries(
  tx: Database,
  accountId: string,
  channel: MessageChannel,
  ids: string[],
): Promise<boolean> {
  await lockDigest(tx, accountId, channel);
  const { rows } = await sql<{ others: boolean }>`
    select exists (
      select from deliveries where account_id = ${accountId} and channel = ${channel} and state = 'held'
        and not id = any(${ids}::uuid[])
    ) as others
  `.execute(tx);
  await tx
    .updateTable("deliveries")
    .set({ state: "held" })
    .where("id", "in", ids)
    .where("state", "in", ["waiting", "held"])
    .execute();
  return !rows[0]?.others;
}

export async function listHeld(
  db: Database,
  accountId: string,
  channel: MessageChannel,
  limit: number,
): Promise<DeliveryWithNotification[]> {
  const rows = await withNotification(db)
    .where("deliveries.account_id", "=", accountId)
    .where("deliveries.channel", "=", channel)
    .where("deliveries.state", "=", "held")
    .orderBy("deliveries.id")
    .limit(limit)
    .execute();
  return rows.map(revive);
}

/** How an execution was told, in the order it was. */
export async function listDeliveries(
  db: Database,
  accountId: string,
  executionId: string,
): Promise<DeliveryRow[]> {
  return db
    .selectFrom("deliveries")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("execution_id", "=", executionId)
    .orderBy("id")
    .execute();
}

import { type Selectable, sql } from "kysely";
import type { ChannelId } from "#channels/channel-list.ts";
import type { Database } from "./database.ts";
import type { NotificationRow } from "./notifications.ts";
import type { Schema } from "./schema.ts";

export type DeliveryRow = Selectable<Schema["deliveries"]>;
export type DeliveryWithNotification = DeliveryRow & { notification: NotificationRow };

/** Changes for the daily digest only that don't have a delivery yet, oldest first. */
export async function listDigestOnly(db: Database, accountId: string): Promise<NotificationRow[]> {
  return db
    .selectFrom("notifications")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("kind", "=", "folded")
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("deliveries")
            .select("deliveries.id")
            .whereRef("notification_id", "=", "notifications.id"),
        ),
      ),
    )
    .orderBy("id")
    .limit(2_000)
    .execute();
}

export async function findNotification(db: Database, id: string): Promise<NotificationRow | undefined> {
  return db.selectFrom("notifications").selectAll().where("id", "=", id).executeTakeFirst();
}

type NewDelivery = {
  notification: Pick<NotificationRow, "id" | "account_id" | "execution_id">;
  channel: ChannelId;
  insteadOf: ChannelId | null;
  state: "waiting" | "held";
  /** Until when it is held back; if missing, until the next digest. */
  heldUntil?: Date | null;
};

/** Adds a delivery; undefined when the event has one for the channel already. */
export async function insertDelivery(
  tx: Database,
  { notification, channel, insteadOf, state, heldUntil = null }: NewDelivery,
): Promise<string | undefined> {
  const row = await tx
    .insertInto("deliveries")
    .values({
      account_id: notification.account_id,
      notification_id: notification.id,
      execution_id: notification.execution_id,
      channel,
      state,
      instead_of: insteadOf,
      held_until: heldUntil,
    })
    .onConflict((conflict) => conflict.columns(["notification_id", "channel"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
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

/** Restores a date that is text in JSON. */
function revive(row: DeliveryWithNotification): DeliveryWithNotification {
  const { notification } = row;
  return { ...row, notification: { ...notification, created_at: new Date(notification.created_at) } };
}

/** Counts an attempt before it is made, so that one that crashes counts too. */
export async function countAttempt(db: Database, id: string): Promise<void> {
  await db.updateTable("deliveries").set({ attempts: sql`attempts + 1` }).where("id", "=", id).execute();
}

/** For an attempt that turned out not to be made. */
export async function uncountAttempt(db: Database, id: string): Promise<void> {
  await db.updateTable("deliveries").set({ attempts: sql`attempts - 1` }).where("id", "=", id).execute();
}

export async function markSent(tx: Database, ids: string[]): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set({ state: "sent", error: null, sent_at: sql<Date>`now()` })
    .where("id", "in", ids)
    .execute();
}

export async function saveMessageRef(tx: Database, id: string, ref: string): Promise<void> {
  await tx.updateTable("deliveries").set({ message_ref: ref }).where("id", "=", id).execute();
}

export async function markFailed(tx: Database, ids: string[], error: string): Promise<void> {
  await tx.updateTable("deliveries").set({ state: "failed", error }).where("id", "in", ids).execute();
}

/** Sets a delivery back to waiting; unless `counted`, the attempt is subtracted again. */
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

/** Until the transaction ends, nobody else decides what is held back for the account's digest on this channel. */
export async function lockDigest(tx: Database, accountId: string, channel: ChannelId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`digest:${channel}:${accountId}`}, 0))`.execute(
    tx,
  );
}

/** Whether others are held back until the same time: their digest is scheduled already and includes this one. */
export async function hasOtherHeld(
  tx: Database,
  accountId: string,
  channel: ChannelId,
  id: string,
  heldUntil: Date | null,
): Promise<boolean> {
  const row = await tx
    .selectFrom("deliveries")
    .select("id")
    .where("account_id", "=", accountId)
    .where("channel", "=", channel)
    .where("state", "=", "held")
    .where("id", "!=", id)
    .where("held_until", heldUntil ? "=" : "is", heldUntil)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Held deliveries that may be sent now. */
export async function listHeld(
  db: Database,
  accountId: string,
  channel: ChannelId,
  limit: number,
): Promise<DeliveryWithNotification[]> {
  const rows = await withNotification(db)
    .where("deliveries.account_id", "=", accountId)
    .where("deliveries.channel", "=", channel)
    .where("deliveries.state", "=", "held")
    .where(sql<boolean>`coalesce(deliveries.held_until <= now(), true)`)
    .orderBy("deliveries.id")
    .limit(limit)
    .execute();
  return rows.map(revive);
}

/** The deliveries of an execution, oldest first. */
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

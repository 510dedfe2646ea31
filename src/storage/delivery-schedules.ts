import type { ChannelId } from "#channels/channel-list.ts";
import type { Pace } from "#contract/delivery-schedule.ts";
import type { Database } from "./database.ts";

export async function listPaces(db: Database, accountId: string): Promise<Partial<Record<ChannelId, Pace>>> {
  const rows = await db
    .selectFrom("channel_paces")
    .select(["channel", "pace"])
    .where("account_id", "=", accountId)
    .execute();
  return Object.fromEntries(rows.map(({ channel, pace }) => [channel, pace]));
}

export async function findPace(db: Database, accountId: string, channel: ChannelId): Promise<Pace | null> {
  const row = await db
    .selectFrom("channel_paces")
    .select("pace")
    .where("account_id", "=", accountId)
    .where("channel", "=", channel)
    .executeTakeFirst();
  return row?.pace ?? null;
}

export async function putPace(
  db: Database,
  accountId: string,
  channel: ChannelId,
  pace: Pace,
): Promise<void> {
  const json = JSON.stringify(pace);
  await db
    .insertInto("channel_paces")
    .values({ account_id: accountId, channel, pace: json })
    .onConflict((conflict) => conflict.columns(["account_id", "channel"]).doUpdateSet({ pace: json }))
    .execute();
}

import type { ChannelId } from "#channels/channel-list.ts";
import type { Template } from "#contract/template.ts";
import type { Database } from "./database.ts";

export async function listTemplates(
  db: Database,
  accountId: string,
): Promise<Partial<Record<ChannelId, Template>>> {
  const rows = await db
    .selectFrom("channel_templates")
    .select(["channel", "title", "body"])
    .where("account_id", "=", accountId)
    .execute();
  return Object.fromEntries(rows.map(({ channel, title, body }) => [channel, { title, text: body }]));
}

export async function findTemplate(
  db: Database,
  accountId: string,
  channel: ChannelId,
): Promise<Template | null> {
  return (await listTemplates(db, accountId))[channel] ?? null;
}

/** Null restores the default message. */
export async function putTemplate(
  db: Database,
  accountId: string,
  channel: ChannelId,
  template: Template | null,
): Promise<void> {
  if (!template) {
    await db
      .deleteFrom("channel_templates")
      .where("account_id", "=", accountId)
      .where("channel", "=", channel)
      .execute();
    return;
  }
  const text = { title: template.title, body: template.text };
  await db
    .insertInto("channel_templates")
    .values({ account_id: accountId, channel, ...text })
    .onConflict((conflict) => conflict.columns(["account_id", "channel"]).doUpdateSet(text))
    .execute();
}

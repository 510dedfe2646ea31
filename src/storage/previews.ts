import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type PreviewRow = Selectable<Schema["previews"]>;

export async function insertPreview(db: Database, values: Insertable<Schema["previews"]>): Promise<void> {
  await db.insertInto("previews").values(values).execute();
}

export async function countQueuedPreviews(db: Database, accountId: string): Promise<number> {
  const { queued } = await db
    .selectFrom("previews")
    .select((eb) => eb.fn.countAll<string>().as("queued"))
    .where("account_id", "=", accountId)
    .where("state", "=", "queued")
    .executeTakeFirstOrThrow();
  return Number(queued);
}

export async function findPreview(
  db: Database,
  accountId: string,
  id: string,
): Promise<PreviewRow | undefined> {
  return db
    .selectFrom("previews")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** For the worker, which has the id from the queue; includes how long the host has to be left alone. */
export async function findPreviewToTake(
  db: Database,
  id: string,
): Promise<(PreviewRow & { pauseSeconds: number }) | undefined> {
  const pause = sql<number>`coalesce((
    select ceil(extract(epoch from max(until) - now())) from (
      select until from host_pauses where host = previews.host
      union all
      select until from account_pauses where account_id = previews.account_id and host = previews.host
    ) as pauses where until > now()), 0)::integer`;
  return db
    .selectFrom("previews")
    .selectAll()
    .select(pause.as("pauseSeconds"))
    .where("id", "=", id)
    .where("state", "=", "queued")
    .executeTakeFirst();
}

/** Stores a preview's result: where its capture is stored, or why there is none. */
export async function finishPreview(
  db: Database,
  id: string,
  result: ({ content: Buffer } | { error: string }) & { steps?: Buffer | null; proofs?: string },
): Promise<void> {
  const state = "content" in result ? "ready" : "failed";
  await db
    .updateTable("previews")
    .set({ ...result, state })
    .where("id", "=", id)
    .where("state", "=", "queued")
    .execute();
}

import { type Insertable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { ExecutionRow } from "./executions.ts";
import type { Schema } from "./schema.ts";

export async function insertShare(
  db: Database,
  values: Omit<Insertable<Schema["shares"]>, "expires_at">,
  days: number,
): Promise<{ id: string; expires_at: Date }> {
  await sql`delete from shares where expires_at < now()`.execute(db);
  return db
    .insertInto("shares")
    .values({ ...values, expires_at: sql<Date>`now() + make_interval(days => ${days})` })
    .returning(["id", "expires_at"])
    .executeTakeFirstOrThrow();
}

export async function countShares(db: Database, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("shares")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("account_id", "=", accountId)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The link of that token if it still holds, whoever asks, with the address it shows. */
export async function findShare(db: Database, tokenHash: Buffer) {
  return db
    .selectFrom("shares")
    .innerJoin("jobs", "jobs.id", "shares.job_id")
    .selectAll("shares")
    .select("jobs.url")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

/** The captures of a link; one that is no longer kept is missing. */
export async function listSharedExecutions(
  db: Database,
  jobId: string,
  ids: string[],
): Promise<ExecutionRow[]> {
  return db.selectFrom("executions").selectAll().where("job_id", "=", jobId).where("id", "in", ids).execute();
}

export async function listShares(db: Database, accountId: string) {
  return db
    .selectFrom("shares")
    .innerJoin("jobs", "jobs.id", "shares.job_id")
    .innerJoin("executions as after", "after.id", "shares.after_id")
    .leftJoin("executions as before", "before.id", "shares.before_id")
    .select([
      "shares.id",
      "shares.job_id",
      "jobs.name",
      "shares.after_id",
      "after.number as after_number",
      "before.number as before_number",
      "shares.created_at",
      "shares.expires_at",
    ])
    .where("shares.account_id", "=", accountId)
    .where("shares.expires_at", ">", sql<Date>`now()`)
    .orderBy("shares.id", "desc")
    .execute();
}

/** Ends a link of an account, by its id or by its token's hash; answers whether there was one. */
export async function deleteShare(
  db: Database,
  accountId: string,
  by: { id: string } | { tokenHash: Buffer },
): Promise<boolean> {
  const query = db.deleteFrom("shares").where("account_id", "=", accountId);
  const { numDeletedRows } = await ("id" in by
    ? query.where("id", "=", by.id)
    : query.where("token_hash", "=", by.tokenHash)
  ).executeTakeFirst();
  return numDeletedRows > 0n;
}

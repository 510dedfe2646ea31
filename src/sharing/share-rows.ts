import { type Insertable, sql } from "kysely";
import type { Database } from "#storage/database.ts";
import type { ExecutionRow } from "#storage/executions.ts";
import type { Schema } from "#storage/schema.ts";
import { isShareable } from "#storage/shareable.ts";

export async function deleteExpiredShares(db: Database): Promise<void> {
  await sql`delete from shares where expires_at < now()`.execute(db);
}

export async function insertShare(
  db: Database,
  values: Omit<Insertable<Schema["shares"]>, "expires_at">,
  days: number,
): Promise<{ id: string; expires_at: Date }> {
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

/** Finds an unexpired link by its token, whoever asks, with the URL that it shows. */
export async function findShare(db: Database, tokenHash: Buffer) {
  return (
    db
      .selectFrom("shares")
      .innerJoin("jobs", "jobs.id", "shares.job_id")
      .selectAll("shares")
      .select("jobs.url")
      .where("token_hash", "=", tokenHash)
      .where("expires_at", ">", sql<Date>`now()`)
      // While a deletion can be undone, the job is gone for everyone but its owner.
      .where("jobs.delete_at", "is", null)
      .where(isShareable)
      .executeTakeFirst()
  );
}

export async function isJobShareable(db: Database, accountId: string, jobId: string): Promise<boolean> {
  const found = await db
    .selectFrom("jobs")
    .select("id")
    .where("account_id", "=", accountId)
    .where("id", "=", jobId)
    .where(isShareable)
    .executeTakeFirst();
  return found !== undefined;
}

/** The executions of a link; deleted ones are missing. */
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

/** Deletes a link of an account by its id or its token's hash; returns whether there was one. */
export async function deleteShare(
  db: Database,
  accountId: string,
  link: { id: string } | { tokenHash: Buffer },
): Promise<boolean> {
  const query = db.deleteFrom("shares").where("account_id", "=", accountId);
  const { numDeletedRows } = await ("id" in link
    ? query.where("id", "=", link.id)
    : query.where("token_hash", "=", link.tokenHash)
  ).executeTakeFirst();
  return numDeletedRows > 0n;
}

import { type Insertable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

const kept = 20;

/** Keeps the account's newest reports only. */
export async function insertReport(db: Database, values: Insertable<Schema["reports"]>): Promise<string> {
  const { id } = await db.insertInto("reports").values(values).returning("id").executeTakeFirstOrThrow();
  await sql`
    delete from reports where account_id = ${values.account_id} and id not in (
      select id from reports where account_id = ${values.account_id} order by id desc limit ${kept}
    )
  `.execute(db);
  return id;
}

export async function listReports(db: Database, accountId: string) {
  return db
    .selectFrom("reports")
    .select(["id", "title", "from_at", "to_at", "state", "created_at"])
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .execute();
}

export async function countQueuedReports(db: Database, accountId: string): Promise<number> {
  const { queued } = await db
    .selectFrom("reports")
    .select((eb) => eb.fn.countAll<number>().as("queued"))
    .where("account_id", "=", accountId)
    .where("state", "=", "queued")
    .executeTakeFirstOrThrow();
  return queued;
}

export async function findReport(db: Database, accountId: string, id: string) {
  return db
    .selectFrom("reports")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** For the worker, which was given the id by the queue. */
export async function findReportToBuild(db: Database, id: string) {
  return db
    .selectFrom("reports")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "queued")
    .executeTakeFirst();
}

export async function finishReport(db: Database, id: string, pdf: Buffer | null): Promise<void> {
  await db
    .updateTable("reports")
    .set({ pdf, state: pdf ? "ready" : "failed" })
    .where("id", "=", id)
    .execute();
}

/** What the checks of a job came to in that time. */
export async function countExecutions(db: Database, jobId: string, from: Date, to: Date) {
  return db
    .selectFrom("executions")
    .select((eb) => [
      eb.fn.countAll<number>().as("checks"),
      sql<number>`count(*) filter (where changed)`.as("changes"),
      sql<number>`count(*) filter (where failure is not null)`.as("failures"),
    ])
    .where("job_id", "=", jobId)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .executeTakeFirstOrThrow();
}

/** A job's newest changes of that time. */
export async function listChangesBetween(db: Database, jobId: string, from: Date, to: Date, limit: number) {
  return db
    .selectFrom("executions")
    .select(["id", "created_at"])
    .where("job_id", "=", jobId)
    .where(sql<boolean>`changed`)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

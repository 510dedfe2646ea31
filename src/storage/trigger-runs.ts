import { type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type TriggerRunRow = Selectable<Schema["trigger_runs"]>;

/** Adds a run; undefined when the event has one already. */
export async function insertTriggerRun(
  tx: Database,
  run: { account_id: string; job_id: string; execution_id: string; notification_id: string | null },
): Promise<string | undefined> {
  const row = await tx
    .insertInto("trigger_runs")
    .values(run)
    .onConflict((conflict) => conflict.column("notification_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

export async function findTriggerRun(db: Database, id: string): Promise<TriggerRunRow | undefined> {
  return db.selectFrom("trigger_runs").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Counts an attempt before it is made and returns its number. */
export async function countTriggerAttempt(db: Database, id: string): Promise<number> {
  const row = await db
    .updateTable("trigger_runs")
    .set({ attempts: sql`attempts + 1` })
    .where("id", "=", id)
    .returning("attempts")
    .executeTakeFirst();
  return row?.attempts ?? 0;
}

export async function updateTriggerRun(
  tx: Database,
  id: string,
  values: Updateable<Schema["trigger_runs"]>,
): Promise<void> {
  await tx.updateTable("trigger_runs").set(values).where("id", "=", id).execute();
}

export async function listTriggerRuns(
  db: Database,
  accountId: string,
  executionId: string,
): Promise<TriggerRunRow[]> {
  return db
    .selectFrom("trigger_runs")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("execution_id", "=", executionId)
    .orderBy("id", "desc")
    .limit(50)
    .execute();
}

/** An account's newest runs, over all its jobs. */
export async function listRecentRuns(db: Database, accountId: string, limit: number) {
  return db
    .selectFrom("trigger_runs")
    .innerJoin("jobs", "jobs.id", "trigger_runs.job_id")
    .selectAll("trigger_runs")
    .select(["jobs.name as job_name", sql<boolean>`jobs.trigger_sealed is not null`.as("has_trigger")])
    .where("trigger_runs.account_id", "=", accountId)
    .orderBy("trigger_runs.id", "desc")
    .limit(limit)
    .execute();
}

/** Whether the job's previous run failed too; then another failure is no news. */
export async function hasPreviousRunFailed(db: Database, jobId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("trigger_runs")
    .select("state")
    .where("job_id", "=", jobId)
    .where("id", "<", id)
    .where("state", "!=", "waiting")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.state === "failed";
}

/** How many of an account's other jobs with a trigger are older than this one. */
export async function countOlderTriggers(db: Database, accountId: string, jobId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from jobs other, jobs mine
    where mine.id = ${jobId} and other.account_id = ${accountId} and other.id <> mine.id
      and other.trigger_sealed is not null and other.status <> 'INACTIVE'
      and (other.created_at, other.id) < (mine.created_at, mine.id)
  `.execute(db);
  return rows[0]?.count ?? 0;
}

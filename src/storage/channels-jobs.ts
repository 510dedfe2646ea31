import type { Database } from "./database.ts";

/** An account's jobs as a chat lists them. */
export async function listJobsOf(db: Database, accountId: string) {
  return db
    .selectFrom("jobs")
    .select(["name", "status", "last_failed", "changes"])
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .execute();
}

export async function findJobOfExecution(
  db: Database,
  accountId: string,
  executionId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("executions")
    .innerJoin("jobs", "jobs.id", "executions.job_id")
    .select("executions.job_id")
    .where("jobs.account_id", "=", accountId)
    .where("executions.id", "=", executionId)
    .executeTakeFirst();
  return row?.job_id;
}

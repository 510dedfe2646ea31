import { sql } from "kysely";
import type { Database } from "./database.ts";

export async function listStatistics(db: Database, accountId: string) {
  return db
    .selectFrom("jobs")
    .select(["name as job_name", "logs", "executions", "errors"])
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export type Totals = {
  groups: number;
  jobs: number;
  executions: number;
  failed: number;
  most: { job_name: string; executions: number } | null;
  last: string | null;
  stored_bytes: number;
};

/** Sums the counters that each check updates: a few hundred rows at most, however long the history. */
export async function readTotals(db: Database, accountId: string): Promise<Totals> {
  const { rows } = await sql<Totals>`
    with own as materialized (
      select name, executions, last_failed, created_at, id from jobs where account_id = ${accountId}
    )
    select
      (select count(*) from groups where account_id = ${accountId}) as groups,
      (select count(*) from own) as jobs,
      (select coalesce(sum(executions), 0)::bigint from own) as executions,
      (select count(*) from own where last_failed) as failed,
      (select jsonb_build_object('job_name', name, 'executions', executions) from own
        where executions > 0 order by executions desc, created_at limit 1) as most,
      (select name from own order by created_at desc, id desc limit 1) as last,
      coalesce((select stored_bytes from account_usage where account_id = ${accountId}), 0) as stored_bytes
  `.execute(db);
  return rows[0] as Totals;
}

/** Selects the account's jobs first; otherwise the index of due jobs would be walked through everyone's jobs. */
export async function listNextChecks(db: Database, accountId: string, limit: number) {
  return db
    .with(
      (cte) => cte("own").materialized(),
      (qb) =>
        qb
          .selectFrom("jobs")
          .innerJoin("schedules", "schedules.job_id", "jobs.id")
          .select(["jobs.id", "jobs.name", "jobs.group_id", "schedules.next_run_at"])
          .where("jobs.account_id", "=", accountId)
          .where("schedules.active", "=", true),
    )
    .selectFrom("own")
    .selectAll()
    .orderBy("next_run_at")
    .limit(limit)
    .execute();
}

export async function listFailing(db: Database, accountId: string, limit: number) {
  return db
    .selectFrom("jobs")
    .leftJoin("executions", "executions.id", "jobs.last_execution_id")
    .select(["jobs.id", "jobs.name", "jobs.group_id", "jobs.failures", "executions.error"])
    .where("jobs.account_id", "=", accountId)
    .where("jobs.last_failed", "=", true)
    .orderBy("jobs.failures", "desc")
    .limit(limit)
    .execute();
}

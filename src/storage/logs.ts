import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { LogLevel } from "./job-tables.ts";

export type LogLine = { level: LogLevel; meta: string };

/** Adds lines to a job's log, and to the job's count of them. */
export async function insertLogs(
  db: Database,
  jobId: string,
  lines: LogLine[],
  executionId: string | null = null,
): Promise<void> {
  await insertLogsOf(db, [{ jobId, executionId, lines }]);
}

/** Adds lines to the logs of several jobs. */
export async function insertLogsOf(
  db: Database,
  logs: { jobId: string; executionId: string | null; lines: LogLine[] }[],
): Promise<void> {
  const all = logs.flatMap(({ lines, ...ids }) => lines.map((line) => ({ ...ids, ...line })));
  if (all.length === 0) return;
  await sql`
    with line as materialized (
      select (value ->> 'jobId')::uuid as job_id, (value ->> 'executionId')::uuid as execution_id,
        value ->> 'level' as level, value ->> 'meta' as meta, position
      from jsonb_array_elements(${JSON.stringify(all)}::jsonb) with ordinality as line (value, position)
    ), counted as (
      update jobs set logs = logs + added.count
      from (select job_id, count(*)::integer as count from line group by job_id) as added
      where jobs.id = added.job_id and jobs.id = any(${[...new Set(all.map(({ jobId }) => jobId))]}::uuid[])
    )
    insert into job_logs (job_id, execution_id, level, meta)
    select job_id, execution_id, level, meta from line order by position
  `.execute(db);
}

export async function listLogs(db: Database, jobId: string, limit: number, before?: number) {
  let query = db
    .selectFrom("job_logs")
    .select(["id", "level", "meta", "created_at", "execution_id"])
    .where("job_id", "=", jobId);
  if (before) query = query.where("id", "<", before);
  return query.orderBy("id", "desc").limit(limit).execute();
}

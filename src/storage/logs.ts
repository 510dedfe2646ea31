import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { LogLevel } from "./job-tables.ts";

export type LogLine = { level: LogLevel; meta: string };

/** Adds lines to a job's log; the job's count of them goes along. */
export async function insertLogs(
  db: Database,
  jobId: string,
  lines: LogLine[],
  executionId: string | null = null,
): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    with counted as (update jobs set logs = logs + ${lines.length} where id = ${jobId})
    insert into job_logs (job_id, execution_id, level, meta)
    select ${jobId}, ${executionId}, line.value ->> 'level', line.value ->> 'meta'
    from jsonb_array_elements(${JSON.stringify(lines)}::jsonb) with ordinality as line (value, position) order by position
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

import { sql } from "kysely";
import type { Database } from "./database.ts";
import { isShareable } from "./shareable.ts";

/** One search covers at most this many changes, newest first. */
const maxSearched = 2_000;

export type ChangeFilter = {
  limit: number;
  q?: string;
  jobId?: string;
  groupId?: string;
  from?: Date;
  to?: Date;
  cursor?: string;
  /** Whether to leave out the changes that a condition held back. */
  onlyAlerted?: boolean;
  /** Whether to leave out jobs whose captures may not be shared. */
  onlyShareable?: boolean;
};

/** Changes of an account, newest first, each with its verdict. */
export async function listChangesWithVerdicts(db: Database, accountId: string, filter: ChangeFilter) {
  const { limit, q, jobId, groupId, from, to, cursor, onlyAlerted, onlyShareable } = filter;
  let query = db
    .selectFrom("executions")
    .innerJoin("jobs", "jobs.id", "executions.job_id")
    .innerJoin("groups", "groups.id", "jobs.group_id")
    .leftJoin("verdicts", "verdicts.execution_id", "executions.id")
    .select([
      "executions.id",
      "executions.job_id",
      "executions.created_at",
      "executions.severity",
      "executions.summary",
      "executions.folded",
      "executions.untold",
      "jobs.name as job_name",
      "jobs.url",
      "jobs.group_id",
      "groups.name as group_name",
      "verdicts.verdict",
    ])
    .where("executions.account_id", "=", accountId)
    .where("jobs.account_id", "=", accountId)
    .where(sql<boolean>`executions.changed`);
  if (jobId) query = query.where("executions.job_id", "=", jobId);
  if (groupId) query = query.where("jobs.group_id", "=", groupId);
  if (from) query = query.where("executions.created_at", ">=", from);
  if (to) query = query.where("executions.created_at", "<", to);
  if (onlyAlerted) query = query.where("executions.untold", "is", null);
  if (onlyShareable) query = query.where(isShareable);
  if (cursor) query = query.where("executions.id", "<", cursor);
  if (!q) return query.orderBy("executions.id", "desc").limit(limit).execute();
  const like = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  return db
    .selectFrom(query.orderBy("executions.id", "desc").limit(maxSearched).as("found"))
    .selectAll()
    .where((eb) =>
      eb.or([
        eb("job_name", "ilike", like),
        eb("url", "ilike", like),
        eb("summary", "ilike", like),
        // Only what was alerted: what was ignored as noise is in the verdict, too.
        eb(sql<string>`verdict ->> 'reasons'`, "ilike", like),
        eb(sql<string>`verdict ->> 'findings'`, "ilike", like),
      ]),
    )
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
export type ChangeRow = Awaited<ReturnType<typeof listChangesWithVerdicts>>[number];

/** A job's newest execution and, if asked for, its newest change with its verdict. */
export type LastExecutions = {
  job_id: string;
  last_at: Date | null;
  last_error: string | null;
  change_id: string | null;
  change_at: Date | null;
  severity: string | null;
  summary: string | null;
  verdict: unknown;
};

export async function listLastExecutions(
  db: Database,
  accountId: string,
  jobIds: string[],
  withChanges: boolean,
): Promise<Map<string, LastExecutions>> {
  const { rows } = await sql<LastExecutions>`
    select jobs.id as job_id, newest.created_at as last_at, newest.error as last_error,
      change.id as change_id, change.created_at as change_at, change.severity, change.summary, verdicts.verdict
    from jobs
    left join executions as newest on newest.id = jobs.last_execution_id
    left join lateral (
      select id, created_at, severity, summary from executions
      where ${withChanges} and job_id = jobs.id and changed order by id desc limit 1
    ) as change on true
    left join verdicts on verdicts.execution_id = change.id
    where jobs.account_id = ${accountId} and jobs.id = any(${jobIds}::uuid[])
  `.execute(db);
  return new Map(rows.map((row) => [row.job_id, row]));
}

import { sql } from "kysely";
import type { Database } from "./database.ts";

/** What one search looks through at most, newest first. */
const searched = 2_000;

export type ChangeFilter = {
  limit: number;
  q?: string;
  jobId?: string;
  groupId?: string;
  from?: Date;
  to?: Date;
  cursor?: string;
};

/** Changes of an account, newest first, each with its verdict. */
export async function listChangesWith(db: Database, accountId: string, filter: ChangeFilter) {
  const { limit, q, jobId, groupId, from, to, cursor } = filter;
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
  if (cursor) query = query.where("executions.id", "<", cursor);
  if (!q) return query.orderBy("executions.id", "desc").limit(limit).execute();
  const like = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  return db
    .selectFrom(query.orderBy("executions.id", "desc").limit(searched).as("found"))
    .selectAll()
    .where((eb) =>
      eb.or([
        eb("job_name", "ilike", like),
        eb("url", "ilike", like),
        eb("summary", "ilike", like),
        // Only what was told: what was taken for noise is in the verdict too.
        eb(sql<string>`verdict ->> 'reasons'`, "ilike", like),
        eb(sql<string>`verdict ->> 'findings'`, "ilike", like),
      ]),
    )
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
export type ChangeRow = Awaited<ReturnType<typeof listChangesWith>>[number];

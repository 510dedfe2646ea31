import { type Selectable, sql } from "kysely";
import type { PassedOver } from "#contract/delivery.ts";
import type { Execution } from "#contract/job.ts";
import { addStoredBytes } from "./contents.ts";
import type { Database } from "./database.ts";
import type { ImportedFrom, LogLevel } from "./job-tables.ts";
import type { Schema } from "./schema.ts";

export type ExecutionRow = Selectable<Schema["executions"]>;

/** The stored parts of an execution's capture, as hashes of `contents`. */
export type Kept = { html: Buffer; body: Buffer; facts: Buffer; picture: Buffer | null };

/** The stored parts of an execution's capture; null when there are none. */
export function storedPartsOf({
  html,
  body,
  facts,
  picture,
}: Record<keyof Kept, Buffer | null>): Kept | null {
  return html && body && facts ? { html, body, facts, picture } : null;
}

export function hashesOf({ html, body, facts, picture }: Kept): Buffer[] {
  return [html, body, facts, ...(picture ? [picture] : [])];
}

export type NewExecution = Pick<
  ExecutionRow,
  | "job_id"
  | "account_id"
  | "status_code"
  | "changed"
  | "folded"
  | "failure"
  | "error"
  | "similarity"
  | "severity"
  | "summary"
  | "truncated"
  | "via"
  | "duration_ms"
  | "stages"
  | "attempts"
  | "baseline_id"
> &
  Partial<Pick<ExecutionRow, "untold" | "followed">> & { kept: Kept | null };

const hex = (hash: Buffer | null | undefined) => hash?.toString("hex") ?? null;

/** Adds executions in a single statement; `finishChecks` gives them their ids and numbers. */
export async function insertExecutions(
  db: Database,
  entries: (NewExecution & { id: string; number: number })[],
): Promise<void> {
  const list = entries.map(({ kept, ...entry }) => ({
    ...entry,
    html: hex(kept?.html),
    body: hex(kept?.body),
    facts: hex(kept?.facts),
    picture: hex(kept?.picture),
  }));
  await sql`
    insert into executions (id, job_id, account_id, number, status_code, changed, folded, untold, followed, failure, error, similarity, severity,
      summary, truncated, via, duration_ms, stages, attempts, baseline_id, html, body, facts, picture)
    select id, job_id, account_id, number, status_code, changed, folded, untold, followed, failure, error, similarity, severity,
      summary, truncated, via, duration_ms, stages, attempts, baseline_id,
      decode(html, 'hex'), decode(body, 'hex'), decode(facts, 'hex'), decode(picture, 'hex')
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as entry (
      id uuid, job_id uuid, account_id uuid, number integer, status_code smallint, changed boolean, folded boolean, untold text,
      followed jsonb, failure text, error text, similarity real, severity text, summary text, truncated boolean, via text,
      duration_ms integer, stages jsonb, attempts smallint, baseline_id uuid, html text, body text, facts text, picture text)
  `.execute(db);
}

type Restored = {
  id: string;
  record: Pick<
    Execution,
    | "index"
    | "createdAt"
    | "status_code"
    | "changed"
    | "folded"
    | "untold"
    | "error"
    | "similarity"
    | "severity"
    | "summary"
    | "truncated"
    | "durationMs"
    | "attempts"
  > & {
    failure?: string | null;
    via?: string | null;
    stages?: object | null;
    followed?: object | null;
    verdict: object | null;
    log: { at: string; level: LogLevel; meta: string }[];
  };
  baseline: string | null;
  kept: Kept | null;
  imported: ImportedFrom;
};

/** Restores past executions from an archive. */
export async function restoreExecutions(
  tx: Database,
  { jobId, accountId }: { jobId: string; accountId: string },
  executions: Restored[],
): Promise<void> {
  if (executions.length === 0) return;
  const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);
  await tx
    .insertInto("executions")
    .values(
      executions.map(({ id, record, baseline, kept, imported }) => ({
        id,
        job_id: jobId,
        account_id: accountId,
        number: record.index,
        created_at: new Date(record.createdAt),
        status_code: record.status_code,
        changed: record.changed,
        folded: record.folded,
        untold: record.untold,
        followed: json(record.followed),
        failure: record.failure ?? (record.error === null ? null : "protocol"),
        error: record.error,
        similarity: record.similarity,
        severity: record.severity,
        summary: record.summary,
        truncated: record.truncated,
        via: record.via ?? null,
        duration_ms: record.durationMs,
        stages: json(record.stages),
        attempts: record.attempts,
        baseline_id: baseline,
        html: kept?.html ?? null,
        body: kept?.body ?? null,
        facts: kept?.facts ?? null,
        picture: kept?.picture ?? null,
        imported: JSON.stringify(imported),
      })),
    )
    .execute();
  await insertVerdicts(
    tx,
    accountId,
    executions.flatMap(({ id, record: { verdict } }) => (verdict ? [{ id, verdict }] : [])),
  );
  const lines = executions.flatMap(({ id, record }) =>
    record.log.map(({ at, level, meta }) => ({
      job_id: jobId,
      execution_id: id,
      level,
      meta,
      created_at: new Date(at),
    })),
  );
  for (let from = 0; from < lines.length; from += 1000)
    await tx
      .insertInto("job_logs")
      .values(lines.slice(from, from + 1000))
      .execute();
}

/** Sets a job's counters after its past executions were restored. */
export async function restoreJobCounters(
  tx: Database,
  jobId: string,
  { baseline, createdAt }: { baseline: string | null; createdAt: string | null },
): Promise<void> {
  await sql`
    update jobs set executions = past.last, changes = past.changes, errors = past.errors,
      logs = (select count(*) from job_logs where job_id = jobs.id), last_execution_id = past.newest,
      last_failed = coalesce(past.failed, false), baseline_id = ${baseline},
      created_at = least(jobs.created_at, coalesce(${createdAt}::timestamptz, jobs.created_at))
    from (
      select coalesce(max(number), 0) as last, count(*) filter (where changed) as changes,
        count(*) filter (where failure is not null) as errors,
        (array_agg(id order by id desc))[1] as newest, (array_agg(failure is not null order by id desc))[1] as failed
      from executions where job_id = ${jobId}
    ) as past where jobs.id = ${jobId}
  `.execute(tx);
}

/** Stores verdicts; their size counts toward the account's storage until their executions are deleted. */
export async function insertVerdicts(
  db: Database,
  accountId: string,
  verdicts: { id: string; verdict: object }[],
): Promise<void> {
  if (verdicts.length === 0) return;
  const rows = verdicts.map(({ id, verdict }) => {
    const json = JSON.stringify(verdict);
    return { execution_id: id, verdict: json, bytes: json.length };
  });
  await db.insertInto("verdicts").values(rows).execute();
  await addStoredBytes(
    db,
    accountId,
    rows.reduce((sum, { bytes }) => sum + bytes, 0),
  );
}

/** Stores why some channels don't send a change; reasons that are stored already stay. */
export async function saveSkippedChannels(db: Database, id: string, channels: PassedOver[]): Promise<void> {
  await db
    .updateTable("executions")
    .set({ passed_over: JSON.stringify(channels) })
    .where("id", "=", id)
    .where("passed_over", "is", null)
    .execute();
}

export async function findVerdict(db: Database, executionId: string): Promise<unknown> {
  const row = await db
    .selectFrom("verdicts")
    .select("verdict")
    .where("execution_id", "=", executionId)
    .executeTakeFirst();
  return row?.verdict ?? null;
}

/** The caller has already checked that the job belongs to the account; the query checks both again anyway. */
export async function findExecution(
  db: Database,
  accountId: string,
  jobId: string,
  id: string,
): Promise<ExecutionRow | undefined> {
  return db
    .selectFrom("executions")
    .innerJoin("jobs", "jobs.id", "executions.job_id")
    .selectAll("executions")
    .where("jobs.account_id", "=", accountId)
    .where("executions.job_id", "=", jobId)
    .where("executions.id", "=", id)
    .executeTakeFirst();
}

/** The ids of the executions just before and just after one. */
export async function findNeighbors(db: Database, jobId: string, id: string) {
  const findNeighbor = (sign: "<" | ">") =>
    db
      .selectFrom("executions")
      .select("id")
      .where("job_id", "=", jobId)
      .where("id", sign, id)
      .orderBy("id", sign === "<" ? "desc" : "asc")
      .limit(1)
      .executeTakeFirst();
  const [previous, next] = await Promise.all([findNeighbor("<"), findNeighbor(">")]);
  return { previousId: previous?.id ?? null, nextId: next?.id ?? null };
}

/** A job's history before `cursor`, newest first. */
export async function listExecutions(
  db: Database,
  jobId: string,
  limit: number,
  cursor?: string,
  changesOnly = false,
): Promise<ExecutionRow[]> {
  let query = db.selectFrom("executions").selectAll().where("job_id", "=", jobId);
  if (cursor) query = query.where("id", "<", cursor);
  if (changesOnly) query = query.where("changed", "=", true);
  return query.orderBy("id", "desc").limit(limit).execute();
}

/** The followed values that a job's newest executions read, oldest first. */
export async function listFollowed(db: Database, jobId: string, limit: number) {
  const rows = await db
    .selectFrom("executions")
    .select(["id", "created_at", "changed", "followed"])
    .where("job_id", "=", jobId)
    .where("followed", "is not", null)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** Counts a job's stored executions; the job's own counter includes deleted ones. */
export async function countExecutions(db: Database, jobId: string): Promise<number> {
  const { count } = await db
    .selectFrom("executions")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("job_id", "=", jobId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The newest executions of several jobs, at most `each` per job. */
export async function listNewest(db: Database, jobIds: string[], each: number): Promise<ExecutionRow[]> {
  if (jobIds.length === 0) return [];
  const { rows } = await sql<ExecutionRow>`
    select executions.* from unnest(${jobIds}::uuid[]) as job (id)
    cross join lateral (
      select * from executions where job_id = job.id order by id desc limit ${each}
    ) as executions
    order by executions.id desc
  `.execute(db);
  return rows;
}

/** An account's newest changes, over all its jobs. */
export async function listChanges(db: Database, accountId: string, limit: number) {
  return db
    .selectFrom("executions")
    .innerJoin("jobs", "jobs.id", "executions.job_id")
    .selectAll("executions")
    .select(["jobs.name as job_name", "jobs.group_id"])
    .where("executions.account_id", "=", accountId)
    .where(sql<boolean>`executions.changed`)
    .orderBy("executions.id", "desc")
    .limit(limit)
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

/** A job's newest executions within a period, oldest first, and how many more there are. */
export async function listExecutionsBetween(
  db: Database,
  { accountId, jobId }: { accountId: string; jobId: string },
  limit: number,
  { from, to }: { from?: Date | undefined; to?: Date | undefined } = {},
): Promise<{ rows: ExecutionRow[]; left: number }> {
  let query = db.selectFrom("executions").where("account_id", "=", accountId).where("job_id", "=", jobId);
  if (from) query = query.where("created_at", ">=", from);
  if (to) query = query.where("created_at", "<=", to);
  const [rows, { count }] = await Promise.all([
    query.selectAll().orderBy("id", "desc").limit(limit).execute(),
    query.select((eb) => eb.fn.countAll<string>().as("count")).executeTakeFirstOrThrow(),
  ]);
  return { rows: rows.reverse(), left: Number(count) - rows.length };
}

/** For each execution with a verdict: what it ignored, and a summary of each reason for an alert. */
export async function listVerdictSummaries(
  db: Database,
  executionIds: string[],
): Promise<Map<string, { ignored: unknown[]; about: string[] }>> {
  const { rows } = await sql<{ id: string; ignored: unknown[] | null; about: string[] | null }>`
    select execution_id as id, verdict -> 'ignored' as ignored,
      jsonb_path_query_array(verdict, '$.reasons[*] ? (@.severity != "info").summary') as about
    from verdicts where execution_id = any(${executionIds}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, ignored, about }) => [id, { ignored: ignored ?? [], about: about ?? [] }]));
}

/** For each execution whose change met the job's conditions: those conditions, in words. */
export async function listMetConditions(db: Database, executionIds: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; met: string }>`
    select execution_id as id, verdict ->> 'met' as met from verdicts
    where execution_id = any(${executionIds}::uuid[]) and verdict ->> 'met' is not null
  `.execute(db);
  return new Map(rows.map(({ id, met }) => [id, met]));
}

/** A job's newest execution with a stored capture. */
export async function findNewestCapture(
  db: Database,
  accountId: string,
  jobId: string,
): Promise<ExecutionRow | undefined> {
  return db
    .selectFrom("executions")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("job_id", "=", jobId)
    .where("facts", "is not", null)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { Severity } from "#contract/job.ts";
import { addStoredBytes } from "./chains.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

export type ReportRow = Selectable<Schema["reports"]>;
export type ScheduleRow = Selectable<Schema["report_schedules"]>;

const kept = 20;

/** Keeps the account's newest reports only. */
export async function insertReport(tx: Database, values: Insertable<Schema["reports"]>): Promise<string> {
  const { id } = await tx.insertInto("reports").values(values).returning("id").executeTakeFirstOrThrow();
  const { account_id: accountId } = values;
  const newest = sql`select id from reports where account_id = ${accountId} order by id desc limit ${kept}`;
  await removeReports(tx, accountId, sql`id not in (${newest})`);
  return id;
}

const bytesOf = sql<number>`coalesce(octet_length(pdf), 0) + coalesce(octet_length(html), 0)`;

/** Removes reports with what they take of the account's storage; answers how many went. */
async function removeReports(tx: Database, accountId: string, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    delete from reports where account_id = ${accountId} and ${which} returning ${bytesOf} as bytes
  `.execute(tx);
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  if (bytes > 0) await addStoredBytes(tx, accountId, -bytes);
  return rows.length;
}

export async function listReports(db: Database, accountId: string) {
  return db
    .selectFrom("reports")
    .select(["id", "title", "from_at", "to_at", "state", "done", "total", "schedule_id", "created_at"])
    .select(sql<Date | null>`case when shared_until > now() then shared_until end`.as("shared_until"))
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

export async function findReport(db: Database, accountId: string, id: string, format: "pdf" | "html") {
  return db
    .selectFrom("reports")
    .select(["state", `${format} as file`])
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Answers whether there was one. */
export async function deleteReportRow(tx: Database, accountId: string, id: string): Promise<boolean> {
  return (await removeReports(tx, accountId, sql`id = ${id}`)) > 0;
}

/** For the worker, which was given the id by the queue. */
export async function findReportToBuild(db: Database, id: string) {
  return db
    .selectFrom("reports")
    .select([
      "id",
      "account_id",
      "title",
      "note",
      "logo",
      "job_ids",
      "from_at",
      "to_at",
      "schedule_id",
      "created_at",
    ])
    .where("id", "=", id)
    .where("state", "=", "queued")
    .executeTakeFirst();
}

/** Answers whether the report is still wanted. */
export async function noteProgress(db: Database, id: string, done: number, total: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("reports")
    .set({ done, total })
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function finishReport(
  tx: Database,
  id: string,
  files: { pdf: Buffer; html: Buffer } | null,
): Promise<void> {
  const report = await tx
    .updateTable("reports")
    .set(files ? { ...files, state: "ready" } : { state: "failed" })
    .where("id", "=", id)
    .returning("account_id")
    .executeTakeFirst();
  if (report && files) await addStoredBytes(tx, report.account_id, files.pdf.length + files.html.length);
}

/** Sets or, with null, ends a report's link; answers until when it holds, undefined where there is no such report. */
export async function setReportShare(
  db: Database,
  accountId: string,
  id: string,
  share: { hash: Buffer; days: number } | null,
): Promise<Date | null | undefined> {
  const row = await db
    .updateTable("reports")
    .set({
      share_hash: share?.hash ?? null,
      shared_until: share ? sql<Date>`now() + make_interval(days => ${share.days})` : null,
    })
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .where("state", "=", "ready")
    .returning("shared_until")
    .executeTakeFirst();
  return row && row.shared_until;
}

/** What a link leads to, whoever asks. */
export async function findSharedReport(db: Database, hash: Buffer, format: "pdf" | "html") {
  return db
    .selectFrom("reports")
    .select(`${format} as file`)
    .where("share_hash", "=", hash)
    .where("shared_until", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

type Tally = {
  checks: number;
  changes: number;
  failures: number;
  bySeverity: Record<Severity, number>;
  silenceMs: number | null;
};

/** What the checks of a job came to in that time. */
export async function tallyExecutions(db: Database, jobId: string, from: Date, to: Date): Promise<Tally> {
  const { rows } = await sql<Tally>`
    select count(*) as checks, count(*) filter (where changed) as changes,
      count(*) filter (where failure is not null) as failures,
      jsonb_build_object(
        'critical', count(*) filter (where changed and severity = 'critical'),
        'important', count(*) filter (where changed and severity = 'important'),
        'notice', count(*) filter (where changed and severity = 'notice'),
        'info', count(*) filter (where changed and severity = 'info')) as "bySeverity",
      extract(epoch from max(gap)) * 1000 as "silenceMs"
    from (
      select changed, severity, failure, created_at - lag(created_at) over (order by id) as gap
      from executions where job_id = ${jobId} and created_at >= ${from} and created_at < ${to}
    ) as executions
  `.execute(db);
  const [tally] = rows;
  if (!tally) throw new Error("a count answered nothing");
  return { ...tally, silenceMs: tally.silenceMs === null ? null : Number(tally.silenceMs) };
}

/** The checks of a job in equal steps of that time; steps without checks are not listed. */
export async function listSteps(db: Database, jobId: string, from: Date, to: Date, stepMs: number) {
  const { rows } = await sql<{ step: number; fine: number; changed: number; failed: number }>`
    select floor(extract(epoch from created_at - ${from}) * 1000 / ${stepMs})::integer as step,
      count(*) filter (where not changed and failure is null) as fine,
      count(*) filter (where changed) as changed,
      count(*) filter (where failure is not null and not changed) as failed
    from executions where job_id = ${jobId} and created_at >= ${from} and created_at < ${to}
    group by step order by step
  `.execute(db);
  return rows;
}

type ValueStep = {
  name: string;
  step: number;
  /** Of the step's checks: how many, at how many it was missing, at how many another than before. */
  checks: number;
  missing: number;
  changes: number;
  least: number | null;
  most: number | null;
  /** At the last of them. */
  number: number | null;
  text: string | null;
};

/** What a job's checks read of the values that it follows, in equal steps of that time, oldest first. */
export async function listValueSteps(
  db: Database,
  jobId: string,
  from: Date,
  to: Date,
  stepMs: number,
): Promise<ValueStep[]> {
  const { rows } = await sql<ValueStep>`
    select name, floor(extract(epoch from created_at - ${from}) * 1000 / ${stepMs})::integer as step,
      count(*) as checks, count(*) filter (where text is null) as missing,
      count(*) filter (where nth > 1 and (text is distinct from before or number is distinct from number_before)) as changes,
      min(number) as least, max(number) as most,
      (array_agg(number order by id desc))[1] as number, (array_agg(text order by id desc))[1] as text
    from (
      select id, created_at, name, value ->> 'text' as text, (value ->> 'number')::float8 as number,
        lag(value ->> 'text') over of_name as before, lag((value ->> 'number')::float8) over of_name as number_before,
        row_number() over of_name as nth
      from executions, jsonb_each(followed) as read (name, value)
      where job_id = ${jobId} and created_at >= ${from} and created_at < ${to} and followed is not null
      window of_name as (partition by name order by id)
    ) as read
    group by name, step order by name, step
  `.execute(db);
  return rows;
}

/** A job's newest changes of that time, from before `cursor`. */
export async function listChangesBetween(
  db: Database,
  jobId: string,
  from: Date,
  to: Date,
  limit: number,
  cursor?: string,
): Promise<string[]> {
  let query = db
    .selectFrom("executions")
    .select("id")
    .where("job_id", "=", jobId)
    .where(sql<boolean>`changed`)
    .where("created_at", ">=", from)
    .where("created_at", "<", to);
  if (cursor) query = query.where("id", "<", cursor);
  const rows = await query.orderBy("id", "desc").limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** The jobs of an account whose name or address contains a text. */
export async function searchJobs(db: Database, accountId: string, text: string): Promise<string[]> {
  const like = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const rows = await db
    .selectFrom("jobs")
    .select("id")
    .where("account_id", "=", accountId)
    .where((eb) => eb.or([eb("name", "ilike", like), eb("url", "ilike", like)]))
    .orderBy("name")
    .execute();
  return rows.map(({ id }) => id);
}

export async function insertSchedule(
  db: Database,
  values: Insertable<Schema["report_schedules"]>,
): Promise<ScheduleRow> {
  return db.insertInto("report_schedules").values(values).returningAll().executeTakeFirstOrThrow();
}

export async function listScheduleRows(db: Database, accountId: string): Promise<ScheduleRow[]> {
  return db
    .selectFrom("report_schedules")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .execute();
}

export async function deleteScheduleRow(db: Database, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("report_schedules")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** A schedule that is due, locked until the transaction ends. */
export async function lockDueSchedule(tx: Database, now: Date): Promise<ScheduleRow | undefined> {
  return tx
    .selectFrom("report_schedules")
    .selectAll()
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

export async function moveSchedule(db: Database, id: string, nextAt: Date): Promise<void> {
  await db.updateTable("report_schedules").set({ next_at: nextAt }).where("id", "=", id).execute();
}

import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { Severity } from "#contract/job.ts";
import { addStoredBytes } from "./contents.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";
import { isShareable } from "./shareable.ts";

export type ScheduleRow = Selectable<Schema["report_schedules"]>;

const maxReports = 20;

/** Adds a report, and removes all but the account's newest ones. */
export async function insertReport(tx: Database, values: Insertable<Schema["reports"]>): Promise<string> {
  const { id } = await tx.insertInto("reports").values(values).returning("id").executeTakeFirstOrThrow();
  const { account_id: accountId } = values;
  const newest = sql`select id from reports where account_id = ${accountId} order by id desc limit ${maxReports}`;
  await removeReports(tx, accountId, sql`id not in (${newest})`);
  return id;
}

const bytesOf = sql<number>`coalesce(octet_length(pdf), 0) + coalesce(octet_length(html), 0)`;

/** Removes reports, and their bytes from the account's storage; returns how many were removed. */
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
    .select((eb) => ["state", eb.case().when("state", "=", "ready").then(eb.ref(format)).end().as("file")])
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Returns whether there was one. */
export async function deleteReportRow(tx: Database, accountId: string, id: string): Promise<boolean> {
  return (await removeReports(tx, accountId, sql`id = ${id}`)) > 0;
}

/** For the worker, which has the id from the queue. */
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

/** Returns whether the report is still wanted. */
export async function noteProgress(db: Database, id: string, done: number, total: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("reports")
    .set({ done, total })
    .where("id", "=", id)
    .where("state", "=", "queued")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

type Files = { pdf: Buffer; html: Buffer };

/** Stores the files of a report that is still queued, in place of those of an earlier attempt. */
export async function storeReportFiles(tx: Database, id: string, files: Files | null): Promise<void> {
  const queued = await tx
    .selectFrom("reports")
    .select(["account_id", bytesOf.as("bytes")])
    .where("id", "=", id)
    .where("state", "=", "queued")
    .forUpdate()
    .executeTakeFirst();
  if (!queued) return;
  await tx
    .updateTable("reports")
    .set({ pdf: files?.pdf ?? null, html: files?.html ?? null })
    .where("id", "=", id)
    .execute();
  const bytes = (files?.pdf.length ?? 0) + (files?.html.length ?? 0) - queued.bytes;
  if (bytes !== 0) await addStoredBytes(tx, queued.account_id, bytes);
}

/** Makes a report ready whose files are stored. Returns it; undefined if it was deleted or has no files. */
export async function finishReport(tx: Database, id: string) {
  return tx
    .updateTable("reports")
    .set((eb) => ({ state: "ready" as const, done: eb.ref("total") }))
    .where("id", "=", id)
    .where("state", "=", "queued")
    .where("pdf", "is not", null)
    .returning(["id", "account_id", "title", "from_at", "to_at", "schedule_id", "total"])
    .executeTakeFirst();
}

/** Marks a queued report as failed and removes the files that an attempt left. Returns its account. */
export async function failReport(tx: Database, id: string): Promise<string | undefined> {
  await storeReportFiles(tx, id, null);
  const failed = await tx
    .updateTable("reports")
    .set({ state: "failed" })
    .where("id", "=", id)
    .where("state", "=", "queued")
    .returning("account_id")
    .executeTakeFirst();
  return failed?.account_id;
}

/** Sets a report's link, or ends it with null. Returns when it expires; undefined if there is no such report. */
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

const hasPrivateJob = sql<boolean>`exists (
  select from jobs where jobs.id = any(reports.job_ids) and not ${isShareable})`;

/** Whether a report shows a job whose captures may not be shared. */
export async function isReportPrivate(db: Database, accountId: string, id: string): Promise<boolean> {
  const found = await db
    .selectFrom("reports")
    .select("id")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .where(hasPrivateJob)
    .executeTakeFirst();
  return found !== undefined;
}

/** The file of an unexpired link, whoever asks. */
export async function findSharedReport(db: Database, hash: Buffer, format: "pdf" | "html") {
  return db
    .selectFrom("reports")
    .select(`${format} as file`)
    .where("share_hash", "=", hash)
    .where(sql<boolean>`not ${hasPrivateJob}`)
    .where("shared_until", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

type Tally = {
  checks: number;
  changes: number;
  failures: number;
  bySeverity: Record<Severity, number>;
  silenceMs: number | null;
  /** What the newest of the most severe changes says; null without a change. */
  worst: string | null;
};

/** Counts the checks of a job in a period, by outcome, and the longest gap between two of them. */
export async function tallyExecutions(db: Database, jobId: string, from: Date, to: Date): Promise<Tally> {
  const { rows } = await sql<Tally>`
    select count(*) as checks, count(*) filter (where changed) as changes,
      count(*) filter (where failure is not null) as failures,
      jsonb_build_object(
        'critical', count(*) filter (where changed and severity = 'critical'),
        'important', count(*) filter (where changed and severity = 'important'),
        'notice', count(*) filter (where changed and severity = 'notice'),
        'info', count(*) filter (where changed and severity = 'info')) as "bySeverity",
      extract(epoch from max(gap)) * 1000 as "silenceMs",
      (array_agg(summary order by array_position(array['critical', 'important', 'notice', 'info'], severity), id desc)
        filter (where changed))[1] as worst
    from (
      select id, changed, severity, failure, summary, created_at - lag(created_at) over (order by id) as gap
      from executions where job_id = ${jobId} and created_at >= ${from} and created_at < ${to}
    ) as executions
  `.execute(db);
  const [tally] = rows;
  if (!tally) throw new Error("a count answered nothing");
  return { ...tally, silenceMs: tally.silenceMs === null ? null : Number(tally.silenceMs) };
}

/** The checks of a job in equal steps of a period; steps without checks aren't listed. */
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
  /** How many checks the step has, at how many the value was missing, and at how many it had changed. */
  checks: number;
  missing: number;
  changes: number;
  least: number | null;
  most: number | null;
  /** At the last check of the step. */
  number: number | null;
  text: string | null;
};

/** The followed values that a job's checks read, in equal steps of a period, oldest first. */
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

/** A job's newest changes in a period, before `cursor`. */
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

/** The most severe changes of some jobs in a period, the newest first among those of one severity. */
export async function listGravestChanges(
  db: Database,
  report: { account_id: string; job_ids: string[]; from_at: Date; to_at: Date },
  limit: number,
): Promise<{ jobId: string; executionId: string }[]> {
  const rank = sql`array_position(array['critical', 'important', 'notice', 'info'], severity)`;
  return db
    .selectFrom("executions")
    .select(["job_id as jobId", "id as executionId"])
    .where("account_id", "=", report.account_id)
    .where("job_id", "in", report.job_ids)
    .where(sql<boolean>`changed`)
    .where("created_at", ">=", report.from_at)
    .where("created_at", "<", report.to_at)
    .orderBy(rank)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** The jobs of an account whose name or URL contains a text. */
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

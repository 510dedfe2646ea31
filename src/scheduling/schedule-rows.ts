import { type RawBuilder, sql } from "kysely";
import type { Database } from "#storage/database.ts";
import type { Timetable } from "./timetable.ts";

/** A due job that a scheduler has claimed; `missed` checks were skipped before it, `busy` if its last is not over. */
export type Claim = {
  id: string;
  account_id: string;
  host: string;
  missed: number;
  busy: boolean;
  due: Date;
  /** Limits when it is checked, in addition to the frequency; if set, its next check still has to be set. */
  timetable: Timetable | null;
  /** The hours of its timetable are over, so it is not checked now. */
  isOver?: boolean;
};

const period = sql`frequency_minutes * interval '1 minute'`;

/** A job with a timetable keeps its next check, because only the timetable sets it. */
const orTimetable = (next: RawBuilder<unknown>) =>
  sql`case when timetable is null then ${next} else next_run_at end`;

/** The first time after now in the job's rhythm. */
const nextSlot = sql<Date>`rhythm_at + (floor(extract(epoch from now() - rhythm_at) / (frequency_minutes * 60)) + 1) * ${period}`;

/** Up to a tenth of the interval between checks, at most five minutes, always the same for the same job. */
const jitter = sql`least(frequency_minutes * 6, 300) * ((hashtextextended(job_id::text, 0) & 65535) / 65536.0) * interval '1 second'`;

/**
 * One pass over the due jobs, in batches: each batch continues where the last one stopped, so that it does not scan
 * again what earlier batches left in the index. A new pass starts from the beginning.
 */
export type Pass = { from: Date | null };

/** What a job's turn is computed from: its account's plan, and how long its last check took. */
export async function readTurnWeights(
  db: Database,
  jobIds: string[],
): Promise<Map<string, { planId: string; lastMs: number }>> {
  if (jobIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; plan_id: string; last_ms: number }>`
    select jobs.id, accounts.plan_id, jobs.last_ms from jobs join accounts on accounts.id = jobs.account_id
    where jobs.id = any(${jobIds}::uuid[])
  `.execute(db);
  return new Map(rows.map((row) => [row.id, { planId: row.plan_id, lastMs: row.last_ms }]));
}

/** Milliseconds until the first job is due, 0 or less if one is due now; undefined if there are none. */
export async function msToDue(db: Database, which: "any" | "later" = "any"): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(next_run_at) - now()) * 1000)::float8 as ms from schedules
    where active and next_run_at > ${which === "later" ? sql`now()` : sql`'-infinity'`}
  `.execute(db);
  return rows[0]?.ms ?? undefined;
}

/** Claims jobs that are due and moves them to their next check; any number of schedulers may do so at once. */
export async function claimDue(
  db: Database,
  limit: number,
  pass: Pass = { from: null },
  exceptAccounts: string[] = [],
): Promise<{ now: Date; claims: Claim[] }> {
  const { rows } = await sql<Claim & { now: Date }>`
    with due as materialized (
      select ctid as place, next_run_at as due, queued_at is not null as busy from schedules
      where active and next_run_at <= now() and next_run_at >= ${pass.from ?? "-infinity"}::timestamptz
        and account_id <> all(${exceptAccounts}::uuid[])
      order by next_run_at
      limit ${limit}
      for update skip locked
    )
    update schedules set next_run_at = ${nextSlot}, queued_at = coalesce(queued_at, now())
    from due
    -- By place: no second look into an index. A row that was moved meanwhile is not at its place any more; the next
    -- claim finds it.
    where schedules.ctid = due.place
    returning job_id as id, account_id, (select host from jobs where id = job_id) as host, now(), due, busy, timetable,
      floor(extract(epoch from now() - due) / (frequency_minutes * 60))::integer as missed
  `.execute(db);
  for (const { due } of rows) if (pass.from === null || due > pass.from) pass.from = due;
  return { now: rows[0]?.now ?? new Date(0), claims: rows };
}

/** Starts a job's rhythm now: its next check is one interval plus its jitter from now. */
export async function startRhythm(db: Database, jobId: string): Promise<void> {
  await startRhythms(db, [jobId]);
}

export async function startRhythms(db: Database, jobIds: string[]): Promise<void> {
  await sql`
    update schedules set rhythm_at = now() + ${jitter}, next_run_at = ${orTimetable(sql`now() + ${jitter} + ${period}`)}
    where job_id = any(${jobIds}::uuid[])
  `.execute(db);
}

/** Resumes a job's rhythm where it was. */
export async function resumeRhythm(db: Database, jobId: string): Promise<void> {
  await sql`update schedules set next_run_at = ${orTimetable(nextSlot)} where job_id = ${jobId}`.execute(db);
}

/** Reads what decides when jobs that have a timetable are checked next. */
export async function listTimetables(db: Database, jobIds: string[]) {
  const { rows } = await sql<{
    id: string;
    timetable: Timetable;
    frequency_minutes: number;
    jitter_ms: number;
    plan_id: string;
    now: Date;
    last_at: Date | null;
  }>`
    select job_id as id, timetable, frequency_minutes, floor(extract(epoch from ${jitter}) * 1000)::float8 as jitter_ms, now(),
      (select plan_id from accounts where id = account_id),
      (select executions.created_at from jobs join executions on executions.id = jobs.last_execution_id
        where jobs.id = schedules.job_id) as last_at
    from schedules where timetable is not null and job_id = any(${jobIds}::uuid[])
  `.execute(db);
  return rows;
}

/** Sets the next checks of jobs, and marks those that are not checked now (`isIdle`) as not queued. */
export async function moveRuns(
  db: Database,
  moves: { id: string; at: Date; isIdle?: boolean }[],
): Promise<void> {
  await sql`
    update schedules set next_run_at = move.at, queued_at = case when move."isIdle" then null else queued_at end
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as move (id uuid, at timestamptz, "isIdle" boolean)
    where job_id = move.id
  `.execute(db);
}

/** Postpones a job's next check; its later ones keep the rhythm. */
export async function postponeJob(db: Database, jobId: string, seconds: number): Promise<void> {
  await sql`
    update schedules set next_run_at = greatest(next_run_at, now() + ${seconds} * interval '1 second')
    where job_id = ${jobId}
  `.execute(db);
}

/** Checks a job no later than in so many seconds. */
export async function advanceJob(db: Database, jobId: string, seconds: number): Promise<void> {
  await sql`
    update schedules set next_run_at = least(next_run_at, now() + ${seconds} * interval '1 second')
    where job_id = ${jobId}
  `.execute(db);
}

const outageSeconds = 120;

/**
 * Records that a scheduler is running. After a gap, jobs that became due in it are spread over the next minutes, so
 * that they do not all start at once. After the database's clock was set back, jobs that are now due too late move up.
 */
export async function recordTick(db: Database): Promise<{ gapSeconds: number }> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ gap: number }>`
      with old as (select ticked_at from schedule_state for update)
      update schedule_state set ticked_at = now() from old
      returning extract(epoch from now() - old.ticked_at)::float8 as gap
    `.execute(tx);
    const gap = rows[0]?.gap ?? 0;
    // Up to a million jobs may have to be moved.
    await sql`set local statement_timeout = '10min'`.execute(tx);
    if (gap > outageSeconds) await spreadOverdue(tx);
    if (gap < -5) await moveUpTooLate(tx);
    return { gapSeconds: gap };
  });
}

async function spreadOverdue(db: Database): Promise<void> {
  await sql`
    update schedules set next_run_at = now() + ${jitter}
    where active and next_run_at <= now() - interval '30 seconds'
  `.execute(db);
}

async function moveUpTooLate(db: Database): Promise<void> {
  await sql`
    update schedules set rhythm_at = least(rhythm_at, now() + ${jitter}), next_run_at = now() + ${jitter}
    where active and timetable is null and next_run_at > now() + ${period} + interval '5 minutes'
  `.execute(db);
}

/** Marks jobs as no longer queued: each may be queued again when it is due. */
export async function markUnqueued(db: Database, jobIds: string[]): Promise<void> {
  await sql`update schedules set queued_at = null where job_id = any(${jobIds}::uuid[])`.execute(db);
}

/** Marks a job's capture as waiting. */
export async function markQueued(db: Database, jobId: string): Promise<void> {
  await sql`update schedules set queued_at = coalesce(queued_at, now()) where job_id = ${jobId}`.execute(db);
}

export async function markIdle(db: Database, jobId: string): Promise<void> {
  await sql`
    with idle as (update schedules set queued_at = null where job_id = ${jobId})
    update jobs set started_at = null, asked = false where id = ${jobId}
  `.execute(db);
}

/** How many of an account's captures wait or run, and the current time of the database. */
export async function countOutstanding(
  db: Database,
  accountId: string,
): Promise<{ now: Date; count: number }> {
  const { rows } = await sql<{ now: Date; count: number }>`
    select now(), count(*)::integer as count from jobs join schedules on schedules.job_id = jobs.id
    where jobs.account_id = ${accountId} and queued_at is not null
  `.execute(db);
  return rows[0] ?? { now: new Date(0), count: 0 };
}

import { sql } from "kysely";
import type { JobStatus } from "#contract/job.ts";
import { startRhythms } from "#scheduling/schedule-rows.ts";
import type { Database } from "#storage/database.ts";

export type Held = {
  status: Exclude<JobStatus, "INACTIVE"> | null;
  frequency_minutes: number | null;
  raised_to: number | null;
};

export type HeldJob = {
  id: string;
  group_id: string;
  status: JobStatus;
  frequency_minutes: number;
  triggered: boolean;
  held: Held | null;
};

/** An account's jobs, oldest first, with the settings that its plan holds back. */
export async function listHeldJobs(db: Database, accountId: string): Promise<HeldJob[]> {
  const rows = await db
    .selectFrom("jobs")
    .leftJoin("plan_holds", "plan_holds.job_id", "jobs.id")
    .select([
      "jobs.id",
      "jobs.group_id",
      "jobs.status",
      "jobs.frequency_minutes",
      sql<boolean>`trigger_sealed is not null`.as("triggered"),
      "plan_holds.job_id",
      "plan_holds.status as held_status",
      "plan_holds.frequency_minutes as held_frequency",
      "plan_holds.raised_to",
    ])
    .where("jobs.account_id", "=", accountId)
    .where("jobs.delete_at", "is", null)
    .orderBy("jobs.created_at")
    .orderBy("jobs.id")
    .execute();
  return rows.map(({ job_id, held_status, held_frequency, raised_to, ...job }) => ({
    ...job,
    held: job_id ? { status: held_status, frequency_minutes: held_frequency, raised_to } : null,
  }));
}

/** The settings of a job under its account's plan; `words` goes into the job's log if something changes. */
export type JobChange = Pick<HeldJob, "status" | "frequency_minutes" | "held"> & {
  before: HeldJob;
  words: string;
};

/** Applies a plan to jobs, except to those that changed meanwhile. Reactivated jobs are due immediately. */
export async function holdJobs(db: Database, changes: JobChange[]): Promise<void> {
  const wanted = changes.map(({ before, status, frequency_minutes }) => ({
    id: before.id,
    status,
    frequency: frequency_minutes,
    old_status: before.status,
    old_frequency: before.frequency_minutes,
  }));
  const { rows } = await sql<{ id: string }>`
    update jobs set status = wanted.status, frequency_minutes = wanted.frequency
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
      as wanted (id uuid, status text, frequency integer, old_status text, old_frequency integer)
    where jobs.id = wanted.id and jobs.status = old_status and jobs.frequency_minutes = old_frequency
    returning jobs.id
  `.execute(db);
  const updatedIds = new Set(rows.map((row) => row.id));
  const applied = changes.filter(({ before }) => updatedIds.has(before.id));
  const idsOf = (some: JobChange[]) => some.map(({ before }) => before.id);
  await sql`delete from plan_holds where job_id = any(${idsOf(applied)}::uuid[])`.execute(db);
  const holds = applied.flatMap(({ before, held }) => (held ? [{ job_id: before.id, ...held }] : []));
  if (holds.length > 0) await db.insertInto("plan_holds").values(holds).execute();

  const changedJobs = applied.filter(
    ({ before, status, frequency_minutes }) =>
      status !== before.status || frequency_minutes !== before.frequency_minutes,
  );
  const restored = changedJobs.filter(
    ({ before, status }) => status === "ACTIVE" && before.status === "INACTIVE",
  );
  await startRhythms(db, idsOf(changedJobs));
  await sql`update schedules set next_run_at = now() where job_id = any(${idsOf(restored)}::uuid[])`.execute(
    db,
  );
  if (changedJobs.length === 0) return;
  const lines = changedJobs.map(({ before, words }) => ({
    job_id: before.id,
    level: "info" as const,
    meta: words,
  }));
  await db.insertInto("job_logs").values(lines).execute();
  await sql`update jobs set logs = logs + 1 where id = any(${idsOf(changedJobs)}::uuid[])`.execute(db);
}

/** Counts what an account uses of its plan. */
export async function countUsage(
  db: Database,
  accountId: string,
): Promise<{ groups: number; jobs: number; triggers: number; storedBytes: number }> {
  const { rows } = await sql<{ groups: number; jobs: number; triggers: number; storedBytes: number }>`
    select
      (select count(*)::integer from groups where account_id = ${accountId}) as groups,
      count(*)::integer as jobs,
      count(trigger_sealed)::integer as triggers,
      coalesce((select stored_bytes from account_usage where account_id = ${accountId}), 0) as "storedBytes"
    from jobs where account_id = ${accountId} and status <> 'INACTIVE' and delete_at is null
  `.execute(db);
  if (!rows[0]) throw new Error("an aggregate has one row");
  return rows[0];
}

import { sql } from "kysely";
import type { JobStatus } from "#contract/job.ts";
import type { Database } from "./database.ts";
import { insertLogs } from "./logs.ts";
import { startRhythm } from "./schedule.ts";

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

/** An account's jobs, oldest first, with what is held back of them. */
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
    .orderBy("jobs.created_at")
    .orderBy("jobs.id")
    .execute();
  return rows.map(({ job_id, held_status, held_frequency, raised_to, ...job }) => ({
    ...job,
    held: job_id ? { status: held_status, frequency_minutes: held_frequency, raised_to } : null,
  }));
}

export type JobChange = Pick<HeldJob, "id" | "status" | "frequency_minutes" | "held">;

/** Changes a job for its account's plan, unless the user has changed it meanwhile; one that is active again is due at once. */
export async function holdJob(
  db: Database,
  before: HeldJob,
  { id, status, frequency_minutes, held }: JobChange,
  words: string,
): Promise<void> {
  const row = await db
    .updateTable("jobs")
    .set({ status, frequency_minutes })
    .where("id", "=", id)
    .where("status", "=", before.status)
    .where("frequency_minutes", "=", before.frequency_minutes)
    .returning("id")
    .executeTakeFirst();
  if (!row) return;
  if (held) {
    await db
      .insertInto("plan_holds")
      .values({ job_id: id, ...held })
      .onConflict((conflict) => conflict.column("job_id").doUpdateSet(held))
      .execute();
  } else await db.deleteFrom("plan_holds").where("job_id", "=", id).execute();
  if (status === before.status && frequency_minutes === before.frequency_minutes) return;
  await startRhythm(db, id);
  if (status === "ACTIVE" && before.status === "INACTIVE") {
    await db.updateTable("jobs").set({ next_run_at: sql<Date>`now()` }).where("id", "=", id).execute();
  }
  await insertLogs(db, id, [{ level: "info", meta: words }]);
}

/** What an account uses of its plan. */
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
    from jobs where account_id = ${accountId} and status <> 'INACTIVE'
  `.execute(db);
  if (!rows[0]) throw new Error("an aggregate has one row");
  return rows[0];
}

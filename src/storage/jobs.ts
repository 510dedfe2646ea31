import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Timetable } from "#scheduling/timetable.ts";
import { addStoredBytes } from "./contents.ts";
import type { Database } from "./database.ts";
import { type Kept, storedPartsOf } from "./executions.ts";
import type { StoredDefaults } from "./job-tables.ts";
import type { Schema } from "./schema.ts";

export type JobRow = Selectable<Schema["jobs"]> &
  Pick<Selectable<Schema["schedules"]>, "next_run_at" | "queued_at"> & {
    /** The defaults of its group. */
    handed: StoredDefaults;
    group_headers_sealed: string | null;
    group_step_secrets_sealed: string | null;
    group_timetable: Timetable | null;
  };
export type JobWithGroup = JobRow & { group_name: string };

/** A lock covers both rows: whoever has locked a job can change its schedule without waiting for a claim. */
const withSchedule = (db: Database) =>
  db
    .selectFrom("jobs")
    .innerJoin("schedules", "schedules.job_id", "jobs.id")
    .selectAll("jobs")
    .select(["schedules.next_run_at", "schedules.queued_at"])
    // The group isn't joined, so that a lock on the job doesn't lock its group.
    .select((eb) => {
      const own = eb.selectFrom("groups").whereRef("groups.id", "=", "jobs.group_id");
      return [
        own.select("groups.handed").$asScalar().$notNull().as("handed"),
        own.select("groups.headers_sealed").$asScalar().as("group_headers_sealed"),
        own.select("groups.step_secrets_sealed").$asScalar().as("group_step_secrets_sealed"),
        own.select("groups.timetable").$asScalar().as("group_timetable"),
      ];
    });

/** The same statement for any number of ids, so that it is planned once. */
const isIn = (column: string, ids: string[]) => sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`;

const withGroup = (db: Database) =>
  withSchedule(db).innerJoin("groups", "groups.id", "jobs.group_id").select("groups.name as group_name");

export async function findJob(
  db: Database,
  accountId: string,
  id: string,
): Promise<JobWithGroup | undefined> {
  return withGroup(db).where("jobs.account_id", "=", accountId).where("jobs.id", "=", id).executeTakeFirst();
}

export async function listJobs(db: Database, accountId: string, groupId: string): Promise<JobWithGroup[]> {
  return withGroup(db)
    .where("jobs.account_id", "=", accountId)
    .where("jobs.group_id", "=", groupId)
    .orderBy("jobs.created_at")
    .orderBy("jobs.id")
    .execute();
}

/** All jobs of an account, by group and name. */
export async function listJobsWithGroups(db: Database, accountId: string): Promise<JobWithGroup[]> {
  return withGroup(db)
    .where("jobs.account_id", "=", accountId)
    .orderBy("groups.name")
    .orderBy("jobs.name")
    .execute();
}

/** The job as a worker needs it; locked until the transaction ends where `lock` is set. */
export async function findJobToRun(db: Database, id: string, lock = false): Promise<JobRow | undefined> {
  const query = withSchedule(db).where("jobs.id", "=", id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

/** Locks those of several jobs that nobody else has locked, until the transaction ends. */
export async function lockFreeJobs(tx: Database, ids: string[]): Promise<JobRow[]> {
  return withSchedule(tx).where(isIn("jobs.id", ids)).orderBy("jobs.id").forUpdate().skipLocked().execute();
}

/** A job with what decides whether it is checked now, and with all that its check needs to know. */
export type JobToCheck = JobRow & {
  /** How long its host has to be left alone. */
  pauseSeconds: number;
  /** Whether a page of its account is open. */
  watched: boolean;
  waitedMs: number;
  memory: unknown;
  evidence: unknown;
  /** The stored parts and followed values of the execution that it is compared with. */
  baseline: (Kept & { followed: Selectable<Schema["executions"]>["followed"] }) | null;
};

/**
 * Finds jobs and marks them as running. It doesn't wait until the mark is on disk, nor for a job that somebody has
 * locked: whoever resumes the check after a crash sets the mark again.
 */
export async function startJobs(db: Database, ids: string[]): Promise<JobToCheck[]> {
  const pause = sql<number>`ceil(greatest(0, extract(epoch from greatest(
    (select until from host_pauses where host = jobs.host),
    (select until from account_pauses where account_id = jobs.account_id and host = jobs.host)) - now())))::integer`;
  const watched = sql<boolean>`exists (select from account_usage
    where account_id = jobs.account_id and watched_at > now() - interval '1 day')`;
  const waited = sql<number>`coalesce(extract(epoch from now() - schedules.queued_at) * 1000, 0)::integer`;
  const starting = sql<boolean>`id in (select id from jobs where id = any(${ids}::uuid[]) order by id for update skip locked)
    and set_config('synchronous_commit', 'off', true) is not null`;
  const started = db.with("started", (db) =>
    db.updateTable("jobs").set({ started_at: sql<Date>`coalesce(started_at, now())` }).where(starting),
  );
  const rows = await withSchedule(started as unknown as Database)
    .leftJoin("job_memories", "job_memories.job_id", "jobs.id")
    .leftJoin("executions as baseline", (join) =>
      join.onRef("baseline.id", "=", "jobs.baseline_id").onRef("baseline.job_id", "=", "jobs.id"),
    )
    .select([pause.as("pauseSeconds"), watched.as("watched"), waited.as("waitedMs")])
    .select(["job_memories.memory", "job_memories.evidence"])
    .select(["baseline.html", "baseline.body", "baseline.facts", "baseline.picture", "baseline.followed"])
    .where(isIn("jobs.id", ids))
    .execute();
  return rows.map(({ html, body, facts, picture, followed, ...job }) => {
    const kept = storedPartsOf({ html, body, facts, picture });
    return { ...job, baseline: kept && { ...kept, followed } };
  });
}

/** What a finished check changes on its job. */
export type FinishedCheck = {
  job_id: string;
  changed: boolean;
  failed: boolean;
  /** How long it took, without the wait for its confirmation. */
  ms: number;
  /** Whether later captures are compared with this one. */
  isBaseline: boolean;
};

/**
 * Ends checks, at most one per job: counts them, and sets failures in a row, last execution and baseline. Returns the
 * id, the number and the time of each execution; jobs that were deleted meanwhile are skipped.
 */
export async function finishChecks(
  db: Database,
  checks: FinishedCheck[],
): Promise<{ id: string; job_id: string; number: number; at: Date }[]> {
  // The ids are passed in addition to the checks, so that the index is used however few jobs there are.
  const ids = checks.map(({ job_id }) => job_id);
  const { rows } = await sql<{ id: string; job_id: string; number: number; at: Date }>`
    with finished as materialized (
      select *, uuidv7() as id from jsonb_to_recordset(${JSON.stringify(checks)}::jsonb) as finished (
        job_id uuid, changed boolean, failed boolean, ms integer, "isBaseline" boolean)
    )
    update jobs set
      executions = executions + 1,
      changes = changes + finished.changed::integer,
      errors = errors + finished.failed::integer,
      last_failed = finished.failed,
      last_ms = finished.ms,
      failures = case when finished.failed then failures + 1 else 0 end,
      last_execution_id = finished.id,
      baseline_id = case when finished."isBaseline" then finished.id else jobs.baseline_id end,
      started_at = null,
      asked = false
    from finished where jobs.id = finished.job_id and jobs.id = any(${ids}::uuid[])
    returning finished.id, finished.job_id, jobs.executions as number, now() as at
  `.execute(db);
  return rows;
}

/** Locks a job of an account in order to change it. */
export async function lockJob(db: Database, accountId: string, id: string): Promise<JobRow | undefined> {
  return withSchedule(db)
    .where("jobs.account_id", "=", accountId)
    .where("jobs.id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

/** Returns undefined when the group already has a job of that name. */
export async function insertJob(
  db: Database,
  values: Insertable<Schema["jobs"]>,
): Promise<Pick<JobRow, "id" | "account_id" | "host"> | undefined> {
  return db
    .insertInto("jobs")
    .values(values)
    .onConflict((conflict) => conflict.columns(["account_id", "group_id", "name"]).doNothing())
    .returning(["id", "account_id", "host"])
    .executeTakeFirst();
}

export async function updateJobRow(
  db: Database,
  id: string,
  values: Updateable<Schema["jobs"]>,
): Promise<void> {
  if (Object.keys(values).length === 0) return;
  await db.updateTable("jobs").set(values).where("id", "=", id).execute();
}

export async function findJobByName(
  db: Database,
  accountId: string,
  groupId: string,
  name: string,
): Promise<Pick<JobRow, "id" | "delete_at"> | undefined> {
  return db
    .selectFrom("jobs")
    .select(["id", "delete_at"])
    .where("account_id", "=", accountId)
    .where("group_id", "=", groupId)
    .where("name", "=", name)
    .executeTakeFirst();
}

export async function hasJobWithUrl(db: Database, groupId: string, url: string): Promise<boolean> {
  const found = await db
    .selectFrom("jobs")
    .select("id")
    .where("group_id", "=", groupId)
    .where("url", "=", url)
    .executeTakeFirst();
  return found !== undefined;
}

/** The names of a group's jobs that begin with a text. */
export async function listNamesLike(
  db: Database,
  accountId: string,
  groupId: string,
  start: string,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom("jobs")
    .select("name")
    .where("account_id", "=", accountId)
    .where("group_id", "=", groupId)
    .where((eb) => eb.fn<boolean>("starts_with", [eb.ref("name"), eb.val(start)]))
    .execute();
  return new Set(rows.map(({ name }) => name));
}

/** Marks the running checks of jobs as outdated. */
export async function bumpTargetVersions(db: Database, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("jobs")
    .set({ target_version: sql`target_version + 1`, rules_at: sql<Date>`now()` })
    .where("id", "in", ids)
    .execute();
}

export async function deleteJobRow(db: Database, id: string): Promise<void> {
  const usage = await db
    .deleteFrom("site_usage")
    .where("job_id", "=", id)
    .returning(["account_id", "bytes"])
    .executeTakeFirst();
  if (usage) await addStoredBytes(db, usage.account_id, -usage.bytes);
  await db.deleteFrom("jobs").where("id", "=", id).execute();
}

export async function jobIdsOf(db: Database, accountId: string, groupId?: string): Promise<string[]> {
  const query = db.selectFrom("jobs").select("id").where("account_id", "=", accountId);
  const rows = await (groupId ? query.where("group_id", "=", groupId) : query).execute();
  return rows.map((row) => row.id);
}

/** Locks the account against other creations and returns what counts toward its plan's limits. */
export async function lockQuota(
  db: Database,
  accountId: string,
): Promise<
  { planId: string; groups: number; jobs: { id: string; group_id: string; triggered: boolean }[] } | undefined
> {
  const account = await db
    .selectFrom("accounts")
    .select("plan_id")
    .where("id", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) return undefined;
  const groups = await db
    .selectFrom("groups")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  const jobs = await db
    .selectFrom("jobs")
    .select(["id", "group_id", sql<boolean>`trigger_sealed is not null`.as("triggered")])
    .where("account_id", "=", accountId)
    .where("status", "!=", "INACTIVE")
    .where("delete_at", "is", null)
    .execute();
  return { planId: account.plan_id, groups: groups.count, jobs };
}

export type JobMemory = { memory: unknown; evidence: unknown };

export async function findMemory(db: Database, jobId: string): Promise<JobMemory> {
  return (await findMemories(db, [jobId])).get(jobId) ?? { memory: null, evidence: null };
}

export async function findMemories(db: Database, jobIds: string[]): Promise<Map<string, JobMemory>> {
  const rows = await db
    .selectFrom("job_memories")
    .select(["job_id", "memory", "evidence"])
    .where(isIn("job_id", jobIds))
    .execute();
  return new Map(rows.map(({ job_id, ...memory }) => [job_id, memory]));
}

export async function saveMemories(db: Database, memories: ({ jobId: string } & JobMemory)[]): Promise<void> {
  await db
    .insertInto("job_memories")
    .values(
      memories.map(({ jobId, memory, evidence }) => ({
        job_id: jobId,
        memory: JSON.stringify(memory),
        evidence: JSON.stringify(evidence),
      })),
    )
    .onConflict((conflict) =>
      conflict.column("job_id").doUpdateSet((eb) => ({
        memory: eb.ref("excluded.memory"),
        evidence: eb.ref("excluded.evidence"),
      })),
    )
    .execute();
}

export async function forgetMemory(db: Database, jobId: string): Promise<void> {
  await db.deleteFrom("job_memories").where("job_id", "=", jobId).execute();
}

/** The captures that an account's jobs compare with, of jobs that watch one page. */
export async function listNewestBaselines(
  db: Database,
  accountId: string,
): Promise<{ url: string; kept: Kept }[]> {
  const rows = await db
    .selectFrom("jobs")
    .innerJoin("executions", "executions.id", "jobs.baseline_id")
    .select(["jobs.url", "executions.html", "executions.body", "executions.facts", "executions.picture"])
    .where("jobs.account_id", "=", accountId)
    .where(sql<boolean>`jobs.settings::jsonb -> 'site' is null`)
    .orderBy("executions.created_at", "desc")
    .limit(500)
    .execute();
  return rows.flatMap(({ url, ...parts }) => {
    const kept = storedPartsOf(parts);
    return kept ? [{ url, kept }] : [];
  });
}

/** The capture that a job of the account compares with. */
export async function findBaselineOf(
  db: Database,
  accountId: string,
  jobId: string,
): Promise<Kept | undefined> {
  const row = await db
    .selectFrom("jobs")
    .innerJoin("executions", "executions.id", "jobs.baseline_id")
    .select(["executions.html", "executions.body", "executions.facts", "executions.picture"])
    .where("jobs.id", "=", jobId)
    .where("jobs.account_id", "=", accountId)
    .executeTakeFirst();
  return (row && storedPartsOf(row)) ?? undefined;
}

/** An account's jobs, for the list in a chat. */
export async function listJobsOf(db: Database, accountId: string) {
  return db
    .selectFrom("jobs")
    .select(["name", "status", "last_failed", "changes"])
    .where("account_id", "=", accountId)
    .orderBy("created_at")
    .execute();
}

/** The hosts that jobs of more than one account watch. */
export async function listSharedHosts(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom("jobs")
    .select("host")
    .groupBy("host")
    .having(({ fn }) => fn.count("account_id").distinct(), ">", 1)
    .execute();
  return rows.map(({ host }) => host);
}

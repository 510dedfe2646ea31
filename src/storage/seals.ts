import { type Selectable, sql } from "kysely";
import type { Database } from "./database.ts";
import type { ExecutionRow } from "./executions.ts";
import type { Schema } from "./schema.ts";

export type SealRow = Selectable<Schema["seals"]>;
export type SealDay = Selectable<Schema["seal_days"]>;
export type LogLine = { at: string; level: string; meta: string };

/** All that is sealed of an execution but its capture, as an export will find it. */
export type ToSeal = {
  execution: ExecutionRow;
  url: string;
  verdict: unknown;
  log: LogLine[];
  /** What the execution it was compared with was sealed with. */
  before: string | null;
};

export async function findToSeal(db: Database, executionIds: string[]): Promise<ToSeal[]> {
  const [executions, logs] = await Promise.all([
    db
      .selectFrom("executions")
      .innerJoin("jobs", "jobs.id", "executions.job_id")
      .selectAll("executions")
      .select((eb) => [
        "jobs.url",
        eb
          .selectFrom("verdicts")
          .select("verdict")
          .whereRef("execution_id", "=", "executions.id")
          .as("found_verdict"),
        eb
          .selectFrom("seals")
          .select("statement")
          .whereRef("execution_id", "=", "executions.baseline_id")
          .as("before"),
      ])
      .where(sql<boolean>`executions.id = any(${executionIds}::uuid[])`)
      .execute(),
    listLogsOf(db, executionIds),
  ]);
  return executions.map(({ url, found_verdict: verdict, before, ...execution }) => ({
    execution,
    url,
    verdict,
    before,
    log: logs.get(execution.id) ?? [],
  }));
}

/** The log of an execution, oldest first. */
export async function listLogOf(db: Database, executionId: string): Promise<LogLine[]> {
  return (await listLogsOf(db, [executionId])).get(executionId) ?? [];
}

async function listLogsOf(db: Database, executionIds: string[]): Promise<Map<string, LogLine[]>> {
  const rows = await db
    .selectFrom("job_logs")
    .select(["execution_id", "level", "meta", "created_at"])
    .where(sql<boolean>`execution_id = any(${executionIds}::uuid[])`)
    .orderBy("id")
    .execute();
  const logs = new Map<string, LogLine[]>(executionIds.map((id) => [id, []]));
  for (const { execution_id, created_at, level, meta } of rows)
    logs.get(execution_id ?? "")?.push({ at: created_at.toISOString(), level, meta });
  return logs;
}

/** A place in a job's chain. */
export type Place = { position: number; previous: Buffer | null; at: Date };

/** Takes the next places in the chains of jobs, and keeps them to itself until the transaction ends. */
export async function takePlaces(
  tx: Database,
  jobs: { job_id: string; account_id: string }[],
): Promise<Map<string, Place>> {
  const { rows } = await sql<Place & { job_id: string }>`
    insert into seal_heads as head (job_id, account_id, position)
    select job_id, account_id, 1 from jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as job (job_id uuid, account_id uuid)
    order by job_id
    on conflict (job_id) do update set position = head.position + 1, moved_at = now()
    returning job_id, position, hash as previous, now() as at
  `.execute(tx);
  return new Map(rows.map(({ job_id, ...place }) => [job_id, place]));
}

export async function insertSeals(tx: Database, seals: SealRow[]): Promise<void> {
  const list = seals.map(({ digest, hash, ...seal }) => ({
    ...seal,
    digest: digest.toString("hex"),
    hash: hash.toString("hex"),
  }));
  await sql`
    with entry as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as entry (
        job_id uuid, position integer, execution_id uuid, number integer, statement text, digest text, hash text)
    ), ends as (
      update seal_heads set hash = decode(entry.hash, 'hex') from entry
      where seal_heads.job_id = entry.job_id and seal_heads.job_id = any(${list.map(({ job_id }) => job_id)}::uuid[])
    )
    insert into seals (job_id, position, execution_id, number, statement, digest, hash)
    select job_id, position, execution_id, number, statement, decode(digest, 'hex'), decode(hash, 'hex') from entry
  `.execute(tx);
}

export async function findSeal(db: Database, executionId: string): Promise<SealRow | undefined> {
  return db.selectFrom("seals").selectAll().where("execution_id", "=", executionId).executeTakeFirst();
}

export async function listSeals(db: Database, jobId: string, after: number, last: number, limit: number) {
  return db
    .selectFrom("seals")
    .selectAll()
    .where("job_id", "=", jobId)
    .where("position", ">", after)
    .where("position", "<=", last)
    .orderBy("position")
    .limit(limit)
    .execute();
}

/** Where a job's chain and its history end, both at one moment. */
export async function findChainEnd(db: Database, jobId: string) {
  const { rows } = await sql<{
    position: number;
    hash: Buffer | null;
    started_at: Date | null;
    execution_id: string | null;
  }>`
    select coalesce(head.position, 0) as position, head.hash, head.created_at as started_at,
      (select id from executions where job_id = ${jobId} order by id desc limit 1) as execution_id
    from (select) as one left join seal_heads as head on head.job_id = ${jobId}
  `.execute(db);
  const [end] = rows;
  if (!end) throw new Error("a row that is always there was not");
  return end;
}

/** Of executions that are gone only the digest is left. */
export async function hollowSeals(tx: Database, executionIds: string[]): Promise<void> {
  if (executionIds.length === 0) return;
  await tx.updateTable("seals").set({ statement: null }).where("execution_id", "in", executionIds).execute();
}

/** Forgets the chain of a job that is gone. */
export async function removeSeals(db: Database, jobId: string): Promise<void> {
  await db.deleteFrom("seal_heads").where("job_id", "=", jobId).execute();
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from seals where job_id = ${jobId} and position in (
        select position from seals where job_id = ${jobId} limit 5000)
    `.execute(db);
    if (!numAffectedRows) return;
  }
}

export async function listJobsToJoin(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("seal_heads")
    .select("job_id")
    .where("joined", "=", false)
    .limit(limit)
    .execute();
  return rows.map((row) => row.job_id);
}

/** A job's oldest executions that no seal names. */
export async function listUnsealed(db: Database, jobId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from executions where job_id = ${jobId}
      and not exists (select from seals where execution_id = executions.id)
    order by id limit ${limit}
  `.execute(db);
  return rows.map((row) => row.id);
}

export async function markJoined(db: Database, jobId: string): Promise<void> {
  await db.updateTable("seal_heads").set({ joined: true }).where("job_id", "=", jobId).execute();
}

/** Accounts with a chain that was begun by the end of a day and moved since their last day was closed. */
export async function listAccountsToClose(db: Database, day: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from seal_heads
    join accounts on accounts.id = account_id
    where seal_heads.created_at < (${day}::date + 1)::timestamp at time zone 'UTC'
      and hash is not null and moved_at > coalesce((select max(created_at) from seal_days where seal_days.account_id = seal_heads.account_id), '-infinity')
      and not exists (select from seal_days where seal_days.account_id = seal_heads.account_id and seal_days.day >= ${day})
    group by account_id limit ${limit}
  `.execute(db);
  return rows.map((row) => row.account_id);
}

/** The account's chains as they stand, and its newest closed day; the account stays locked against a second closing. */
export async function lockChains(tx: Database, accountId: string) {
  const account = await tx
    .selectFrom("accounts")
    .select(["email", "firstname", "mails_heads"])
    .where("id", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const heads = await tx
    .selectFrom("seal_heads")
    .select(["job_id", "position", "hash"])
    .where("account_id", "=", accountId)
    .where("hash", "is not", null)
    .execute();
  const [last] = await listDays(tx, accountId, 1);
  return { account, heads, last };
}

export async function insertDay(
  tx: Database,
  day: Pick<SealDay, "account_id" | "day" | "statement" | "hash" | "jobs" | "created_at">,
): Promise<void> {
  await tx.insertInto("seal_days").values(day).execute();
}

/** An account's closed days, newest first. */
export async function listDays(db: Database, accountId: string, limit: number): Promise<SealDay[]> {
  return db
    .selectFrom("seal_days")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("day", "desc")
    .limit(limit)
    .execute();
}

/** The days an account closed from a moment on, oldest first. */
export async function listDaysSince(
  db: Database,
  accountId: string,
  since: Date,
  after: string,
  limit: number,
): Promise<SealDay[]> {
  return db
    .selectFrom("seal_days")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("created_at", ">", since)
    .where("day", ">", after)
    .orderBy("day")
    .limit(limit)
    .execute();
}

export async function findDay(db: Database, accountId: string, day: string): Promise<SealDay | undefined> {
  return db
    .selectFrom("seal_days")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("day", "=", day)
    .executeTakeFirst();
}

export async function updateDay(
  db: Database,
  accountId: string,
  day: string,
  values: Partial<Pick<SealDay, "stamp" | "stamped_at" | "authority" | "stamp_problem">>,
): Promise<void> {
  await db
    .updateTable("seal_days")
    .set(values)
    .where("account_id", "=", accountId)
    .where("day", "=", day)
    .execute();
}

export async function mailsHeads(db: Database, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom("accounts")
    .select("mails_heads")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row?.mails_heads ?? false;
}

export async function setMailsHeads(db: Database, accountId: string, on: boolean): Promise<void> {
  await db.updateTable("accounts").set({ mails_heads: on }).where("id", "=", accountId).execute();
}

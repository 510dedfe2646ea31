import { type Selectable, sql } from "kysely";
import type { Database } from "#storage/database.ts";
import type { ExecutionRow } from "#storage/executions.ts";
import type { Schema } from "#storage/schema.ts";
import type { AnchorTarget } from "#storage/seal-tables.ts";

export type SealRow = Selectable<Schema["seals"]>;
export type DailySealRow = Selectable<Schema["seal_days"]>;
export type LogLine = { at: string; level: string; meta: string };

/** Everything that is sealed of an execution except its capture, as an export will find it. */
export type ToSeal = {
  execution: ExecutionRow;
  name: string;
  url: string;
  verdict: unknown;
  log: LogLine[];
  /** The sealed statement of the execution it was compared with. */
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
        "jobs.name",
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
  return executions.map(({ url, name, found_verdict: verdict, before, ...execution }) => ({
    execution,
    name,
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

/** A position in a job's chain. */
export type Place = { position: number; previous: Buffer | null; at: Date };

/** Takes the next position in the chain of each job, and locks it until the transaction ends. */
export async function takeChainPositions(
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

/** Where a job's chain and its history end, both read at the same moment. */
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

/** Removes the statements of deleted executions; only their digests stay. */
export async function dropSealStatements(tx: Database, executionIds: string[]): Promise<void> {
  if (executionIds.length === 0) return;
  await tx.updateTable("seals").set({ statement: null }).where("execution_id", "in", executionIds).execute();
}

/** Removes the chain of a deleted job. */
export async function removeSeals(db: Database, jobId: string): Promise<void> {
  await db.deleteFrom("seal_origins").where("job_id", "=", jobId).execute();
  await db.deleteFrom("seal_heads").where("job_id", "=", jobId).execute();
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from seals where job_id = ${jobId} and position in (
        select position from seals where job_id = ${jobId} limit 5000)
    `.execute(db);
    if (!numAffectedRows) return;
  }
}

export async function listJobsToSeal(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("seal_heads")
    .select("job_id")
    .where("joined", "=", false)
    .limit(limit)
    .execute();
  return rows.map((row) => row.job_id);
}

/** A job's oldest executions without a seal. */
export async function listUnsealed(db: Database, jobId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from executions where job_id = ${jobId}
      and not exists (select from seals where execution_id = executions.id)
    order by id limit ${limit}
  `.execute(db);
  return rows.map((row) => row.id);
}

export async function markOlderSealed(db: Database, jobId: string): Promise<void> {
  await db.updateTable("seal_heads").set({ joined: true }).where("job_id", "=", jobId).execute();
}

/** Accounts with a chain that was started by the end of a day and has grown since their last daily seal. */
export async function listAccountsToSeal(db: Database, day: string, limit: number): Promise<string[]> {
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

/** The current ends of the account's chains and its newest daily seal. The account is locked against a second one. */
export async function lockChains(tx: Database, accountId: string) {
  const account = await tx
    .selectFrom("accounts")
    .select(["email", "firstname", "mails_heads", "anchor_webhook"])
    .where("id", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const heads = await tx
    .selectFrom("seal_heads")
    .select(["job_id", "position", "hash"])
    .where("account_id", "=", accountId)
    .where("hash", "is not", null)
    .execute();
  const [last] = await listDailySeals(tx, accountId, 1);
  return { account, heads, last };
}

export async function insertDailySeal(
  tx: Database,
  day: Pick<DailySealRow, "account_id" | "day" | "statement" | "hash" | "jobs" | "signature" | "created_at">,
): Promise<void> {
  await tx.insertInto("seal_days").values(day).execute();
}

/** An account's daily seals, newest first. */
export async function listDailySeals(
  db: Database,
  accountId: string,
  limit: number,
): Promise<DailySealRow[]> {
  return db
    .selectFrom("seal_days")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("day", "desc")
    .limit(limit)
    .execute();
}

/** An account's daily seals that were made after a moment, oldest first. */
export async function listDailySealsSince(
  db: Database,
  accountId: string,
  since: Date,
  after: string,
  limit: number,
): Promise<DailySealRow[]> {
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

export async function findDailySeal(
  db: Database,
  accountId: string,
  day: string,
): Promise<DailySealRow | undefined> {
  return db
    .selectFrom("seal_days")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("day", "=", day)
    .executeTakeFirst();
}

export async function updateDailySeal(
  db: Database,
  accountId: string,
  day: string,
  values: Partial<Pick<DailySealRow, "stamp" | "stamped_at" | "authority" | "stamp_problem">>,
): Promise<void> {
  await db
    .updateTable("seal_days")
    .set(values)
    .where("account_id", "=", accountId)
    .where("day", "=", day)
    .execute();
}

export async function areDailySealsMailed(db: Database, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom("accounts")
    .select("mails_heads")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row?.mails_heads ?? false;
}

export async function setDailySealsMailed(db: Database, accountId: string, on: boolean): Promise<void> {
  await db.updateTable("accounts").set({ mails_heads: on }).where("id", "=", accountId).execute();
}

export type SigningKeyRow = Selectable<Schema["signing_keys"]>;

/** The installation's keys, oldest first. */
export async function listSigningKeys(db: Database): Promise<SigningKeyRow[]> {
  return db.selectFrom("signing_keys").selectAll().orderBy("number").execute();
}

/** Lets no other process make a key until the transaction ends. */
export async function lockSigningKeys(tx: Database): Promise<void> {
  await sql`lock table signing_keys in exclusive mode`.execute(tx);
}

/** Adds a key and forgets the private parts of all others, so that nothing more can be signed with them. */
export async function insertSigningKey(tx: Database, key: SigningKeyRow): Promise<void> {
  await tx.updateTable("signing_keys").set({ private_sealed: "" }).execute();
  await tx.insertInto("signing_keys").values(key).execute();
}

type SealOrigin = Selectable<Schema["seal_origins"]>;

export async function insertOrigins(tx: Database, origins: SealOrigin[]): Promise<void> {
  if (origins.length === 0) return;
  await tx
    .insertInto("seal_origins")
    .values(origins)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The seals that came with a job's imports, one at a time. */
export async function* listOrigins(db: Database, jobId: string): AsyncGenerator<SealOrigin> {
  const hashes = await db
    .selectFrom("seal_origins")
    .select("hash")
    .where("job_id", "=", jobId)
    .orderBy("hash")
    .execute();
  for (const { hash } of hashes) {
    const origin = await db
      .selectFrom("seal_origins")
      .selectAll()
      .where("job_id", "=", jobId)
      .where("hash", "=", hash)
      .executeTakeFirst();
    if (origin) yield origin;
  }
}

/** The address that gets daily fingerprints, encrypted; null if there is none. */
export async function findAnchorWebhook(db: Database, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom("accounts")
    .select("anchor_webhook")
    .where("id", "=", accountId)
    .executeTakeFirst();
  return row?.anchor_webhook ?? null;
}

export async function setAnchorWebhook(
  db: Database,
  accountId: string,
  sealed: string | null,
): Promise<void> {
  await db.updateTable("accounts").set({ anchor_webhook: sealed }).where("id", "=", accountId).execute();
}

/** Stores when a daily fingerprint was sent to a place, or why it wasn't yet. */
export async function noteSent(
  db: Database,
  { accountId, day, target }: { accountId: string; day: string; target: AnchorTarget },
  problem: string | null,
): Promise<void> {
  await sql`
    update seal_days set
      sent = case when ${problem}::text is null then sent || jsonb_build_object(${target}::text, now()) else sent end,
      send_problems = case when ${problem}::text is null then send_problems - ${target}::text
        else send_problems || jsonb_build_object(${target}::text, ${problem}::text) end
    where account_id = ${accountId} and day = ${day}
  `.execute(db);
}

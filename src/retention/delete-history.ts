import { sql } from "kysely";
import { dropSealStatements, removeSeals } from "#evidence/seal-rows.ts";
import { moveStays, removeAccountIndex, removeJobIndex } from "#page-index/remove-stays.ts";
import type { BlobStore } from "#storage/blobs.ts";
import { addRefs, addStoredBytes } from "#storage/contents.ts";
import type { Database } from "#storage/database.ts";
import { picturesOf } from "#storage/execution-steps.ts";
import type { StoredStep } from "#storage/job-tables.ts";
import { fullHistoryShare, retentionSeconds } from "./policy.ts";

type RemovedExecution = {
  id: string;
  job_id: string;
  account_id: string;
  html: Buffer | null;
  body: Buffer | null;
  facts: Buffer | null;
  picture: Buffer | null;
  verdict_bytes: number;
  steps: StoredStep[] | null;
};

/** Removes one batch of executions and what they refer to; returns how many were removed. */
async function removeExecutions(db: Database, ids: ReturnType<typeof sql>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<RemovedExecution>`
      delete from executions where id in (${ids}) returning id, job_id, account_id, html, body, facts, picture,
        coalesce((select bytes from verdicts where execution_id = executions.id), 0) as verdict_bytes,
        (select steps from execution_steps where execution_id = executions.id) as steps
    `.execute(tx);
    await dropSealStatements(
      tx,
      rows.map(({ id }) => id),
    );
    const byAccount = Map.groupBy(rows, (row) => row.account_id);
    for (const [accountId, gone] of byAccount) {
      const hashes = gone.flatMap(({ html, body, facts, picture, steps }) => [
        ...[html, body, facts, picture].filter((hash) => hash !== null),
        ...picturesOf(steps),
      ]);
      await addRefs(tx, accountId, hashes, -1);
      const bytes = gone.reduce((sum, row) => sum + row.verdict_bytes, 0);
      if (bytes > 0) await addStoredBytes(tx, accountId, -bytes);
    }
    await moveStays(tx, rows);
    return rows.length;
  });
}

const batchSize = 500;

/** Removes the history of a deleted job. */
export async function removeHistory(db: Database, jobId: string): Promise<void> {
  // Before the executions: nothing is left then whose bounds would move with each of them.
  await removeJobIndex(db, jobId);
  const ids = sql`select id from executions where job_id = ${jobId} limit ${batchSize}`;
  while ((await removeExecutions(db, ids)) > 0);
  await removeSeals(db, jobId);
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from job_logs where id in (select id from job_logs where job_id = ${jobId} limit 5000)
    `.execute(db);
    if (!numAffectedRows) return;
  }
}

/** Removes the contents of a deleted account; only its blobs are left after this. */
export async function removeContents(db: Database, accountId: string): Promise<void> {
  await removeAccountIndex(db, accountId);
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from contents where (account_id, hash) in (
        select account_id, hash from contents where account_id = ${accountId} limit 5000)
    `.execute(db);
    if (!numAffectedRows) return;
  }
}

/** What is never thinned: the job's baseline and its newest execution. */
const needed = sql`select baseline_id from jobs where id = executions.job_id and baseline_id is not null
  union all select last_execution_id from jobs where id = executions.job_id and last_execution_id is not null`;

/**
 * Thins the history of jobs. Nothing older than `days` stays. Of what is older than a tenth of that, only changes stay,
 * and the first unchanged and the first failed check of each day.
 */
export async function thinHistory(db: Database, jobIds: string[], days: number): Promise<number> {
  let removed = 0;
  const old = sql`
    select id from (
      select id, job_id, created_at, changed,
        row_number() over (partition by job_id, created_at::date, changed, failure is null order by id) as nth
      from executions where job_id = any(${jobIds}::uuid[]) and created_at < now() - ${days * fullHistoryShare} * interval '1 day'
    ) as executions
    where (created_at < now() - ${days} * interval '1 day' or (not changed and nth > 1))
      and id not in (${needed})
    limit ${batchSize}
  `;
  for (;;) {
    const count = await removeExecutions(db, old);
    removed += count;
    if (count < batchSize) break;
  }
  await sql`
    delete from job_logs where job_id = any(${jobIds}::uuid[]) and created_at < now() - ${days} * interval '1 day'
  `.execute(db);
  return removed;
}

/** Removes an account's oldest executions, unchanged ones first, until the bytes still referred to fit `limit`. */
export async function shrinkTo(db: Database, accountId: string, limit: number): Promise<number> {
  let removed = 0;
  for (const changed of [false, true]) {
    const oldest = sql`
      select id from executions
      where job_id in (select id from jobs where account_id = ${accountId}) and changed = ${changed}
        and id not in (${needed})
      order by id limit 100
    `;
    while ((await referencedBytes(db, accountId)) > limit) {
      const count = await removeExecutions(db, oldest);
      removed += count;
      if (count === 0) break;
    }
  }
  return removed;
}

/** Contents that nothing refers to don't count, though they are not collected yet. */
async function referencedBytes(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (
      (select coalesce(sum(stored_bytes), 0) from contents where account_id = ${accountId} and refs > 0)
      + (select coalesce(sum(octet_length(pdf) + coalesce(octet_length(html), 0)), 0) from reports
        where account_id = ${accountId})
      + (select coalesce(sum(bytes), 0) from site_usage where account_id = ${accountId})
    )::bigint as bytes
  `.execute(db);
  return rows[0]?.bytes ?? 0;
}

/**
 * Removes contents that nothing refers to and that nobody touched for an hour; a base follows once what was built on it
 * is gone. The file is removed before the commit: whoever stores the same content waits for the row and writes it anew.
 */
export async function collectContents(
  db: Database,
  blobs: BlobStore,
  graceSeconds: number = retentionSeconds.unreferencedContents,
): Promise<number> {
  let collected = 0;
  for (;;) {
    const count = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{
        account_id: string;
        blob: Buffer;
        base: Buffer | null;
        stored_bytes: number;
      }>`
        delete from contents where (account_id, hash) in (
          select account_id, hash from contents
          where refs = 0 and touched_at <= now() - ${graceSeconds} * interval '1 second'
          order by touched_at limit 200 for update skip locked
        )
        returning account_id, blob, base, stored_bytes
      `.execute(tx);
      for (const [accountId, gone] of Map.groupBy(rows, (row) => row.account_id)) {
        await addRefs(
          tx,
          accountId,
          gone.flatMap((row) => row.base ?? []),
          -1,
        );
        await addStoredBytes(tx, accountId, -gone.reduce((sum, row) => sum + row.stored_bytes, 0));
        await Promise.all(gone.map((row) => blobs.remove(accountId, row.blob)));
      }
      return rows.length;
    });
    collected += count;
    if (count === 0) return collected;
  }
}

const usageOf = (db: Database) =>
  db
    .selectFrom("accounts")
    .leftJoin("account_usage", "account_usage.account_id", "accounts.id")
    .select([
      "accounts.id",
      // After a downgrade the history ages by the larger plan's rules, until that plan would have dropped it itself.
      sql<string>`case when kept_until > now() then kept_plan_id else plan_id end`.as("plan_id"),
      sql<number>`coalesce(stored_bytes, 0)`.as("stored_bytes"),
    ]);

export async function findUsage(db: Database, accountId: string) {
  return usageOf(db).where("accounts.id", "=", accountId).executeTakeFirst();
}

/** The accounts after the id `after`, in the order of their ids, with the bytes that they store. */
export async function listUsage(db: Database, after: string, limit: number) {
  return usageOf(db).where("accounts.id", ">", after).orderBy("accounts.id").limit(limit).execute();
}

import { sql } from "kysely";
import type { Database } from "#storage/database.ts";
import { counted, lockHeads, removeOrphans } from "./stay-rows.ts";

/**
 * Moves the bounds of stays from executions that were just deleted to those that remain, as if only these had ever been:
 * a stay of which nothing remains is removed, and two with nothing left between them become one.
 */
export async function moveStays(tx: Database, deleted: { id: string; job_id: string }[]): Promise<void> {
  if (deleted.length === 0) return;
  const jobs = sql`${[...new Set(deleted.map(({ job_id }) => job_id))]}::uuid[]`;
  const ids = sql`${deleted.map(({ id }) => id)}::uuid[]`;
  const heads = await lockHeads(tx, [...new Set(deleted.map(({ job_id }) => job_id))]);
  if (heads.size === 0) return;
  const { rows: removed } = await sql<{ block_id: number; job_id: string; was_open: boolean }>`
    with bound as materialized (
      select block_id, stay.job_id, first_id, gone_id, next.id as next_id, next.created_at as next_at
      from page_stays as stay
      left join lateral (
        select id, created_at from executions
        where job_id = stay.job_id and id > stay.first_id and (stay.gone_id is null or id < stay.gone_id) and ${counted}
        order by id limit 1
      ) as next on true
      where stay.job_id = any(${jobs}) and first_id = any(${ids})
    ), moved as (
      update page_stays as stay set first_id = next_id, first_at = next_at from bound
      where stay.block_id = bound.block_id and stay.job_id = bound.job_id and stay.first_id = bound.first_id
        and next_id is not null
    )
    delete from page_stays as stay using bound
    where stay.block_id = bound.block_id and stay.job_id = bound.job_id and stay.first_id = bound.first_id
      and next_id is null
    returning stay.block_id, stay.job_id, stay.gone_id is null as was_open
  `.execute(tx);
  const { rows: ends } = await sql<{ job_id: string; gone_id: string | null }>`
    update page_stays as stay set gone_id = next_id, gone_at = next_at
    from (
      select block_id, stay.job_id, first_id, next.id as next_id, next.created_at as next_at
      from page_stays as stay
      left join lateral (
        select id, created_at from executions
        where job_id = stay.job_id and id > stay.gone_id and ${counted}
        order by id limit 1
      ) as next on true
      where stay.job_id = any(${jobs}) and gone_id = any(${ids})
    ) as bound
    where stay.block_id = bound.block_id and stay.job_id = bound.job_id and stay.first_id = bound.first_id
    returning stay.job_id, stay.gone_id
  `.execute(tx);
  if (ends.length > 0) await joinStays(tx, jobs);
  // The page may now differ from the open stays, so the next capture is compared with them.
  const reopened = [
    ...removed.filter(({ was_open }) => was_open),
    ...ends.filter(({ gone_id }) => gone_id === null),
  ].map(({ job_id }) => job_id);
  if (reopened.length > 0)
    await sql`update page_index_heads set digest = null where job_id = any(${reopened}::uuid[])`.execute(tx);
  await removeOrphans(tx, [...new Set(removed.map(({ block_id }) => block_id))]);
}

/** Makes one stay of each two of which the first ends where the second begins; in rounds, because there may be three. */
async function joinStays(tx: Database, jobs: ReturnType<typeof sql>): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      with pair as materialized (
        select earlier.block_id, earlier.job_id, earlier.first_id, later.first_id as later_id, later.gone_id, later.gone_at
        from page_stays as earlier
        join page_stays as later on later.block_id = earlier.block_id and later.job_id = earlier.job_id
          and later.first_id = earlier.gone_id
        where earlier.job_id = any(${jobs}) and not exists (
          select from page_stays as first
          where first.block_id = earlier.block_id and first.job_id = earlier.job_id and first.gone_id = earlier.first_id)
      ), joined as (
        delete from page_stays as stay using pair
        where stay.block_id = pair.block_id and stay.job_id = pair.job_id and stay.first_id = pair.later_id
      )
      update page_stays as stay set gone_id = pair.gone_id, gone_at = pair.gone_at from pair
      where stay.block_id = pair.block_id and stay.job_id = pair.job_id and stay.first_id = pair.first_id
    `.execute(tx);
    if (!numAffectedRows) return;
  }
}

const batchSize = 2_000;

/** Removes what is indexed of a deleted job, in pieces. */
export async function removeJobIndex(db: Database, jobId: string): Promise<void> {
  for (;;) {
    const count = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ block_id: number }>`
        delete from page_stays where (block_id, job_id, first_id) in (
          select block_id, job_id, first_id from page_stays where job_id = ${jobId} limit ${batchSize})
        returning block_id
      `.execute(tx);
      await removeOrphans(tx, [...new Set(rows.map(({ block_id }) => block_id))]);
      return rows.length;
    });
    if (count === 0) break;
  }
  await db.deleteFrom("page_index_heads").where("job_id", "=", jobId).execute();
}

/** Removes the blocks of a deleted account, whose jobs are removed already. */
export async function removeAccountIndex(db: Database, accountId: string): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from page_blocks where id in (
        select id from page_blocks where account_id = ${accountId} order by id limit ${batchSize})
    `.execute(db);
    if (!numAffectedRows) return;
  }
}

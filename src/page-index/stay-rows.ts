import { sql } from "kysely";
import type { PageBlock } from "#contract/page-block.ts";
import type { Database } from "#storage/database.ts";

/** A stay goes from the execution that first saw a block to the first one that no longer did; half-open, by ids. */
export type IndexedExecution = { jobId: string; accountId: string; executionId: string; at: Date };

export type Head = { job_id: string; digest: Buffer | null; done_id: string | null; is_live: boolean };

/** Executions whose captures count: those that show the watched page. */
export const counted = sql`executions.failure is null and executions.facts is not null`;

export async function findHeads(db: Database, jobIds: string[]): Promise<Map<string, Head>> {
  const rows = await db
    .selectFrom("page_index_heads")
    .select(["job_id", "digest", "done_id", "is_live"])
    .where(sql<boolean>`job_id = any(${jobIds}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.job_id, row]));
}

/** Locks the stays of jobs until the transaction ends, always in the same order. */
export async function lockHeads(tx: Database, jobIds: string[]): Promise<Map<string, Head>> {
  const rows = await tx
    .selectFrom("page_index_heads")
    .select(["job_id", "digest", "done_id", "is_live"])
    .where(sql<boolean>`job_id = any(${jobIds}::uuid[])`)
    .orderBy("job_id")
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.job_id, row]));
}

export async function addHead(
  tx: Database,
  { jobId, accountId, isLive }: { jobId: string; accountId: string; isLive: boolean },
): Promise<void> {
  await tx
    .insertInto("page_index_heads")
    .values({ job_id: jobId, account_id: accountId, is_live: isLive })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateHead(
  tx: Database,
  jobId: string,
  values: Partial<Pick<Head, "digest" | "done_id" | "is_live">>,
): Promise<void> {
  await tx.updateTable("page_index_heads").set(values).where("job_id", "=", jobId).execute();
}

/** The hashes of the blocks that a job's page has now, with their ids. */
export async function listOpenStays(tx: Database, jobId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; hash: Buffer }>`
    select page_blocks.id, hash from page_stays join page_blocks on page_blocks.id = block_id
    where job_id = ${jobId} and gone_id is null
  `.execute(tx);
  return new Map(rows.map(({ id, hash }) => [hash.toString("hex"), id]));
}

export async function closeStays(
  tx: Database,
  execution: IndexedExecution,
  blockIds: number[],
): Promise<void> {
  if (blockIds.length === 0) return;
  const { jobId, executionId, at } = execution;
  await sql`
    update page_stays set gone_id = ${executionId}, gone_at = ${at}
    where job_id = ${jobId} and gone_id is null and block_id = any(${blockIds}::bigint[])
  `.execute(tx);
}

export async function openStays(
  tx: Database,
  execution: IndexedExecution,
  blockIds: number[],
): Promise<void> {
  if (blockIds.length === 0) return;
  const { jobId, executionId, at } = execution;
  await sql`
    insert into page_stays (block_id, job_id, first_id, first_at)
    select unnest(${blockIds}::bigint[]), ${jobId}, ${executionId}, ${at}
  `.execute(tx);
}

export type HashedBlock = PageBlock & { hash: Buffer };

/** Indexing a text takes as long as it has different letters in a row, and a statement has a limit of time. */
const charactersAtOnce = 50_000;

/** Ids of blocks by their hashes; those that the account doesn't have yet are added. */
export async function keepBlocks(
  tx: Database,
  accountId: string,
  blocks: HashedBlock[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  // Always in the same order, so that two transactions never wait for each other.
  for (const part of inParts(blocks.toSorted((a, b) => Buffer.compare(a.hash, b.hash))))
    await keepPart(tx, accountId, part, ids);
  return ids;
}

function* inParts(blocks: HashedBlock[]): Generator<HashedBlock[]> {
  let part: HashedBlock[] = [];
  let characters = 0;
  for (const block of blocks) {
    part.push(block);
    characters += block.text.length;
    if (characters < charactersAtOnce) continue;
    yield part;
    [part, characters] = [[], 0];
  }
  if (part.length > 0) yield part;
}

async function keepPart(
  tx: Database,
  accountId: string,
  part: HashedBlock[],
  ids: Map<string, number>,
): Promise<void> {
  let left = part;
  // A block that is there may be removed as an orphan before it is locked; it is then added in the next round.
  while (left.length > 0) {
    const hashes = left.map(({ hash }) => hash);
    const { rows: added } = await sql<{ id: number; hash: Buffer }>`
      insert into page_blocks (account_id, hash, kind, text)
      select ${accountId}, block.hash, block.kind, block.text
      from unnest(${hashes}::bytea[], ${left.map(({ kind }) => kind)}::text[], ${left.map(({ text }) => text)}::text[])
        with ordinality as block (hash, kind, text, position)
      order by position
      on conflict (account_id, hash) do nothing
      returning id, hash
    `.execute(tx);
    const rows =
      added.length === left.length ? added : [...added, ...(await lockBlocks(tx, accountId, hashes))];
    for (const { id, hash } of rows) ids.set(hash.toString("hex"), id);
    left = left.filter(({ hash }) => !ids.has(hash.toString("hex")));
  }
}

/** Locks blocks against removal as orphans. */
async function lockBlocks(tx: Database, accountId: string, hashes: Buffer[]) {
  const { rows } = await sql<{ id: number; hash: Buffer }>`
    select id, hash from page_blocks where account_id = ${accountId} and hash = any(${hashes}::bytea[])
    order by hash for key share
  `.execute(tx);
  return rows;
}

/** Removes those of the blocks that no page of any time consists of any more. */
export async function removeOrphans(tx: Database, blockIds: number[]): Promise<void> {
  if (blockIds.length === 0) return;
  // Whoever is about to use a block has locked it; it is no orphan then. Once these are locked, nobody can.
  const { rows } = await sql<{ id: number }>`
    select id from page_blocks where id = any(${blockIds}::bigint[]) for update skip locked
  `.execute(tx);
  await sql`
    delete from page_blocks where id = any(${rows.map(({ id }) => id)}::bigint[])
      and not exists (select from page_stays where block_id = page_blocks.id)
  `.execute(tx);
}

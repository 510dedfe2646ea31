import { sql } from "kysely";
import type { Queue } from "#queue/queue.ts";
import { type BlobStore, unlessLost } from "#storage/blobs.ts";
import { readBytes } from "#storage/contents.ts";
import type { Database } from "#storage/database.ts";
import { blocksOf, digestBlocks, type Readable } from "./blocks-of.ts";
import { indexCapture } from "./index-captures.ts";
import { addHead, counted, lockHeads, updateHead } from "./stay-rows.ts";

type Deps = { db: Database; blobs: BlobStore };

const jobsAtOnce = 100;
/** A batch holds the job's stays locked, so that a check which ends meanwhile waits for it. */
const executionsAtOnce = 25;

/** After a full batch, the next one follows in this time. */
const nextBatchMs = 5_000;

/**
 * Queues the indexing of jobs with executions from before the index, or that were imported. Returns how soon to look
 * again, if there may be more.
 */
export async function queueHistoryIndexing({
  db,
  queue,
}: {
  db: Database;
  queue: Queue;
}): Promise<number | undefined> {
  const { rows } = await sql<{ id: string }>`
    (select job_id as id from page_index_heads where not is_live limit ${jobsAtOnce})
    union all
    (select id from jobs where executions > 0
      and not exists (select from page_index_heads where job_id = jobs.id) limit ${jobsAtOnce})
  `.execute(db);
  for (const { id } of rows) await queue.send(db, "index-history", { jobId: id }, { singletonKey: id });
  return rows.length < jobsAtOnce ? undefined : nextBatchMs;
}

/** Indexes a job's older executions, oldest first. Safe to repeat: it goes on where it stopped. */
export async function indexHistory({ db, blobs }: Deps, jobId: string): Promise<void> {
  const job = await db.selectFrom("jobs").select("account_id").where("id", "=", jobId).executeTakeFirst();
  if (!job) return void (await db.deleteFrom("page_index_heads").where("job_id", "=", jobId).execute());
  await addHead(db, { jobId, accountId: job.account_id, isLive: false });
  while (await db.transaction().execute((tx) => indexBatch({ db: tx, blobs }, job.account_id, jobId)));
}

/** Indexes the next executions; returns whether there may be more. */
async function indexBatch(deps: Deps, accountId: string, jobId: string): Promise<boolean> {
  const { db: tx } = deps;
  // No check is recorded between the last older execution and the first live one. Checks lock the job first, too.
  const job = await tx.selectFrom("jobs").select("id").where("id", "=", jobId).forUpdate().executeTakeFirst();
  const head = (await lockHeads(tx, [jobId])).get(jobId);
  if (!job || !head || head.is_live) return false;
  const { rows } = await sql<{ id: string; created_at: Date; facts: Buffer }>`
    select id, created_at, facts from executions
    where job_id = ${jobId} and id > coalesce(${head.done_id}, '00000000-0000-0000-0000-000000000000'::uuid) and ${counted}
    order by id limit ${executionsAtOnce}
  `.execute(tx);
  let digest = head.digest;
  let read: Buffer | undefined;
  for (const { id, created_at, facts } of rows) {
    if (read?.equals(facts)) continue;
    const page = await readFacts(deps, accountId, facts);
    // A capture that can't be read any more is passed over.
    if (!page) continue;
    read = facts;
    const blocks = blocksOf(page);
    const next = digestBlocks(blocks);
    if (!digest?.equals(next))
      await indexCapture(tx, { jobId, accountId, executionId: id, at: created_at, blocks }, next);
    digest = next;
  }
  const last = rows.at(-1);
  await updateHead(tx, jobId, { ...(last && { done_id: last.id }), is_live: rows.length < executionsAtOnce });
  return rows.length === executionsAtOnce;
}

/** Reads what a stored capture's blocks are made of; undefined if the store lost it. */
export async function readFacts(deps: Deps, accountId: string, facts: Buffer): Promise<Readable | undefined> {
  const bytes = await readBytes(deps, accountId, facts).catch(unlessLost);
  return bytes && (JSON.parse(Buffer.from(bytes).toString()) as Readable);
}

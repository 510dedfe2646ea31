import type { PageBlock } from "#contract/page-block.ts";
import type { Database } from "#storage/database.ts";
import { digestBlocks, hashBlock } from "./blocks-of.ts";
import {
  addHead,
  closeStays,
  findHeads,
  type HashedBlock,
  type Head,
  type IndexedExecution,
  keepBlocks,
  listOpenStays,
  lockHeads,
  openStays,
  updateHead,
} from "./stay-rows.ts";

/** A recorded execution, with what its page consists of; null if it failed or saw the same as before. */
export type RecordedCapture = IndexedExecution & { number: number; blocks: PageBlock[] | null };

/**
 * Indexes executions of several jobs in the transaction that records them. A page that consists of the same blocks as
 * before writes nothing; nor does one whose older executions aren't indexed yet, because its turn comes with them.
 * Returns the executions that saw blocks which their pages didn't have before.
 */
export async function indexCaptures(
  tx: Database,
  executions: RecordedCapture[],
): Promise<IndexedExecution[]> {
  // In the order of jobs, so that two writers lock their rows in the same order.
  const sorted = executions.toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1));
  for (const { jobId, accountId, number } of sorted)
    if (number === 1) await addHead(tx, { jobId, accountId, isLive: true });
  const captures = sorted.flatMap(({ blocks, ...rest }) =>
    blocks ? [{ ...rest, blocks, digest: digestBlocks(blocks) }] : [],
  );
  if (captures.length === 0) return [];
  const isChanged = (heads: Map<string, Head>, { jobId, digest }: { jobId: string; digest: Buffer }) => {
    const head = heads.get(jobId);
    return head?.is_live === true && !head.digest?.equals(digest);
  };
  const jobIds = captures.map(({ jobId }) => jobId);
  const known = await findHeads(tx, jobIds);
  const changed = captures.filter((capture) => isChanged(known, capture));
  if (changed.length === 0) return [];
  const heads = await lockHeads(
    tx,
    changed.map(({ jobId }) => jobId),
  );
  const withNews: IndexedExecution[] = [];
  for (const capture of changed)
    if (isChanged(heads, capture) && (await indexCapture(tx, capture, capture.digest)) > 0)
      withNews.push(capture);
  return withNews;
}

/** Ends the stays of what is gone from a page and begins those of what is new on it; returns how many these are. */
export async function indexCapture(
  tx: Database,
  capture: IndexedExecution & { blocks: PageBlock[] },
  digest: Buffer,
): Promise<number> {
  const blocks = new Map<string, HashedBlock>();
  for (const block of capture.blocks) {
    const hash = hashBlock(block);
    blocks.set(hash.toString("hex"), { ...block, hash });
  }
  const open = await listOpenStays(tx, capture.jobId);
  const gone = [...open].flatMap(([name, id]) => (blocks.has(name) ? [] : [id]));
  const added = [...blocks].flatMap(([name, block]) => (open.has(name) ? [] : [block]));
  const ids = await keepBlocks(tx, capture.accountId, added);
  await closeStays(tx, capture, gone);
  await openStays(tx, capture, [...ids.values()]);
  await updateHead(tx, capture.jobId, { digest });
  return added.length;
}

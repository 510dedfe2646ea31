import { sql } from "kysely";
import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";
import { retentionSeconds } from "./policy.ts";

export type Orphans = { seen: number; orphans: number; bytes: number };

const batchSize = 500;
const graceMs = retentionSeconds.orphanedBlobs * 1000;

/**
 * Finds blobs that no content refers to and removes them, unless it is a dry run. Blobs written within a day are left
 * alone. A content that is stored while its blob is removed gets it back: its row exists before the blob is needed.
 */
export async function collectOrphans(
  { db, blobs }: { db: Database; blobs: BlobStore },
  { dryRun, onProgress }: { dryRun: boolean; onProgress?: (totals: Orphans) => void },
): Promise<Orphans> {
  const totals: Orphans = { seen: 0, orphans: 0, bytes: 0 };
  let batch: Blob[] = [];
  async function checkBatch(): Promise<void> {
    const referenced = await findReferenced(db, batch);
    for (const blob of batch) {
      if (referenced.has(nameOf(blob)) || Date.now() - blob.changedAt.getTime() < graceMs) continue;
      if (!dryRun && !(await removeOrphan({ db, blobs }, blob))) continue;
      totals.orphans++;
      totals.bytes += blob.bytes;
    }
    totals.seen += batch.length;
    batch = [];
    onProgress?.(totals);
  }
  for await (const blob of blobs.list()) {
    batch.push(blob);
    if (batch.length === batchSize) await checkBatch();
  }
  await checkBatch();
  return totals;
}

type Blob = { owner: string; hash: Buffer; bytes: number; changedAt: Date };

const nameOf = ({ owner, hash }: Pick<Blob, "owner" | "hash">) => `${owner} ${hash.toString("hex")}`;

async function removeOrphan({ db, blobs }: { db: Database; blobs: BlobStore }, blob: Blob): Promise<boolean> {
  const bytes = await blobs.get(blob.owner, blob.hash).catch(() => undefined);
  await blobs.remove(blob.owner, blob.hash);
  if (!bytes || (await findReferenced(db, [blob])).size === 0) return true;
  await blobs.put(blob.owner, bytes);
  return false;
}

async function findReferenced(db: Database, batch: Blob[]): Promise<Set<string>> {
  if (batch.length === 0) return new Set();
  const { rows } = await sql<{ owner: string; hash: Buffer }>`
    select account_id as owner, blob as hash from contents
    where account_id = any(${[...new Set(batch.map(({ owner }) => owner))]}::uuid[])
      and blob = any(${batch.map(({ hash }) => hash)}::bytea[])
  `.execute(db);
  return new Set(rows.map(nameOf));
}

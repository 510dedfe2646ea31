import { sql } from "kysely";
import type { BlobStore } from "./blobs.ts";
import type { Database } from "./database.ts";

export type Orphans = { seen: number; orphans: number; bytes: number };

const batch = 500;
const graceMs = 24 * 3600_000;

/**
 * Finds blobs that no content refers to and removes them, unless it is a dry run. What was written within a day is left
 * alone. A content that is kept while its blob is removed gets it back: its row is there before the blob is asked for.
 */
export async function collectOrphans(
  { db, blobs }: { db: Database; blobs: BlobStore },
  { dryRun, onProgress }: { dryRun: boolean; onProgress?: (so: Orphans) => void },
): Promise<Orphans> {
  const so: Orphans = { seen: 0, orphans: 0, bytes: 0 };
  let some: Blob[] = [];
  async function judge(): Promise<void> {
    const known = await knownOf(db, some);
    for (const blob of some) {
      if (known.has(nameOf(blob)) || Date.now() - blob.changedAt.getTime() < graceMs) continue;
      if (!dryRun && !(await removeOrphan({ db, blobs }, blob))) continue;
      so.orphans++;
      so.bytes += blob.bytes;
    }
    so.seen += some.length;
    some = [];
    onProgress?.(so);
  }
  for await (const blob of blobs.list()) {
    some.push(blob);
    if (some.length === batch) await judge();
  }
  await judge();
  return so;
}

type Blob = { owner: string; hash: Buffer; bytes: number; changedAt: Date };

const nameOf = ({ owner, hash }: Pick<Blob, "owner" | "hash">) => `${owner} ${hash.toString("hex")}`;

async function removeOrphan({ db, blobs }: { db: Database; blobs: BlobStore }, blob: Blob): Promise<boolean> {
  const bytes = await blobs.get(blob.owner, blob.hash).catch(() => undefined);
  await blobs.remove(blob.owner, blob.hash);
  if (!bytes || (await knownOf(db, [blob])).size === 0) return true;
  await blobs.put(blob.owner, bytes);
  return false;
}

async function knownOf(db: Database, some: Blob[]): Promise<Set<string>> {
  if (some.length === 0) return new Set();
  const { rows } = await sql<{ owner: string; hash: Buffer }>`
    select account_id as owner, blob as hash from contents
    where account_id = any(${[...new Set(some.map(({ owner }) => owner))]}::uuid[])
      and blob = any(${some.map(({ hash }) => hash)}::bytea[])
  `.execute(db);
  return new Set(rows.map(nameOf));
}

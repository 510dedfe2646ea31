import { sql } from "kysely";
import { BlobLost, type BlobStore } from "./blobs.ts";
import { unpackBytes } from "./chains/bytes.ts";
import { nameLength } from "./chains.ts";
import type { Database } from "./database.ts";

const mostBytes = 64 * 1024 * 1024;

/**
 * Reads many kept things one after another, as a history has them: where each is kept is asked once, and what one was
 * made from is not made again for the next.
 */
export async function openSeries(
  { db, blobs }: { db: Database; blobs: BlobStore },
  accountId: string,
  hashes: Buffer[],
): Promise<(hash: Buffer) => Promise<Uint8Array>> {
  const { rows } = await sql<{ hash: Buffer; blob: Buffer; base: Buffer | null }>`
    with recursive chain as (
      select hash, blob, base from contents where account_id = ${accountId} and hash = any(${hashes}::bytea[])
      union
      select contents.hash, contents.blob, contents.base from chain
      join contents on contents.account_id = ${accountId} and contents.hash = chain.base
    )
    select hash, blob, base from chain
  `.execute(db);
  const links = new Map(rows.map((row) => [row.hash.toString("hex"), row]));
  const made = new Map<string, Uint8Array>();
  let bytes = 0;

  async function read(hash: Buffer): Promise<Uint8Array> {
    const name = hash.toString("hex");
    const known = made.get(name);
    if (known) return known;
    const link = links.get(name);
    if (!link) throw new BlobLost(name, "missing");
    const base = link.base ? await read(link.base) : undefined;
    const file = await blobs.get(accountId, link.blob);
    if (!hash.equals(file.subarray(0, nameLength))) throw new BlobLost(name, "altered");
    const unpacked = await unpackBytes(file.subarray(nameLength), base);
    made.set(name, unpacked);
    bytes += unpacked.length;
    for (const [old, content] of made) {
      if (bytes <= mostBytes || old === name) break;
      made.delete(old);
      bytes -= content.length;
    }
    return unpacked;
  }
  return read;
}

import { sql } from "kysely";
import { BlobLost, type BlobStore } from "./blobs.ts";
import { nameLength } from "./contents.ts";
import type { Database } from "./database.ts";
import { unpackBytes } from "./pack-bytes.ts";

const maxCachedBytes = 64 * 1024 * 1024;

/**
 * Reads many stored contents one after another, such as those of a history. Their locations are queried once, and a
 * base that was unpacked for one content is reused for the next.
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
  const unpackedByName = new Map<string, Uint8Array>();
  let bytes = 0;

  async function read(hash: Buffer): Promise<Uint8Array> {
    const name = hash.toString("hex");
    const known = unpackedByName.get(name);
    if (known) return known;
    const link = links.get(name);
    if (!link) throw new BlobLost(name, "missing");
    const base = link.base ? await read(link.base) : undefined;
    const file = await blobs.get(accountId, link.blob);
    if (!hash.equals(file.subarray(0, nameLength))) throw new BlobLost(name, "altered");
    const unpacked = await unpackBytes(file.subarray(nameLength), base);
    unpackedByName.set(name, unpacked);
    bytes += unpacked.length;
    for (const [old, content] of unpackedByName) {
      if (bytes <= maxCachedBytes || old === name) break;
      unpackedByName.delete(old);
      bytes -= content.length;
    }
    return unpacked;
  }
  return read;
}

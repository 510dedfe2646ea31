import { sql } from "kysely";
import { BlobLost, type BlobStore, unlessLost } from "./blobs.ts";
import { packBytes, unpackBytes, wrapBytes } from "./chains/bytes.ts";
import { decodePicture, hashPixels, layLinks, packPicture, unpackLink } from "./chains/picture-threads.ts";
import { alike, encodePng, type Pixels } from "./chains/pictures.ts";
import { commitSoon, type Database } from "./database.ts";
import { digest } from "./digest.ts";

type Deps = { db: Database; blobs: BlobStore };
type Kind = "bytes" | "picture";
type Link = { hash: Buffer; kind: Kind; blob: Buffer; base: Buffer | null; depth: number };

/** A chain is a keyframe and at most nineteen differences, each from the one before. */
const chainLength = 20;

/** Keeps bytes, as their difference from `near` where that is possible, and answers their name. Refer to it within the hour. */
export async function keepBytes(
  deps: Deps,
  accountId: string,
  bytes: Uint8Array,
  near?: Buffer | null,
): Promise<Buffer> {
  const hash = await digest(bytes);
  if (await isKept(deps, accountId, hash)) return hash;
  const base = await baseFor(deps, accountId, "bytes", near);
  const before = base && (await readBytes(deps, accountId, base.hash).catch(unlessLost));
  await keep(deps, accountId, { hash, kind: "bytes" }, await packBytes(bytes, before), before && base);
  return hash;
}

/** Keeps bytes for an hour, or until `dropBytes`, as they are. */
export async function keepBriefly(deps: Deps, accountId: string, bytes: Uint8Array): Promise<Buffer> {
  const hash = await digest(bytes);
  if (await isKept(deps, accountId, hash)) return hash;
  try {
    await keep(deps, accountId, { hash, kind: "bytes" }, wrapBytes(bytes), undefined, true);
  } catch (error) {
    await dropBytes(deps, accountId, hash);
    throw error;
  }
  return hash;
}

/** Lets go of what nothing refers to. */
export async function dropBytes(deps: Deps, accountId: string, hash: Buffer): Promise<void> {
  await dropContents(deps, accountId, [hash]);
}

/** Lets go of what nothing refers to, the newest first: what one was built on may go after it. */
export async function dropContents({ db, blobs }: Deps, accountId: string, hashes: Buffer[]): Promise<void> {
  for (const hash of hashes.toReversed()) {
    await db.transaction().execute(async (tx) => {
      const gone = await tx
        .deleteFrom("contents")
        .where("account_id", "=", accountId)
        .where("hash", "=", hash)
        .where("refs", "=", 0)
        .returning(["blob", "base", "stored_bytes"])
        .executeTakeFirst();
      if (!gone) return;
      if (gone.base) await addRefs(tx, accountId, [gone.base], -1);
      await addStoredBytes(tx, accountId, -gone.stored_bytes);
      await blobs.remove(accountId, gone.blob);
    });
  }
}

/** Gives what is about to be referred to another hour. */
export async function touchContents(db: Database, accountId: string, hashes: Buffer[]): Promise<void> {
  for (let from = 0; from < hashes.length; from += 5000)
    await sql`
      update contents set touched_at = now()
      where account_id = ${accountId} and hash = any(${hashes.slice(from, from + 5000)}::bytea[])
    `.execute(db);
}

export { decodePicture, hashPixels } from "./chains/picture-threads.ts";

/** Pictures that are looked at more than once in one piece of work, each read or decoded once. */
export type Album = {
  /** Whether this file is known to show exactly the kept picture; costs no decoding. */
  isFileOf(hash: Buffer, file: Uint8Array): Promise<boolean>;
  read(hash: Buffer): Promise<Pixels>;
  decode(file: Uint8Array): Promise<Pixels>;
};

export function openAlbum(deps: Deps, accountId: string): Album {
  const read = new Map<string, Promise<Pixels>>();
  const decoded = new WeakMap<Uint8Array, Promise<Pixels>>();
  return {
    async isFileOf(hash, file) {
      return (await findBySource(deps.db, accountId, await digest(file)))?.equals(hash) ?? false;
    },
    read(hash) {
      const key = hash.toString("hex");
      const pixels = read.get(key) ?? readPixels(deps, accountId, hash);
      read.set(key, pixels);
      return pixels;
    },
    decode(file) {
      const pixels = decoded.get(file) ?? decodePicture(file);
      decoded.set(file, pixels);
      return pixels;
    },
  };
}

/** Keeps a picture file's pixels like `keepBytes` keeps bytes. */
export async function keepPicture(
  deps: Deps,
  accountId: string,
  file: Uint8Array,
  near?: Buffer | null,
  album = openAlbum(deps, accountId),
): Promise<Buffer> {
  const source = await digest(file);
  const known = await findBySource(deps.db, accountId, source);
  if (known && (await isKept(deps, accountId, known))) return known;
  const pixels = await album.decode(file);
  const hash = await hashPixels(pixels);
  if (await isKept(deps, accountId, hash)) return hash;
  const base = await baseFor(deps, accountId, "picture", near);
  const before = base && (await album.read(base.hash).catch(unlessLost));
  const usable = before && alike(before, pixels) ? before : undefined;
  await keep(
    deps,
    accountId,
    { hash, kind: "picture", source },
    await packPicture(pixels, usable),
    usable && base,
  );
  return hash;
}

/** Gives back exactly the bytes that were kept. */
export async function readBytes(deps: Deps, accountId: string, hash: Buffer): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined;
  for (const { packed } of (await readChain(deps, accountId, hash)).reverse())
    bytes = await unpackBytes(packed, bytes);
  if (!bytes || !(await digest(bytes)).equals(hash)) throw new BlobLost(hash.toString("hex"), "altered");
  return bytes;
}

/** Gives back a kept picture as PNG. */
export async function readPng(deps: Deps, accountId: string, hash: Buffer): Promise<Uint8Array> {
  return encodePng(await readPixels(deps, accountId, hash));
}

/** Gives back exactly the pixels that were kept. */
export function readPixels(deps: Deps, accountId: string, hash: Buffer): Promise<Pixels> {
  const { blobs } = deps;
  // Who opens a comparison asks for each of its pictures several times at once, and both begin at one keyframe.
  return atOnce(blobs, `${accountId} ${hash.toString("hex")}`, async () => {
    const chain = await readChain(deps, accountId, hash);
    // Each link's bytes were found to be those that were kept; to hash the pixels again would cost more than all else.
    const links = chain.map(({ name, packed }) =>
      atOnce(blobs, `${accountId} ${name}`, () => unpackLink(packed)),
    );
    return layLinks(await Promise.all(links));
  });
}

const underWay = new WeakMap<BlobStore, Map<string, Promise<unknown>>>();

/** Work that is asked for again while it is under way is done once. */
function atOnce<T>(blobs: BlobStore, name: string, work: () => Promise<T>): Promise<T> {
  const all = underWay.get(blobs) ?? new Map<string, Promise<unknown>>();
  underWay.set(blobs, all);
  const known = all.get(name) as Promise<T> | undefined;
  const result = known ?? work().finally(() => all.delete(name));
  all.set(name, result);
  return result;
}

type Packed = { name: string; packed: Uint8Array };

/** The packed links of a chain, from the one asked for to its keyframe. */
async function readChain({ db, blobs }: Deps, accountId: string, hash: Buffer): Promise<Packed[]> {
  const { rows } = await sql<{ hash: Buffer; blob: Buffer; base: Buffer | null }>`
    with recursive chain as (
      select hash, blob, base, 0 as step from contents where account_id = ${accountId} and hash = ${hash}
      union all
      select contents.hash, contents.blob, contents.base, step + 1 from chain
      join contents on contents.account_id = ${accountId} and contents.hash = chain.base
    )
    select hash, blob, base from chain order by step
  `.execute(db);
  if (rows.length === 0 || rows.at(-1)?.base) throw new BlobLost(hash.toString("hex"), "missing");
  return Promise.all(
    rows.map(async ({ hash, blob }) => {
      const file = await blobs.get(accountId, blob);
      if (!hash.equals(file.subarray(0, nameLength))) throw new BlobLost(hash.toString("hex"), "altered");
      return { name: blob.toString("hex"), packed: file.subarray(nameLength) };
    }),
  );
}

/** Whether something is kept already; if so it is safe from collection for an hour. */
async function isKept({ db, blobs }: Deps, accountId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .updateTable("contents")
    .set({ touched_at: sql<Date>`now()` })
    .where("account_id", "=", accountId)
    .where("hash", "=", hash)
    .returning(["blob", "stored_bytes"])
    .executeTakeFirst();
  return row !== undefined && (await blobs.has(accountId, row.blob, row.stored_bytes));
}

async function findBySource(db: Database, accountId: string, source: Buffer): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom("contents")
    .select("hash")
    .where("account_id", "=", accountId)
    .where("source", "=", source)
    .executeTakeFirst();
  return row?.hash;
}

async function baseFor(
  { db }: Deps,
  accountId: string,
  kind: Kind,
  near?: Buffer | null,
): Promise<Link | undefined> {
  if (!near) return undefined;
  const link = await db
    .selectFrom("contents")
    .select(["hash", "kind", "blob", "base", "depth"])
    .where("account_id", "=", accountId)
    .where("hash", "=", near)
    .executeTakeFirst();
  return link && link.kind === kind && link.depth < chainLength - 1 ? link : undefined;
}

// A blob begins with the name of what is packed in it: so no two contents ever share a blob, and one can be
// removed without asking who else has it.
export const nameLength = 32;

/** The row comes before the blob: then a crash leaves a row that collection finds, never a file that no one knows of. */
async function keep(
  { db, blobs }: Deps,
  accountId: string,
  content: { hash: Buffer; kind: Kind; source?: Buffer },
  packed: Uint8Array,
  base: Link | undefined,
  brief = false,
): Promise<void> {
  const file = Buffer.concat([content.hash, packed]);
  const blob = await digest(file);
  const depth = base ? base.depth + 1 : 0;
  const place = { blob, base: base?.hash ?? null, depth, stored_bytes: file.length };
  await db.transaction().execute(async (tx) => {
    // On disk with what refers to it, at the latest.
    await commitSoon(tx);
    await assertAccount(tx, accountId);
    const added = await tx
      .insertInto("contents")
      .values({ account_id: accountId, source: null, ...content, ...place })
      .onConflict((conflict) => conflict.doNothing())
      .returning("hash")
      .executeTakeFirst();
    const replaced = added ? undefined : await replace(tx, accountId, content.hash, place);
    if (base) await addRefs(tx, accountId, [base.hash], 1);
    if (replaced?.base) await addRefs(tx, accountId, [replaced.base], -1);
    await addStoredBytes(tx, accountId, file.length - (replaced?.stored_bytes ?? 0));
  });
  await blobs.put(accountId, file, { hash: blob, brief });
  // Whoever deleted the account since has removed its files already, all but this one.
  await assertAccount(db, accountId).catch(async (error: unknown) => {
    await blobs.remove(accountId, blob);
    throw error;
  });
}

/** Nothing is kept for an account that is gone; within a transaction it stays until that ends. */
async function assertAccount(db: Database, id: string): Promise<void> {
  const row = await db
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new Error("the account was deleted while something was kept for it");
}

/** Points a row, whose file is not there (yet), at another file; answers what it pointed at. */
async function replace(
  tx: Database,
  accountId: string,
  hash: Buffer,
  place: { blob: Buffer; base: Buffer | null; depth: number; stored_bytes: number },
) {
  const { rows } = await sql<{ base: Buffer | null; stored_bytes: number }>`
    with old as (
      select account_id, hash, base, stored_bytes from contents
      where account_id = ${accountId} and hash = ${hash} for update
    )
    update contents set blob = ${place.blob}, base = ${place.base}, depth = ${place.depth},
      stored_bytes = ${place.stored_bytes}, touched_at = now()
    from old where contents.account_id = old.account_id and contents.hash = old.hash
    returning old.base, old.stored_bytes
  `.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("a content disappeared while it was kept");
  return row;
}

/** Counts references to contents; throws when one of them is gone, so that nothing ever refers to nothing. */
export async function addRefs(tx: Database, accountId: string, hashes: Buffer[], by: 1 | -1): Promise<void> {
  if (hashes.length === 0) return;
  const times = new Map<string, number>();
  for (const hash of hashes) times.set(hash.toString("hex"), (times.get(hash.toString("hex")) ?? 0) + by);
  // In one order for all, so that two transactions never wait for each other.
  const sorted = [...times].sort(([a], [b]) => (a < b ? -1 : 1));
  const { rows } = await sql<{ hash: Buffer }>`
    with locked as materialized (
      select contents.hash, change.by from contents
      join unnest(${sorted.map(([name]) => Buffer.from(name, "hex"))}::bytea[], ${sorted.map(([, count]) => count)}::integer[])
        as change (hash, by) using (hash)
      where account_id = ${accountId}
      order by contents.hash
      for update of contents
    )
    update contents set refs = refs + locked.by, touched_at = case when locked.by > 0 then now() else touched_at end
    from locked where account_id = ${accountId} and contents.hash = locked.hash
    returning contents.hash
  `.execute(tx);
  if (by > 0 && rows.length !== sorted.length)
    throw new Error("a content disappeared before it was referred to");
}

export async function addStoredBytes(tx: Database, accountId: string, bytes: number): Promise<void> {
  await sql`
    insert into account_usage (account_id, stored_bytes)
    select id, greatest(${bytes}::bigint, 0) from accounts where id = ${accountId}
    on conflict (account_id) do update set stored_bytes = greatest(account_usage.stored_bytes + ${bytes}::bigint, 0)
  `.execute(tx);
}

import { sql } from "kysely";
import { BlobLost, type BlobStore, unlessLost } from "./blobs.ts";
import { packBytes, unpackBytes, wrapBytes } from "./chains/bytes.ts";
import { addRefs, addStoredBytes, contentsOf, type Kind, type Link } from "./chains/contents.ts";
import { decodePicture, hashPixels, packPicture, unpackPicture } from "./chains/picture-threads.ts";
import { alike, encodePng, type Pixels } from "./chains/pictures.ts";
import type { Database } from "./database.ts";
import { digest } from "./digest.ts";

type Deps = { db: Database; blobs: BlobStore };

/** A chain is a keyframe and at most nineteen differences, each from the one before. */
const chainLength = 20;

/** Keeps bytes, as their difference from `near` where that is possible, and answers their name. Refer to it within the hour. */
export async function keepBytes(
  deps: Deps,
  accountId: string,
  bytes: Uint8Array,
  near?: Buffer | null,
  album?: Album,
): Promise<Buffer> {
  const packed = await prepareBytes(deps, accountId, bytes, near, album);
  await keepAll(deps, accountId, [packed]);
  return packed.hash;
}

/** What is about to be kept; without a file where it is already. */
export type Packed = {
  hash: Buffer;
  file?: { kind: Kind; source?: Buffer; packed: Uint8Array; base: Link | undefined };
};

/** Packs bytes for `keepAll`, as `keepBytes` keeps them. */
export async function prepareBytes(
  deps: Deps,
  accountId: string,
  bytes: Uint8Array,
  near?: Buffer | null,
  album = openAlbum(deps, accountId),
): Promise<Packed> {
  const hash = await album.nameOf(bytes);
  const { isKept, base } = await findKept(deps, accountId, "bytes", hash, near);
  if (isKept) return { hash };
  const before = base && (await album.bytes(base.hash).catch(unlessLost));
  const packed = await packBytes(bytes, before);
  return { hash, file: { kind: "bytes", packed, base: before && base } };
}

/** Keeps bytes for an hour, or until `dropBytes`, as they are. */
export async function keepBriefly(deps: Deps, accountId: string, bytes: Uint8Array): Promise<Buffer> {
  const hash = await digest(bytes);
  if ((await findKept(deps, accountId, "bytes", hash)).isKept) return hash;
  try {
    const file = { kind: "bytes" as const, packed: wrapBytes(bytes), base: undefined };
    await keepAll(deps, accountId, [{ hash, file }], true);
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

export { addRefs, addStoredBytes } from "./chains/contents.ts";
export { decodePicture, hashPixels } from "./chains/picture-threads.ts";

/** What is looked at more than once in one piece of work, each read or decoded once. */
export type Album = {
  bytes(hash: Buffer): Promise<Uint8Array>;
  /** Has bytes at hand that may be asked for; `hash` where it is known. */
  hold(bytes: Uint8Array, hash?: Buffer): Promise<void>;
  nameOf(bytes: Uint8Array): Promise<Buffer>;
  /** A file's name, and the kept picture that it is known to show. */
  known(file: Uint8Array): Promise<{ source: Buffer; hash: Buffer | undefined }>;
  /** Whether this file is known to show exactly the kept picture; costs no decoding. */
  isFileOf(hash: Buffer, file: Uint8Array): Promise<boolean>;
  read(hash: Buffer): Promise<Pixels>;
  decode(file: Uint8Array): Promise<Pixels>;
};

export function openAlbum(deps: Deps, accountId: string): Album {
  const bytes = new Map<string, Promise<Uint8Array>>();
  const names = new WeakMap<Uint8Array, Promise<Buffer>>();
  const pictures = new Map<string, Promise<Pixels>>();
  const known = new WeakMap<Uint8Array, ReturnType<Album["known"]>>();
  const decoded = new WeakMap<Uint8Array, Promise<Pixels>>();
  const album: Album = {
    bytes: (hash) => remember(bytes, hash.toString("hex"), () => readBytes(deps, accountId, hash)),
    async hold(held, hash) {
      if (hash) names.set(held, Promise.resolve(hash));
      bytes.set((await album.nameOf(held)).toString("hex"), Promise.resolve(held));
    },
    nameOf: (named) => remember(names, named, () => digest(named)),
    known: (file) =>
      remember(known, file, async () => {
        const source = await digest(file);
        return { source, hash: await findBySource(deps.db, accountId, source) };
      }),
    isFileOf: async (hash, file) => (await album.known(file)).hash?.equals(hash) ?? false,
    read: (hash) => remember(pictures, hash.toString("hex"), () => readPixels(deps, accountId, hash)),
    decode: (file) => remember(decoded, file, () => decodePicture(file)),
  };
  return album;
}

type Remembered<Key, T> = { get(key: Key): T | undefined; set(key: Key, made: T): unknown };

function remember<Key, T>(all: Remembered<Key, T>, key: Key, make: () => T): T {
  const made = all.get(key) ?? make();
  all.set(key, made);
  return made;
}

/** Keeps a picture file's pixels like `keepBytes` keeps bytes. */
export async function keepPicture(
  deps: Deps,
  accountId: string,
  file: Uint8Array,
  near?: Buffer | null,
  album?: Album,
): Promise<Buffer> {
  const packed = await preparePicture(deps, accountId, file, near, album);
  await keepAll(deps, accountId, [packed]);
  return packed.hash;
}

/** Packs a picture for `keepAll`, as `keepPicture` keeps it. */
export async function preparePicture(
  deps: Deps,
  accountId: string,
  file: Uint8Array,
  near?: Buffer | null,
  album = openAlbum(deps, accountId),
): Promise<Packed> {
  const { source, hash: known } = await album.known(file);
  if (known && (await findKept(deps, accountId, "picture", known)).isKept) return { hash: known };
  const pixels = await album.decode(file);
  const hash = await hashPixels(pixels);
  const { isKept, base } = await findKept(deps, accountId, "picture", hash, near);
  if (isKept) return { hash };
  const before = base && (await album.read(base.hash).catch(unlessLost));
  const usable = before && alike(before, pixels) ? before : undefined;
  const packed = await packPicture(pixels, usable);
  return { hash, file: { kind: "picture", source, packed, base: usable && base } };
}

/** Gives back exactly the bytes that were kept. */
export async function readBytes(deps: Deps, accountId: string, hash: Buffer): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined;
  for (const packed of (await readChain(deps, accountId, hash)).reverse())
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
  // Who opens a comparison asks for each of its pictures several times at once.
  return atOnce(blobs, `${accountId} ${hash.toString("hex")}`, async () => {
    const chain = await readChain(deps, accountId, hash);
    // Each link's bytes were found to be those that were kept; to hash the pixels again would cost more than all else.
    return unpackPicture(chain);
  });
}

const underWay = new WeakMap<BlobStore, Map<string, Promise<unknown>>>();

/** Work that is asked for again while it is under way is done once. */
function atOnce<T>(blobs: BlobStore, name: string, work: () => Promise<T>): Promise<T> {
  const all = remember(underWay, blobs, () => new Map<string, Promise<unknown>>());
  return remember(all, name, () => work().finally(() => all.delete(name))) as Promise<T>;
}

/** The packed links of a chain, from the one asked for to its keyframe. */
async function readChain({ db, blobs }: Deps, accountId: string, hash: Buffer): Promise<Uint8Array[]> {
  const rows = await contentsOf(db).chain({ accountId, hash });
  if (rows.length === 0 || rows.at(-1)?.base) throw new BlobLost(hash.toString("hex"), "missing");
  return Promise.all(
    rows.map(async ({ hash, blob }) => {
      const file = await blobs.get(accountId, blob);
      if (!hash.equals(file.subarray(0, nameLength))) throw new BlobLost(hash.toString("hex"), "altered");
      return file.subarray(nameLength);
    }),
  );
}

/** Whether something is kept already, and what it could be kept as a difference from. */
async function findKept(
  { db, blobs }: Deps,
  accountId: string,
  kind: Kind,
  hash: Buffer,
  near: Buffer | null = null,
): Promise<{ isKept: boolean; base: Link | undefined }> {
  const found = await contentsOf(db).find({ accountId, hash, near });
  const isKept =
    found.kept !== undefined && (await blobs.has(accountId, found.kept.blob, found.kept.stored_bytes));
  const isBase = found.near?.kind === kind && found.near.depth < chainLength - 1;
  return { isKept, base: isBase ? found.near : undefined };
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

// A blob begins with the name of what is packed in it: so no two contents ever share a blob, and one can be
// removed without asking who else has it.
export const nameLength = 32;

/** Keeps what is prepared, all together. Refer to it within the hour. */
export async function keepAll(
  deps: Deps,
  accountId: string,
  contents: Packed[],
  brief = false,
): Promise<void> {
  const files = contents.flatMap(({ hash, file }) => (file ? [{ hash, file }] : []));
  if (files.length === 0) return;
  const kept = await Promise.allSettled(
    files.map(({ hash, file }) => keep(deps, accountId, hash, file, brief)),
  );
  const blobs = kept.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  // Whoever deleted the account since has removed its files already, all but these.
  await contentsOf(deps.db)
    .assertAccount(accountId)
    .catch(async (error: unknown) => {
      await Promise.all(blobs.map((blob) => deps.blobs.remove(accountId, blob)));
      throw error;
    });
  const failed = kept.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
}

/** The row comes before the blob: then a crash leaves a row that collection finds, never a file that no one knows of. */
function keep(
  { db, blobs }: Deps,
  accountId: string,
  hash: Buffer,
  { packed, base, ...content }: NonNullable<Packed["file"]>,
  brief: boolean,
): Promise<Buffer> {
  return atOnce(blobs, `keep ${accountId} ${hash.toString("hex")}`, async () => {
    const file = Buffer.concat([hash, packed]);
    const blob = await digest(file);
    await contentsOf(db).add({
      accountId,
      hash,
      source: null,
      ...content,
      blob,
      base: base?.hash ?? null,
      depth: base ? base.depth + 1 : 0,
      stored_bytes: file.length,
    });
    return blobs.put(accountId, file, { hash: blob, brief });
  });
}

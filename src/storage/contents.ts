import { sql } from "kysely";
import { decodePicture, hashPixels, packPicture, unpackPicture } from "#images/open-threads.ts";
import { alike, encodePng } from "#images/pack-picture.ts";
import type { Pixels } from "#images/pixels.ts";
import { BlobLost, type BlobStore, unlessLost } from "./blobs.ts";
import { addRefs, addStoredBytes, contentsOf, type Kind, type Link } from "./contents/content-rows.ts";
import type { Database } from "./database.ts";
import { digest } from "./hash-bytes.ts";
import { packBytes, unpackBytes, wrapBytes } from "./pack-bytes.ts";

type Deps = { db: Database; blobs: BlobStore };

/** A chain is a keyframe and at most nineteen differences, each from the previous content. */
const chainLength = 20;

/** Stores bytes, if possible as a difference from `near`, and returns their hash. Refer to it within an hour. */
export async function storeBytes(
  deps: Deps,
  accountId: string,
  bytes: Uint8Array,
  near?: Buffer | null,
  cache?: CaptureCache,
): Promise<Buffer> {
  const packed = await prepareBytes(deps, accountId, bytes, near, cache);
  await storeContents(deps, accountId, [packed]);
  return packed.hash;
}

/** A content to be stored; without `file` if it is stored already. */
export type Packed = {
  hash: Buffer;
  file?: { kind: Kind; source?: Buffer; packed: Uint8Array; base: Link | undefined };
};

/** Packs bytes for `storeContents`, in the same way as `storeBytes`. */
export async function prepareBytes(
  deps: Deps,
  accountId: string,
  bytes: Uint8Array,
  near?: Buffer | null,
  cache = openCaptureCache(deps, accountId),
): Promise<Packed> {
  const hash = await cache.nameOf(bytes);
  const { isStored, base } = await findStored(deps, accountId, "bytes", hash, near);
  if (isStored) return { hash };
  const baseBytes = base && (await cache.bytes(base.hash).catch(unlessLost));
  const packed = await packBytes(bytes, baseBytes);
  return { hash, file: { kind: "bytes", packed, base: baseBytes && base } };
}

/** Stores bytes uncompressed for an hour, or until `dropBytes`. */
export async function storeBriefly(deps: Deps, accountId: string, bytes: Uint8Array): Promise<Buffer> {
  const hash = await digest(bytes);
  if ((await findStored(deps, accountId, "bytes", hash)).isStored) return hash;
  try {
    const file = { kind: "bytes" as const, packed: wrapBytes(bytes), base: undefined };
    await storeContents(deps, accountId, [{ hash, file }], true);
  } catch (error) {
    await dropBytes(deps, accountId, hash);
    throw error;
  }
  return hash;
}

/** Removes a content that nothing refers to. */
export async function dropBytes(deps: Deps, accountId: string, hash: Buffer): Promise<void> {
  await dropContents(deps, accountId, [hash]);
}

/** Removes contents that nothing refers to, newest first, so that a base goes after what was built on it. */
export async function dropContents({ db, blobs }: Deps, accountId: string, hashes: Buffer[]): Promise<void> {
  for (const hash of hashes.toReversed()) {
    await db.transaction().execute(async (tx) => {
      const deleted = await tx
        .deleteFrom("contents")
        .where("account_id", "=", accountId)
        .where("hash", "=", hash)
        .where("refs", "=", 0)
        .returning(["blob", "base", "stored_bytes"])
        .executeTakeFirst();
      if (!deleted) return;
      if (deleted.base) await addRefs(tx, accountId, [deleted.base], -1);
      await addStoredBytes(tx, accountId, -deleted.stored_bytes);
      await blobs.remove(accountId, deleted.blob);
    });
  }
}

/** Protects contents that are about to be referred to from collection for another hour. */
export async function touchContents(db: Database, accountId: string, hashes: Buffer[]): Promise<void> {
  for (let from = 0; from < hashes.length; from += 5000)
    await sql`
      update contents set touched_at = now()
      where account_id = ${accountId} and hash = any(${hashes.slice(from, from + 5000)}::bytea[])
    `.execute(db);
}

export { decodePicture, hashPixels } from "#images/open-threads.ts";
export { addRefs, addStoredBytes } from "./contents/content-rows.ts";

/** Reads or decodes each content only once, for work that needs some of them repeatedly. */
export type CaptureCache = {
  bytes(hash: Buffer): Promise<Uint8Array>;
  /** Adds bytes that may be requested; `hash` if it is known. */
  hold(bytes: Uint8Array, hash?: Buffer): Promise<void>;
  nameOf(bytes: Uint8Array): Promise<Buffer>;
  /** The hash of a picture file, and that of the stored picture that it is known to show. */
  known(file: Uint8Array): Promise<{ source: Buffer; hash: Buffer | undefined }>;
  /** Whether this file is known to show exactly the stored picture; needs no decoding. */
  isFileOf(hash: Buffer, file: Uint8Array): Promise<boolean>;
  read(hash: Buffer): Promise<Pixels>;
  decode(file: Uint8Array): Promise<Pixels>;
};

export function openCaptureCache(deps: Deps, accountId: string): CaptureCache {
  const bytes = new Map<string, Promise<Uint8Array>>();
  const names = new WeakMap<Uint8Array, Promise<Buffer>>();
  const pictures = new Map<string, Promise<Pixels>>();
  const known = new WeakMap<Uint8Array, ReturnType<CaptureCache["known"]>>();
  const decoded = new WeakMap<Uint8Array, Promise<Pixels>>();
  const cache: CaptureCache = {
    bytes: (hash) => remember(bytes, hash.toString("hex"), () => readBytes(deps, accountId, hash)),
    async hold(held, hash) {
      if (hash) names.set(held, Promise.resolve(hash));
      bytes.set((await cache.nameOf(held)).toString("hex"), Promise.resolve(held));
    },
    nameOf: (named) => remember(names, named, () => digest(named)),
    known: (file) =>
      remember(known, file, async () => {
        const source = await digest(file);
        return { source, hash: await findBySource(deps.db, accountId, source) };
      }),
    isFileOf: async (hash, file) => (await cache.known(file)).hash?.equals(hash) ?? false,
    read: (hash) => remember(pictures, hash.toString("hex"), () => readPixels(deps, accountId, hash)),
    decode: (file) => remember(decoded, file, () => decodePicture(file)),
  };
  return cache;
}

type Remembered<Key, T> = { get(key: Key): T | undefined; set(key: Key, made: T): unknown };

function remember<Key, T>(all: Remembered<Key, T>, key: Key, make: () => T): T {
  const made = all.get(key) ?? make();
  all.set(key, made);
  return made;
}

/** Stores a picture file's pixels in the same way as `storeBytes`. */
export async function storePicture(
  deps: Deps,
  accountId: string,
  file: Uint8Array,
  near?: Buffer | null,
  cache?: CaptureCache,
): Promise<Buffer> {
  const packed = await preparePicture(deps, accountId, file, near, cache);
  await storeContents(deps, accountId, [packed]);
  return packed.hash;
}

/** Packs a picture for `storeContents`, in the same way as `storePicture`. */
export async function preparePicture(
  deps: Deps,
  accountId: string,
  file: Uint8Array,
  near?: Buffer | null,
  cache = openCaptureCache(deps, accountId),
): Promise<Packed> {
  const { source, hash: known } = await cache.known(file);
  if (known && (await findStored(deps, accountId, "picture", known)).isStored) return { hash: known };
  const pixels = await cache.decode(file);
  const hash = await hashPixels(pixels);
  const { isStored, base } = await findStored(deps, accountId, "picture", hash, near);
  if (isStored) return { hash };
  const basePixels = base && (await cache.read(base.hash).catch(unlessLost));
  const usable = basePixels && alike(basePixels, pixels) ? basePixels : undefined;
  const packed = await packPicture(pixels, usable);
  return { hash, file: { kind: "picture", source, packed, base: usable && base } };
}

/** Returns exactly the bytes that were stored. */
export async function readBytes(deps: Deps, accountId: string, hash: Buffer): Promise<Uint8Array> {
  let bytes: Uint8Array | undefined;
  for (const packed of (await readChain(deps, accountId, hash)).reverse())
    bytes = await unpackBytes(packed, bytes);
  if (!bytes || !(await digest(bytes)).equals(hash)) throw new BlobLost(hash.toString("hex"), "altered");
  return bytes;
}

/** Returns a stored picture as PNG. */
export async function readPng(deps: Deps, accountId: string, hash: Buffer): Promise<Uint8Array> {
  return encodePng(await readPixels(deps, accountId, hash));
}

/** Returns exactly the pixels that were stored. */
export function readPixels(deps: Deps, accountId: string, hash: Buffer): Promise<Pixels> {
  const { blobs } = deps;
  // Opening a comparison requests each of its pictures several times at once.
  return shareWork(blobs, `${accountId} ${hash.toString("hex")}`, async () => {
    const chain = await readChain(deps, accountId, hash);
    // Each link's bytes were verified already; hashing the pixels again would cost more than everything else.
    return unpackPicture(chain);
  });
}

const inProgress = new WeakMap<BlobStore, Map<string, Promise<unknown>>>();

/** Does work only once that is requested again while it is in progress. */
function shareWork<T>(blobs: BlobStore, name: string, work: () => Promise<T>): Promise<T> {
  const all = remember(inProgress, blobs, () => new Map<string, Promise<unknown>>());
  return remember(all, name, () => work().finally(() => all.delete(name))) as Promise<T>;
}

/** The packed links of a chain, from the requested one to its keyframe. */
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

/** Whether a content is stored already, and from which other it could be stored as a difference. */
async function findStored(
  { db, blobs }: Deps,
  accountId: string,
  kind: Kind,
  hash: Buffer,
  near: Buffer | null = null,
): Promise<{ isStored: boolean; base: Link | undefined }> {
  const found = await contentsOf(db).find({ accountId, hash, near });
  const isStored =
    found.kept !== undefined && (await blobs.has(accountId, found.kept.blob, found.kept.stored_bytes));
  const isBase = found.near?.kind === kind && found.near.depth < chainLength - 1;
  return { isStored, base: isBase ? found.near : undefined };
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

// A blob begins with the hash of its unpacked content, so no two contents ever share a blob, and a blob can be removed
// without asking who else uses it.
export const nameLength = 32;

/** Stores prepared contents together. Refer to them within an hour. */
export async function storeContents(
  deps: Deps,
  accountId: string,
  contents: Packed[],
  brief = false,
): Promise<void> {
  const files = contents.flatMap(({ hash, file }) => (file ? [{ hash, file }] : []));
  if (files.length === 0) return;
  const results = await Promise.allSettled(
    files.map(({ hash, file }) => keep(deps, accountId, hash, file, brief)),
  );
  const blobs = results.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  // If the account was deleted meanwhile, all its files but these were removed already.
  await contentsOf(deps.db)
    .assertAccount(accountId)
    .catch(async (error: unknown) => {
      await Promise.all(blobs.map((blob) => deps.blobs.remove(accountId, blob)));
      throw error;
    });
  const failed = results.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
}

/**
 * Writes the row before the blob, so that a crash leaves a row that collection finds, never an unknown file. A row that
 * exists may be referred to, so it is pointed at another blob only once that is stored.
 */
function keep(
  { db, blobs }: Deps,
  accountId: string,
  hash: Buffer,
  { packed, base, ...content }: NonNullable<Packed["file"]>,
  brief: boolean,
): Promise<Buffer> {
  return shareWork(blobs, `keep ${accountId} ${hash.toString("hex")}`, async () => {
    const file = Buffer.concat([hash, packed]);
    const blob = await digest(file);
    const row = {
      accountId,
      hash,
      source: null,
      ...content,
      blob,
      base: base?.hash ?? null,
      depth: base ? base.depth + 1 : 0,
      stored_bytes: file.length,
    };
    for (;;) {
      const isNew = await contentsOf(db).add(row);
      await blobs.put(accountId, file, { hash: blob, brief });
      // A row that was collected meanwhile is added anew; its file may be gone, too.
      if (isNew || (await contentsOf(db).replace(row))) return blob;
    }
  });
}

import { fileURLToPath } from "node:url";
import type { BlobPlace } from "./blobs/blob-place.ts";
import { openDiskBlobs } from "./blobs/disk.ts";
import { digest } from "./digest.ts";

/**
 * Files named by the SHA-256 of their bytes, kept apart by owner so that an account's go with it.
 * Durable when `put` answers, unless they are meant for a brief while; `get` never gives other bytes than were put.
 */
export type BlobStore = {
  put(owner: string, bytes: Uint8Array, known?: { hash: Buffer; brief: boolean }): Promise<Buffer>;
  get(owner: string, hash: Uint8Array): Promise<Uint8Array>;
  /** Whole where `bytes` says how many there must be: a store whose disk was full may hold a part. */
  has(owner: string, hash: Uint8Array, bytes?: number): Promise<boolean>;
  /** Removing what is not there is no error. */
  remove(owner: string, hash: Uint8Array): Promise<void>;
  removeOwner(owner: string): Promise<void>;
  /** Throws when blobs cannot be written just now. */
  probe(): Promise<void>;
  /** Every blob there is, whoever's, in no order. */
  list(): AsyncIterable<{ owner: string; hash: Buffer; bytes: number; changedAt: Date }>;
};

/** Opens what `where` names: a folder (`file:`) or a bucket (`s3://bucket/prefix?endpoint=…&region=…`). */
export async function openBlobs(where: URL): Promise<BlobStore> {
  if (where.protocol === "file:") return checked(await openDiskBlobs(fileURLToPath(where)));
  if (where.protocol === "s3:") {
    const { openS3Blobs } = await import("./blobs/s3.ts");
    return checked(openS3Blobs(where));
  }
  throw new Error(`no blobs at ${where.protocol}`);
}

export class BlobLost extends Error {
  constructor(key: string, how: "missing" | "altered") {
    super(`blob ${key} is ${how}`);
    this.name = "BlobLost";
  }
}

/** For `catch`: what is lost is nothing; a store that does not answer is an error. */
export function unlessLost(error: unknown): undefined {
  if (!(error instanceof BlobLost)) throw error;
}

function checked(place: BlobPlace): BlobStore {
  return {
    async put(owner, bytes, known) {
      const hash = known?.hash ?? (await digest(bytes));
      const key = keyOf(owner, hash);
      if ((await place.sizeOf(key)) !== bytes.length) await place.write(key, bytes, known?.brief ?? false);
      return hash;
    },
    async get(owner, hash) {
      const key = keyOf(owner, hash);
      const bytes = await place.read(key);
      if (!bytes) throw new BlobLost(key, "missing");
      if (!(await digest(bytes)).equals(hash)) throw new BlobLost(key, "altered");
      return bytes;
    },
    async has(owner, hash, bytes) {
      const size = await place.sizeOf(keyOf(owner, hash));
      return size !== null && (bytes === undefined || size === bytes);
    },
    remove: (owner, hash) => place.remove(keyOf(owner, hash)),
    removeOwner: (owner) => place.removeBelow(ownerKey(owner)),
    probe: () => place.probe(),
    async *list() {
      for await (const { key, bytes, changedAt } of place.list()) {
        const [owner = "", , hash = ""] = key.split("/");
        yield { owner, hash: Buffer.from(hash, "hex"), bytes, changedAt };
      }
    },
  };
}

function keyOf(owner: string, hash: Uint8Array): string {
  const name = Buffer.from(hash).toString("hex");
  if (name.length !== 64) throw new Error("a blob is named by 32 bytes");
  return `${ownerKey(owner)}/${name.slice(0, 2)}/${name}`;
}

function ownerKey(owner: string): string {
  if (!/^[0-9a-f-]{36}$/.test(owner)) throw new Error("a blob's owner is a UUID");
  return owner;
}

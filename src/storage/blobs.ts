import { fileURLToPath } from "node:url";
import type { BlobBackend } from "./blobs/blob-backend.ts";
import { openDiskBlobs } from "./blobs/disk.ts";
import { digest } from "./hash-bytes.ts";

/**
 * Files named by the SHA-256 of their bytes, separate for each owner so that an account's files are deleted with it.
 * They are durable once `put` resolves, unless they are `brief`; `get` never returns other bytes than were put.
 */
export type BlobStore = {
  put(owner: string, bytes: Uint8Array, known?: { hash: Buffer; brief: boolean }): Promise<Buffer>;
  get(owner: string, hash: Uint8Array): Promise<Uint8Array>;
  /** With `bytes`, the blob must also have that size: a store whose disk was full may hold only a part. */
  has(owner: string, hash: Uint8Array, bytes?: number): Promise<boolean>;
  /** Removing a blob that doesn't exist is no error. */
  remove(owner: string, hash: Uint8Array): Promise<void>;
  removeOwner(owner: string): Promise<void>;
  /** Throws when blobs cannot be written just now. The store is asked at most once a second, whoever wants to know. */
  probe(): Promise<void>;
  /** Every blob of every owner, in no particular order. */
  list(): AsyncIterable<{ owner: string; hash: Buffer; bytes: number; changedAt: Date }>;
};

/** Opens the store at `where`: a folder (`file:`) or a bucket (`s3://bucket/prefix?endpoint=…&region=…`). */
export async function openBlobs(where: URL): Promise<BlobStore> {
  if (where.protocol === "file:") return addChecks(await openDiskBlobs(fileURLToPath(where)));
  if (where.protocol === "s3:") {
    const { openS3Blobs } = await import("./blobs/s3.ts");
    return addChecks(openS3Blobs(where));
  }
  throw new Error(`no blobs at ${where.protocol}`);
}

export class BlobLost extends Error {
  constructor(key: string, how: "missing" | "altered") {
    super(`blob ${key} is ${how}`);
    this.name = "BlobLost";
  }
}

/** The store doesn't answer, refuses, or has no room: nothing is wrong with the blob, and waiting may help. */
export class BlobsUnavailable extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "BlobsUnavailable";
  }
}

async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new BlobsUnavailable(error);
  }
}

/** For `catch`: a lost blob becomes undefined; other errors, such as a store that doesn't answer, are thrown. */
export function unlessLost(error: unknown): undefined {
  if (!(error instanceof BlobLost)) throw error;
}

function addChecks(backend: BlobBackend): BlobStore {
  return {
    async put(owner, bytes, known) {
      const hash = known?.hash ?? (await digest(bytes));
      const key = keyOf(owner, hash);
      if ((await orUnavailable(backend.sizeOf(key))) !== bytes.length)
        await orUnavailable(backend.write(key, bytes, known?.brief ?? false));
      return hash;
    },
    async get(owner, hash) {
      const key = keyOf(owner, hash);
      const bytes = await orUnavailable(backend.read(key));
      if (!bytes) throw new BlobLost(key, "missing");
      if (!(await digest(bytes)).equals(hash)) throw new BlobLost(key, "altered");
      return bytes;
    },
    async has(owner, hash, bytes) {
      const size = await orUnavailable(backend.sizeOf(keyOf(owner, hash)));
      return size !== null && (bytes === undefined || size === bytes);
    },
    remove: (owner, hash) => backend.remove(keyOf(owner, hash)),
    removeOwner: (owner) => backend.removeBelow(ownerKey(owner)),
    probe: shareProbes(() => backend.probe()),
    async *list() {
      for await (const { key, bytes, changedAt } of backend.list()) {
        const [owner = "", , hash = ""] = key.split("/");
        yield { owner, hash: Buffer.from(hash, "hex"), bytes, changedAt };
      }
    },
  };
}

const probeEveryMs = 1_000;

/** A probe writes to the store, and anybody may ask whether the product is ready: one a second is enough for all. */
function shareProbes(probe: () => Promise<void>): () => Promise<void> {
  let last: { at: number; outcome: Promise<void> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= probeEveryMs) last = { at: now, outcome: probe() };
    return last.outcome;
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

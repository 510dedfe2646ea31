/** What a storage backend must be able to do; names and checks are the same for all backends. */
export type BlobBackend = {
  /** A `brief` blob doesn't have to survive a power cut. */
  write(key: string, bytes: Uint8Array, brief: boolean): Promise<void>;
  read(key: string): Promise<Uint8Array | null>;
  /** The size in bytes; null if there is no such blob. */
  sizeOf(key: string): Promise<number | null>;
  remove(key: string): Promise<void>;
  removeBelow(prefix: string): Promise<void>;
  /** Throws with the reason when nothing can be written just now. */
  probe(): Promise<void>;
  /** Every blob by its key, in no particular order. */
  list(): AsyncIterable<{ key: string; bytes: number; changedAt: Date }>;
};

/** Whether a name is a blob's key: owner, two digits of the hash, hash. */
export function isBlobKey(key: string): boolean {
  return /^[0-9a-f-]{36}\/[0-9a-f]{2}\/[0-9a-f]{64}$/.test(key);
}

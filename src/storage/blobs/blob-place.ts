/** What a place must be able to do; names and checks are the same for all of them. */
export type BlobPlace = {
  /** What is `brief` need not outlive a power cut. */
  write(key: string, bytes: Uint8Array, brief: boolean): Promise<void>;
  read(key: string): Promise<Uint8Array | null>;
  /** How many bytes are there; null where nothing is. */
  sizeOf(key: string): Promise<number | null>;
  remove(key: string): Promise<void>;
  removeBelow(prefix: string): Promise<void>;
  /** Throws with the reason when nothing can be written just now. */
  probe(): Promise<void>;
  /** Every blob by its key, in no order. */
  list(): AsyncIterable<{ key: string; bytes: number; changedAt: Date }>;
};

/** Whether a name is a blob's: an owner, two digits of its hash, its hash. */
export function isBlobKey(key: string): boolean {
  return /^[0-9a-f-]{36}\/[0-9a-f]{2}\/[0-9a-f]{64}$/.test(key);
}

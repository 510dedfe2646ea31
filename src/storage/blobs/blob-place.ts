/** What a place must be able to do; names and checks are the same for all of them. */
export type BlobPlace = {
  /** What is `brief` need not outlive a power cut. */
  write(key: string, bytes: Uint8Array, brief: boolean): Promise<void>;
  read(key: string): Promise<Uint8Array | null>;
  exists(key: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  removeBelow(prefix: string): Promise<void>;
  probe(): Promise<void>;
};

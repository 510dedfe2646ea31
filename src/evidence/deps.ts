import type { BlobStore } from "#storage/blobs.ts";
import type { Database } from "#storage/database.ts";

/** What is needed to read captures and write seals. */
export type Deps = { db: Database; blobs: BlobStore };

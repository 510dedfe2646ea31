import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BlobStore, openBlobs } from "#storage/blobs.ts";
import type { Config } from "./config.ts";

/** Where captures are kept: the bucket that the operator names, or a folder in DATA_DIR. */
export const openCaptures = ({ blobStore }: Pick<Config, "blobStore">, dataDir: string): Promise<BlobStore> =>
  openBlobs(blobStore ? new URL(blobStore) : pathToFileURL(join(dataDir, "blobs")));

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BlobStore, openBlobs } from "#storage/blobs.ts";
import type { Config } from "../config.ts";

/** Where captures are stored: in the bucket that the operator names, or in a folder in DATA_DIR. */
export const findCaptureStore = ({ blobStore }: Pick<Config, "blobStore">, dataDir: string): URL =>
  blobStore ? new URL(blobStore) : pathToFileURL(join(dataDir, "blobs"));

export const openCaptureStore = (config: Pick<Config, "blobStore">, dataDir: string): Promise<BlobStore> =>
  openBlobs(findCaptureStore(config, dataDir));

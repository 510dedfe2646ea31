import { createHash } from "node:crypto";
import { openBucket } from "./blobs/s3.ts";

/** A bucket in which nobody, not even its owner, can change or delete a file before the retention ends. */
export type LockedBucket = { name: string; write(key: string, text: string): Promise<void> };

const defaultLockDays = 3650;

/** Opens a bucket with object lock; `lock-days` in its URL says how long each file is kept. */
export function openLockedBucket(where: URL, now: () => number = Date.now): LockedBucket {
  const { fullKey, callExisting } = openBucket(where);
  const days = Number(where.searchParams.get("lock-days") ?? defaultLockDays);
  return {
    name: where.hostname,
    async write(key, text) {
      const bytes = Buffer.from(text);
      await callExisting("PUT", `/${fullKey(key)}`, bytes, {
        "content-type": "application/json",
        // S3 demands a checksum of every file that is locked.
        "x-amz-checksum-sha256": createHash("sha256").update(bytes).digest("base64"),
        "x-amz-object-lock-mode": "COMPLIANCE",
        "x-amz-object-lock-retain-until-date": new Date(now() + days * 86_400_000).toISOString(),
      });
    },
  };
}

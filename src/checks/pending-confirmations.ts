import { deserialize, serialize } from "node:v8";
import type { Stages } from "#contract/job.ts";
import { unlessLost } from "#storage/blobs.ts";
import { dropBytes, readBytes, storeBriefly } from "#storage/contents.ts";
import type { Unconfirmed } from "./check-result.ts";
import type { Deps } from "./deps.ts";

type Stores = Pick<Deps, "db" | "blobs">;

/** What the first capture of a check leaves for its confirmation. */
export type PendingConfirmation = Unconfirmed & {
  jobId: string;
  /** Which of the job's targets was captured. */
  targetVersion: number;
  /** How long the stages of the first capture took, when it was over, and how many attempts at it failed. */
  stages: Stages;
  at: number;
  failedAttempts: number;
};

/** Stores it for an hour and returns its name. */
export async function storePendingConfirmation(
  deps: Stores,
  accountId: string,
  pending: PendingConfirmation,
): Promise<string> {
  return (await storeBriefly(deps, accountId, serialize(pending))).toString("hex");
}

/** Returns undefined once the hour is over; the check then starts again. */
export async function readPendingConfirmation(
  deps: Stores,
  accountId: string,
  name: string,
): Promise<PendingConfirmation | undefined> {
  const bytes = await readBytes(deps, accountId, Buffer.from(name, "hex")).catch(unlessLost);
  return bytes && (deserialize(bytes) as PendingConfirmation);
}

export async function dropPendingConfirmation(deps: Stores, accountId: string, name: string): Promise<void> {
  await dropBytes(deps, accountId, Buffer.from(name, "hex"));
}

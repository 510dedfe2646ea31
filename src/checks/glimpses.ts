import { deserialize, serialize } from "node:v8";
import type { Stages } from "#contract/job.ts";
import { unlessLost } from "#storage/blobs.ts";
import { dropBytes, keepBriefly, readBytes } from "#storage/chains.ts";
import type { Deps } from "./deps.ts";
import type { Glimpse } from "./look.ts";

type Storing = Pick<Deps, "db" | "blobs">;

/** What the first look of a check leaves for the second. */
export type KeptGlimpse = Glimpse & {
  jobId: string;
  /** Which of the job's targets was seen. */
  targetVersion: number;
  /** What the first look took, when it was over, and how many attempts at it failed. */
  stages: Stages;
  at: number;
  failedAttempts: number;
};

/** Keeps a glimpse for an hour; answers its name. */
export async function keepGlimpse(deps: Storing, accountId: string, glimpse: KeptGlimpse): Promise<string> {
  return (await keepBriefly(deps, accountId, serialize(glimpse))).toString("hex");
}

/** Undefined when it was not asked for within the hour: then the check begins anew. */
export async function readGlimpse(
  deps: Storing,
  accountId: string,
  name: string,
): Promise<KeptGlimpse | undefined> {
  const bytes = await readBytes(deps, accountId, Buffer.from(name, "hex")).catch(unlessLost);
  return bytes && (deserialize(bytes) as KeptGlimpse);
}

export async function dropGlimpse(deps: Storing, accountId: string, name: string): Promise<void> {
  await dropBytes(deps, accountId, Buffer.from(name, "hex"));
}

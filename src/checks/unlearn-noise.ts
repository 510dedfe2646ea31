import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { type NoiseMemory, openMemory, unlearn } from "#detection/noise-memory.ts";
import { findMemory, lockJob, saveMemory } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** Lets a place alert again, and keeps it from being learned once more. */
export async function unlearnNoise(
  deps: Pick<Deps, "db">,
  actor: Actor,
  jobId: string,
  place: string,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const job = await lockJob(tx, actor.accountId, jobId);
    if (!job) throw new AppError("NOT_FOUND");
    const { memory, evidence } = await findMemory(tx, jobId);
    const known = openMemory(memory as NoiseMemory | null);
    await saveMemory(tx, jobId, { memory: unlearn(known, place), evidence });
  });
}

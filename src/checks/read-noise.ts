import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { listLearned, type NoiseMemory, openMemory } from "#detection/noise-memory.ts";
import { findJob, findMemory } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** What a job has learned to take for noise. */
export async function readNoise({ db }: Pick<Deps, "db">, { accountId }: Actor, jobId: string) {
  if (!(await findJob(db, accountId, jobId))) throw new AppError("NOT_FOUND");
  const { memory } = await findMemory(db, jobId);
  const known = openMemory(memory as NoiseMemory | null);
  return { learned: listLearned(known), kept: known.kept };
}

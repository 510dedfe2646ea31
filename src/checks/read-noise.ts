import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { listLearned, type NoiseMemory, openMemory } from "#detection/noise-memory.ts";
import { findJob, findMemory } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** What a job has learned to take for noise, and what its user said of it. */
export async function readNoise({ db }: Pick<Deps, "db">, { accountId }: Actor, jobId: string) {
  if (!(await findJob(db, accountId, jobId))) throw new AppError("NOT_FOUND");
  const { memory } = await findMemory(db, jobId);
  const known = openMemory(memory as NoiseMemory | null);
  const dates = new Map(Object.entries(known.dates));
  const dated = (place: string) => ({ place, since: dates.get(place) ?? null });
  return {
    learned: listLearned(known).map(({ id = null, since = null, ...one }) => ({ id, since, ...one })),
    kept: known.kept.map(dated),
    answers: Object.entries(known.answers).flatMap(([place, answer]) =>
      answer === "noise" ? [] : [{ ...dated(place), answer }],
    ),
  };
}

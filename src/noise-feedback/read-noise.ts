import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { listLearned, type NoiseMemory, openMemory } from "#detection/noise-memory/noise-memory.ts";
import { findJob, findMemory } from "#storage/jobs.ts";

/** Reads what a job has learned to treat as noise, and its user's feedback. */
export async function readNoise({ db }: Pick<Deps, "db">, { accountId }: Actor, jobId: string) {
  if (!(await findJob(db, accountId, jobId))) throw new AppError("NOT_FOUND");
  const { memory } = await findMemory(db, jobId);
  const known = openMemory(memory as NoiseMemory | null);
  const dates = new Map(Object.entries(known.dates));
  const withDate = (place: string) => ({ place, since: dates.get(place) ?? null });
  return {
    learned: listLearned(known).map(({ id = null, since = null, ...one }) => ({ id, since, ...one })),
    kept: known.kept.map(withDate),
    answers: Object.entries(known.answers).flatMap(([place, answer]) =>
      answer === "noise" ? [] : [{ ...withDate(place), answer }],
    ),
  };
}

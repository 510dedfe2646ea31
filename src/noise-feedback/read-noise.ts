import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { listIdleRules } from "#detection/noise-memory/idle-rules.ts";
import { listLearned, type NoiseMemory, openMemory } from "#detection/noise-memory/noise-memory.ts";
import { readPlainSetting } from "#storage/job-settings.ts";
import { findJob, findMemory } from "#storage/jobs.ts";

/** Reads what a job has learned to treat as noise, and its user's feedback. */
export async function readNoise({ db }: Pick<Deps, "db">, { accountId }: Actor, jobId: string) {
  const job = await findJob(db, accountId, jobId);
  if (!job) throw new AppError("NOT_FOUND");
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
    // A group's rule may be meant for other jobs of the group.
    idleRules: listIdleRules(known, readPlainSetting<"ignore">(job, "ignore")),
  };
}

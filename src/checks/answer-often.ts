import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { OftenAnswer } from "#contract/job.ts";
import { type NoiseMemory, openMemory } from "#detection/noise-memory.ts";
import { answerOften as answerPlace } from "#detection/often.ts";
import type { Verdict } from "#detection/verdict.ts";
import { findExecution, findVerdict } from "#storage/executions.ts";
import { findMemory, lockJob, saveMemory } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";
import type { Deps } from "./deps.ts";

/** What an answer means for the places it is about, as its user reads it. */
export const answerWords: Record<OftenAnswer, string> = {
  keepTelling: "You are told at once each time it changes.",
  daily: "Its changes come once a day from now on.",
  noise: "Its changes are taken for noise from now on.",
};

/** Keeps what a user wants of the places that an execution found changing again and again. */
export async function answerOften(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  jobId: string,
  executionId: string,
  answer: OftenAnswer,
): Promise<void> {
  const execution = await findExecution(db, accountId, jobId, executionId);
  const verdict = execution && ((await findVerdict(db, executionId)) as Partial<Verdict> | null);
  const places = verdict?.often ?? [];
  if (places.length === 0) throw new AppError("NOT_FOUND", "Nothing is asked about this execution.");
  await db.transaction().execute(async (tx) => {
    if (!(await lockJob(tx, accountId, jobId))) throw new AppError("NOT_FOUND");
    const { memory, evidence } = await findMemory(tx, jobId);
    let said = openMemory(memory as NoiseMemory | null);
    for (const { place } of places) said = answerPlace(said, place, answer);
    await saveMemory(tx, jobId, { memory: said, evidence });
    const meta = `You said of a place that keeps changing: ${answerWords[answer]}`;
    await insertLogs(tx, jobId, [{ level: "info", meta }], executionId);
  });
}

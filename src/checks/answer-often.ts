import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { OftenAnswer } from "#contract/job.ts";
import { answerOften as answerPlace } from "#detection/often.ts";
import type { Verdict } from "#detection/verdict.ts";
import { findExecution, findVerdict } from "#storage/executions.ts";
import { changeMemory } from "./change-memory.ts";
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
  actor: Actor,
  jobId: string,
  executionId: string,
  answer: OftenAnswer,
): Promise<void> {
  const execution = await findExecution(db, actor.accountId, jobId, executionId);
  const verdict = execution && ((await findVerdict(db, executionId)) as Partial<Verdict> | null);
  const places = verdict?.often ?? [];
  if (places.length === 0) throw new AppError("NOT_FOUND", "Nothing is asked about this execution.");
  const meta = `You said of a place that keeps changing: ${answerWords[answer]}`;
  await changeMemory(
    { db },
    actor,
    jobId,
    (memory, at) => places.reduce((said, { place }) => answerPlace(said, place, answer, at), memory),
    { meta, executionId },
  );
}

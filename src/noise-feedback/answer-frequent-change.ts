import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { FrequentChangeAnswer } from "#contract/job.ts";
import { answerOften as answerPlace } from "#detection/frequent-changes/frequent-changes.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { findExecution, findVerdict } from "#storage/executions.ts";
import { changeMemory } from "./change-memory.ts";

/** What each answer means for its locations, in the words that the user reads. */
export const answerWords: Record<FrequentChangeAnswer, string> = {
  keepTelling: "You’ll get an alert every time it changes.",
  daily: "Its changes go to the daily digest from now on.",
  noise: "Its changes are ignored as noise from now on.",
};

/** Saves the user's feedback on the locations that an execution found to change often. */
export async function answerOften(
  { db }: Pick<Deps, "db">,
  actor: Actor,
  jobId: string,
  executionId: string,
  answer: FrequentChangeAnswer,
): Promise<void> {
  const execution = await findExecution(db, actor.accountId, jobId, executionId);
  const verdict = execution && ((await findVerdict(db, executionId)) as Partial<Verdict> | null);
  const places = verdict?.often ?? [];
  if (places.length === 0) throw new AppError("NOT_FOUND", "There’s no question about this execution.");
  const meta = `Your choice for a part that changes often: ${answerWords[answer]}`;
  await changeMemory(
    { db },
    actor,
    jobId,
    (memory, at) => places.reduce((known, { place }) => answerPlace(known, place, answer, at), memory),
    { meta, executionId },
  );
}

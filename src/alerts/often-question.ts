import { answerOften, answerWords } from "#checks/answer-often.ts";
import { AppError } from "#contract/errors.ts";
import { type OftenAnswer, oftenAnswers } from "#contract/job.ts";
import type { Alert } from "#delivery/alert.ts";
import type { ChangeRecord } from "#history/read-change.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { findJobOfExecution } from "#storage/executions.ts";
import { findJob } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

const labels: Record<OftenAnswer, string> = {
  keepTelling: "Keep telling me",
  daily: "Once a day",
  noise: "This is noise",
};

/** What is asked with an alert whose place keeps changing; null when there is nothing to ask, or it was asked. */
export function oftenQuestion(deps: Deps, { job, execution, often }: ChangeRecord): Alert["question"] {
  const places = often.filter(({ folded, isNew }) => isNew && !folded);
  if (places.length === 0) return null;
  const times = Math.max(...places.map((place) => place.times));
  return {
    text: `This place changed at ${times} of the last 5 checks. What would you like?`,
    choices: oftenAnswers.map((answer) => {
      const token = deps.secrets.seal(`${job.account_id} ${execution.id} ${answer}`, context);
      return { label: labels[answer], answer, link: `${deps.baseUrl}/api/often/${token}` };
    }),
  };
}

const context = "often";

/** What a mail's link would answer; undefined when nobody made it. */
export function openQuestion({ secrets }: Pick<Deps, "secrets">, token: string) {
  try {
    const [accountId = "", executionId = "", word] = secrets.open(token, context).split(" ");
    const answer = oftenAnswers.find((one) => one === word);
    return answer && { accountId, executionId, answer, label: labels[answer] };
  } catch {
    return undefined;
  }
}

/** Answers by a mail's link; undefined when the link is not ours or what it asks about is gone. */
export async function answerByLink(deps: Deps, token: string): Promise<string | undefined> {
  const about = openQuestion(deps, token);
  const jobId = about && (await findJobOfExecution(deps.db, about.accountId, about.executionId));
  if (!about || !jobId) return undefined;
  try {
    await answerOften(deps, about, jobId, about.executionId, about.answer);
    const name = (await findJob(deps.db, about.accountId, jobId))?.name;
    await addAuditEntry(deps.db, about.accountId, { action: "rules-changed", about: name, actor: "link" });
    return answerWords[about.answer];
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

import type { Deps as CheckDeps } from "#checks/deps.ts";
import { AppError } from "#contract/errors.ts";
import { type FrequentChangeAnswer, frequentChangeAnswers } from "#contract/job.ts";
import type { ChangeRecord } from "#history/read-change.ts";
import type { Alert } from "#message-templates/alert.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { findJobOfExecution } from "#storage/executions.ts";
import { findJob } from "#storage/jobs.ts";
import { answerOften, answerWords } from "./answer-frequent-change.ts";

type Deps = Pick<CheckDeps, "db" | "secrets"> & { /** Address of the product, for links. */ baseUrl: string };

const labels: Record<FrequentChangeAnswer, string> = {
  keepTelling: "Keep alerting me",
  daily: "Daily digest",
  noise: "This is noise",
};

/** The question for an alert whose location changes often; null if there is none or it was asked before. */
export function frequentChangeQuestion(
  deps: Deps,
  { job, execution, often }: ChangeRecord,
): Alert["question"] {
  const locations = often.filter(({ folded, isNew }) => isNew && !folded);
  if (locations.length === 0) return null;
  const times = Math.max(...locations.map((location) => location.times));
  return {
    text: `This part changed in ${times} of the last 5 checks. How should we alert you?`,
    choices: frequentChangeAnswers.map((answer) => {
      const token = deps.secrets.seal(`${job.account_id} ${execution.id} ${answer}`, tokenContext);
      return { label: labels[answer], answer, link: `${deps.baseUrl}/api/often/${token}` };
    }),
  };
}

const tokenContext = "often";

/** Decodes the answer in a mail's link; undefined if we did not create the link. */
export function openAnswerLink({ secrets }: Pick<Deps, "secrets">, token: string) {
  try {
    const [accountId = "", executionId = "", word] = secrets.open(token, tokenContext).split(" ");
    const answer = frequentChangeAnswers.find((one) => one === word);
    return answer && { accountId, executionId, answer, label: labels[answer] };
  } catch {
    return undefined;
  }
}

/** Applies the answer in a mail's link; undefined if the link isn't ours or its subject is gone. */
export async function answerByLink(deps: Deps, token: string): Promise<string | undefined> {
  const about = openAnswerLink(deps, token);
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

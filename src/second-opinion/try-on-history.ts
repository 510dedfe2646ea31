import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { OpinionTrial, OpinionTrialReply } from "#contract/second-opinion.ts";
import { describeExecution } from "#storage/describe-execution.ts";
import { findJob } from "#storage/jobs.ts";
import { listAlertedChanges, type OpinionEndpointRow } from "#storage/opinions.ts";
import { applyOpinion } from "./apply-opinion.ts";
import { askAboutChange } from "./ask-about-change.ts";
import type { Deps } from "./deps.ts";
import { requireEndpoint } from "./manage-endpoint.ts";
import { readQuestion } from "./read-question.ts";

/** The call ends after this time; what is left is asked by the next. */
const trialMs = 40_000;

/** Asks about a job's past alerts and says which would have been lowered. Nothing about the job is changed. */
export async function tryOnHistory(
  deps: Deps,
  { accountId }: Actor,
  jobId: string,
  { count, matters, before }: OpinionTrial,
): Promise<OpinionTrialReply> {
  const endpoint = await requireEndpoint(deps, accountId);
  if (!(await findJob(deps.db, accountId, jobId))) throw new AppError("NOT_FOUND");
  const past = await listAlertedChanges(deps.db, accountId, jobId, {
    limit: count + 1,
    beforeId: before ?? null,
  });
  const end = Date.now() + trialMs;
  const changes: OpinionTrialReply["changes"] = [];
  let last: string | null = null;
  for (const { id } of past.slice(0, count)) {
    if (last !== null && Date.now() > end) break;
    const tried = await tryOne(deps, endpoint, { jobId, executionId: id, matters });
    if (tried) changes.push(tried);
    last = id;
  }
  const hasMore = last !== null && last !== past.at(-1)?.id;
  const opinions = changes.map(({ opinion }) => opinion);
  const sum = (part: "inputTokens" | "outputTokens") =>
    opinions.reduce((total, opinion) => total + opinion[part], 0);
  const costs = opinions.flatMap(({ cost }) => cost ?? []);
  return {
    changes,
    next: hasMore ? last : null,
    spent: {
      calls: opinions.filter(({ inputTokens }) => inputTokens > 0).length,
      inputTokens: sum("inputTokens"),
      outputTokens: sum("outputTokens"),
      cost: costs.length > 0 ? costs.reduce((total, cost) => total + cost, 0) : null,
    },
  };
}

async function tryOne(
  deps: Deps,
  endpoint: OpinionEndpointRow,
  asked: { jobId: string; executionId: string; matters: string | null | undefined },
): Promise<OpinionTrialReply["changes"][number] | undefined> {
  const question = await readQuestion(deps.db, endpoint.account_id, asked);
  if (!question) return undefined;
  const deadline = Date.now() + endpoint.wait_seconds * 1_000;
  const answer = await askAboutChange(deps, endpoint, question.change, deadline);
  const blockCount = question.change.blocks.length;
  const opinion = applyOpinion(answer, { use: "lower", fixed: question.fixed, blockCount });
  const { index, createdAt, summary, severity } = describeExecution(question.execution);
  return {
    executionId: question.execution.id,
    index,
    createdAt,
    summary,
    severity,
    wouldLower: opinion.lowered,
    opinion: { ...opinion, lowered: false },
  };
}

import type { OpinionBlock } from "#contract/second-opinion.ts";
import { findOpinionEndpoint } from "#storage/opinions.ts";
import { askAboutChange } from "./ask-about-change.ts";
import { cleanText } from "./clean-text.ts";
import type { Deps } from "./deps.ts";
import { readQuestion } from "./read-question.ts";

const limits = { changes: 20, blocksPerChange: 4, blockLength: 400, mattersLength: 500 };

type Asked = { jobId: string; executionId: string };
type Summary = { model: string; sentence: string } | null;

/** One sentence about several changes, by the same rules as for one; null if there is none or anything fails. */
export async function summarizeChanges(deps: Deps, accountId: string, changes: Asked[]): Promise<Summary> {
  return askForSummary(deps, accountId, changes).catch(() => null);
}

/** The blocks begin with the names of their jobs, so that the sentence may name these. */
async function askForSummary(deps: Deps, accountId: string, changes: Asked[]): Promise<Summary> {
  const endpoint = await findOpinionEndpoint(deps.db, accountId);
  if (!endpoint?.is_on || (endpoint.paused_until && endpoint.paused_until > new Date())) return null;
  const found = await Promise.all(
    changes.slice(0, limits.changes).map((change) => readQuestion(deps.db, accountId, change)),
  );
  const asked = found.flatMap((question) => (question && question.use !== "off" ? [question] : []));
  if (asked.length < 2) return null;
  const blocks: OpinionBlock[] = asked
    .flatMap(({ change }) =>
      change.blocks.slice(0, limits.blocksPerChange).map(({ sign, text }) => ({
        sign,
        text: `${cleanText(change.jobName)}: ${text}`.slice(0, limits.blockLength).toWellFormed(),
      })),
    )
    .map((block, at) => ({ id: `b${at + 1}`, ...block }));
  const matters = [...new Set(asked.map(({ change }) => change.matters))].join(" ").trim();
  const question = {
    jobId: null,
    jobName: `${asked.length} pages`,
    matters: matters.slice(0, limits.mattersLength).toWellFormed(),
    blocks,
  };
  const deadline = Date.now() + endpoint.wait_seconds * 1_000;
  const { sentence, model } = await askAboutChange(deps, endpoint, question, deadline);
  return sentence === null ? null : { model, sentence };
}

import type { PageBlock } from "#contract/page-block.ts";
import { blocksOf } from "#page-index/blocks-of.ts";
import type { RecordedCapture } from "#page-index/index-captures.ts";
import { readFacts } from "#page-index/index-history.ts";
import type { Kept } from "#storage/executions.ts";
import type { JobRow } from "#storage/jobs.ts";
import type { CheckResult } from "./check-result.ts";
import type { Deps } from "./deps.ts";

type Recorded = {
  job: JobRow;
  executionId: string;
  number: number;
  at: Date;
  result: CheckResult;
  stored: { kept: Kept | null };
  blocks: PageBlock[] | null;
};

/** What the pages of executions consist of; null for those that failed, or are known to be the same as before. */
export async function readBlocks(
  deps: Pick<Deps, "db" | "blobs">,
  recorded: Recorded[],
): Promise<RecordedCapture[]> {
  return Promise.all(
    recorded.map(async ({ job, executionId, number, at, ...found }): Promise<RecordedCapture> => {
      const blocks = found.blocks ?? (await readUnmodified(deps, job, found));
      return { jobId: job.id, accountId: job.account_id, executionId, number, at, blocks };
    }),
  );
}

async function readUnmodified(
  deps: Pick<Deps, "db" | "blobs">,
  job: JobRow,
  { result, stored: { kept } }: Pick<Recorded, "result" | "stored">,
): Promise<PageBlock[] | null> {
  if (result.kind === "failed" || !kept) return null;
  // Not modified since the baseline: the same as before, unless another page was recorded in between.
  if (job.last_execution_id === job.baseline_id) return null;
  const page = await readFacts(deps, job.account_id, kept.facts);
  return page ? blocksOf(page) : null;
}

import type { Deps } from "#checks/deps.ts";
import { canTell } from "#detection/can-tell.ts";
import { excerpt, excerptWords } from "#detection/say-change.ts";
import type { Change, Finding, Often, Reason, Region, Verdict } from "#detection/verdict.ts";
import { type ExecutionRow, findExecution, findVerdict } from "#storage/executions.ts";
import { findJob, type JobWithGroup } from "#storage/jobs.ts";

/** An execution with what it was compared with and found. */
export type ChangeRecord = {
  job: JobWithGroup;
  execution: ExecutionRow;
  before: ExecutionRow | null;
  reasons: Reason[];
  findings: Finding[];
  often: Often[];
  /** How much of what was ignored the user could ask to be told of. */
  ignored: number;
  regions: Region[];
};

/** Undefined when the job or its execution is gone. */
export async function readChange(
  { db }: Pick<Deps, "db">,
  accountId: string,
  jobId: string,
  executionId: string,
): Promise<ChangeRecord | undefined> {
  const [job, execution, verdict] = await Promise.all([
    findJob(db, accountId, jobId),
    findExecution(db, accountId, jobId, executionId),
    findVerdict(db, executionId) as Promise<Verdict | null>,
  ]);
  if (!job || !execution) return undefined;
  const before = execution.baseline_id
    ? ((await findExecution(db, accountId, jobId, execution.baseline_id)) ?? null)
    : null;
  const reasons = (verdict?.reasons ?? []).filter(({ severity }) => severity !== "info");
  const { findings = [], often = [], ignored = [], regions = [] } = verdict ?? {};
  return {
    job,
    execution,
    before,
    reasons,
    findings,
    often,
    regions,
    ignored: ignored.filter(canTell).length,
  };
}

// A message shows a few lines; of a long one the changed words and what stands around them.
const lineLength = 400;

type ChangedText = {
  removed: string | null;
  added: string | null;
  /** Both in one, where they have words in common. */
  words: NonNullable<Change["words"]>;
};

/** What came and what went, each thing once, heaviest reason first. */
export function changedTexts(reasons: Reason[]): ChangedText[] {
  const seen = new Set<string>();
  return reasons
    .flatMap(({ changes }) => changes)
    .filter(({ moved, before, after }) => {
      const key = JSON.stringify([before, after]);
      const isNew = !moved && !seen.has(key) && (before !== null || after !== null);
      seen.add(key);
      return isNew;
    })
    .map((change) => ({
      removed: change.before && excerpt(change, "before", lineLength),
      added: change.after && excerpt(change, "after", lineLength),
      words: excerptWords(change, lineLength),
    }));
}

import type { Deps } from "#checks/deps.ts";
import type { Finding, Often, Reason, Region, Verdict } from "#detection/verdict/verdict.ts";
import { canRequestAlerts } from "#detection/verdict/verdict.ts";
import { type ExecutionRow, findExecution, findVerdict } from "#storage/executions.ts";
import { findJob, type JobWithGroup } from "#storage/jobs.ts";

/** An execution with its baseline and the contents of its verdict. */
export type ChangeRecord = {
  job: JobWithGroup;
  execution: ExecutionRow;
  before: ExecutionRow | null;
  reasons: Reason[];
  findings: Finding[];
  often: Often[];
  /** How many of the ignored differences the user could ask to be alerted about. */
  ignored: number;
  regions: Region[];
  /** The conditions that it meets, in words. */
  met: string | null;
};

/** Reads a change; undefined if the job or its execution is gone. */
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
    met: verdict?.met ?? null,
    ignored: ignored.filter(canRequestAlerts).length,
  };
}

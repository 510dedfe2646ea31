import type { OpinionUse } from "#contract/second-opinion.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { inherit } from "#group-defaults/inherit.ts";
import type { Database } from "#storage/database.ts";
import { type ExecutionRow, findExecution, findVerdict } from "#storage/executions.ts";
import { findJob, type JobWithGroup } from "#storage/jobs.ts";
import type { AskedChange } from "./ask-about-change.ts";
import { chooseBlocks } from "./choose-blocks.ts";
import { whyNotLowered } from "./why-not-lowered.ts";

/** A change as the model is asked about it, and what its answer may do. */
export type OpinionQuestion = {
  change: AskedChange;
  execution: ExecutionRow;
  use: OpinionUse;
  /** Why no answer may lower the alert; null if one may. */
  fixed: string | null;
};

/** Reads what is asked about a change; undefined if it is gone or has no text. */
export async function readQuestion(
  db: Database,
  accountId: string,
  {
    jobId,
    executionId,
    matters,
  }: { jobId: string; executionId: string; matters?: string | null | undefined },
): Promise<OpinionQuestion | undefined> {
  const [job, execution] = await Promise.all([
    findJob(db, accountId, jobId),
    findExecution(db, accountId, jobId, executionId),
  ]);
  if (!job || !execution?.changed) return undefined;
  const verdict = (await findVerdict(db, executionId)) as Verdict | null;
  if (!verdict) return undefined;
  const chosen = chooseBlocks(verdict.reasons);
  if (chosen.blocks.length === 0) return undefined;
  const wanted = inherit(job, "secondOpinion");
  const wishes = {
    jobName: job.name,
    alertIf: alertIfOf(job),
    lookup: job.lookup,
    status: execution.status_code,
  };
  return {
    change: {
      jobId,
      jobName: job.name,
      matters: matters ?? wanted?.matters ?? "",
      blocks: chosen.blocks,
    },
    execution,
    use: wanted?.use ?? "off",
    fixed: whyNotLowered(verdict, wishes, chosen),
  };
}

/** The job's own conditions or its group's; an empty list means none. */
function alertIfOf(job: JobWithGroup) {
  const alertIf = inherit(job, "alertIf");
  return alertIf && alertIf.conditions.length > 0 ? alertIf : null;
}

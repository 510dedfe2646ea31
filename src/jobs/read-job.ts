import { AppError } from "#contract/errors.ts";
import type { ExecutionDetail, Job } from "#contract/job.ts";
import { listDeliveries } from "#storage/deliveries.ts";
import {
  findExecution,
  findNeighbours,
  findVerdict,
  listExecutions,
  listNewest,
} from "#storage/executions.ts";
import { findGroup } from "#storage/groups.ts";
import { findJob, type JobWithGroup, listJobs } from "#storage/jobs.ts";
import { listLogs } from "#storage/logs.ts";
import { listTriggerRuns } from "#storage/trigger-runs.ts";
import type { Actor, Deps } from "./deps.ts";
import { describeDelivery, describeExecution, describeJob } from "./describe.ts";
import { describeTriggerRun } from "./trigger-run.ts";

const newest = 50;

/** The job of that id if it is the caller's; someone else's and none at all look the same. */
export async function ownJob(deps: Pick<Deps, "db">, actor: Actor, id: string): Promise<JobWithGroup> {
  const job = await findJob(deps.db, actor.accountId, id);
  if (!job) throw new AppError("NOT_FOUND");
  return job;
}

export async function ownExecution(deps: Pick<Deps, "db">, actor: Actor, jobId: string, id: string) {
  const execution = await findExecution(deps.db, actor.accountId, jobId, id);
  if (!execution) throw new AppError("NOT_FOUND");
  return execution;
}

export async function readJob(deps: Deps, actor: Actor, id: string): Promise<Job> {
  const job = await ownJob(deps, actor, id);
  return describeJob(deps.secrets, job, await listExecutions(deps.db, id, newest));
}

export async function readGroup(deps: Deps, actor: Actor, id: string) {
  const group = await findGroup(deps.db, actor.accountId, id);
  if (!group) throw new AppError("NOT_FOUND");
  const jobs = await listJobs(deps.db, actor.accountId, id);
  const executions = await listNewest(
    deps.db,
    jobs.map((job) => job.id),
    newest,
  );
  const byJob = Map.groupBy(executions, (execution) => execution.job_id);
  return {
    id: group.id,
    name: group.name,
    Job: jobs.map((job) => describeJob(deps.secrets, job, byJob.get(job.id) ?? [])),
  };
}

export async function readHistory(
  deps: Deps,
  actor: Actor,
  id: string,
  page: { limit: number; cursor?: string; only?: "changes" },
) {
  const job = await ownJob(deps, actor, id);
  const changesOnly = page.only === "changes";
  const rows = await listExecutions(deps.db, id, page.limit + 1, page.cursor, changesOnly);
  const shown = rows.slice(0, page.limit);
  return {
    executions: shown.map(describeExecution),
    nextCursor: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
    total: changesOnly ? job.changes : job.executions,
  };
}

export async function readLogs(
  deps: Deps,
  actor: Actor,
  id: string,
  page: { limit: number; cursor?: number },
) {
  await ownJob(deps, actor, id);
  const rows = await listLogs(deps.db, id, page.limit, page.cursor);
  return rows.map(({ id, level, meta, created_at, execution_id }) => ({
    id,
    level,
    meta,
    createdAt: created_at.toISOString(),
    executionId: execution_id,
  }));
}

export async function readExecution(
  deps: Deps,
  actor: Actor,
  jobId: string,
  id: string,
): Promise<ExecutionDetail> {
  const row = await ownExecution(deps, actor, jobId, id);
  const [verdict, beside, runs, deliveries] = await Promise.all([
    findVerdict(deps.db, id),
    findNeighbours(deps.db, jobId, id),
    listTriggerRuns(deps.db, actor.accountId, id),
    listDeliveries(deps.db, actor.accountId, id),
  ]);
  const isCompared = row.failure === null && row.similarity !== null;
  const plain = {
    changed: row.changed,
    similarity: row.similarity ?? 100,
    severity: "info",
    summary: row.summary,
    reasons: [],
    findings: [],
    ignored: [],
  };
  return {
    ...describeExecution(row),
    verdict: isCompared ? ((verdict ?? plain) as ExecutionDetail["verdict"]) : null,
    baselineId: row.baseline_id,
    ...beside,
    triggerRuns: runs.map((run) => describeTriggerRun(deps, run)),
    deliveries: deliveries.map(describeDelivery),
  };
}

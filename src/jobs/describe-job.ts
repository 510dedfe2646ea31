import type { Execution, Job } from "#contract/job.ts";
import type { Values } from "#detection/follow.ts";
import type { ExecutionRow } from "#storage/executions.ts";
import type { JobWithGroup } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { showRules } from "./rules.ts";

export function describeExecution(row: ExecutionRow): Execution {
  return {
    id: row.id,
    jobId: row.job_id,
    index: row.number,
    createdAt: row.created_at.toISOString(),
    status_code: row.status_code,
    changed: row.changed,
    folded: row.folded,
    untold: row.untold,
    values: row.followed && showValues(row.followed),
    similarity: row.similarity,
    severity: row.severity as Execution["severity"],
    summary: row.summary,
    error: row.error,
    truncated: row.truncated,
    hasImage: row.picture !== null,
    durationMs: row.duration_ms,
    attempts: row.attempts,
  };
}

export const showValues = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, { text, number }]) => [name, { text, number }]));

export function describeJob(secrets: Deps["secrets"], row: JobWithGroup, executions: ExecutionRow[]): Job {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    status: row.status,
    activity: row.started_at ? "running" : row.queued_at ? "queued" : "idle",
    frequencyMinutes: row.frequency_minutes,
    groupId: row.group_id,
    group: { id: row.group_id, name: row.group_name },
    ...showRules(secrets, row),
    createdAt: row.created_at.toISOString(),
    nextRunAt: row.status === "ACTIVE" ? row.next_run_at.toISOString() : null,
    failures: row.failures,
    executionsTotal: row.executions,
    changesTotal: row.changes,
    executions: executions.map(describeExecution),
  };
}

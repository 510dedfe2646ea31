import type { Job } from "#contract/job.ts";
import { proxyAdvice, wallAdvice } from "#contract/wall.ts";
import { describeExecution } from "#storage/describe-execution.ts";
import type { ExecutionRow } from "#storage/executions.ts";
import type { JobWithGroup } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { showSettings } from "./show-settings.ts";

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
    ...showSettings(secrets, row),
    createdAt: row.created_at.toISOString(),
    nextRunAt: row.status === "ACTIVE" && !row.delete_at ? row.next_run_at.toISOString() : null,
    deleteAt: row.delete_at?.toISOString() ?? null,
    failures: row.failures,
    trouble: describeTrouble(row.trouble),
    executionsTotal: row.executions,
    changesTotal: row.changes,
    executions: executions.map(describeExecution),
  };
}

/** What is wrong at the moment, once it has been recorded with its reason. */
function describeTrouble(trouble: JobWithGroup["trouble"]): Job["trouble"] {
  if (!trouble?.from || !trouble.message) return null;
  const { sort: kind, wall = null, message, from: since } = trouble;
  const advice = kind === "proxy" ? proxyAdvice : wall && wallAdvice[wall];
  return { kind, wall, message, advice, since };
}

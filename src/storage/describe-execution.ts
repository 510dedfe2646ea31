import type { Execution } from "#contract/job.ts";
import type { Values } from "#detection/followed-values/followed-values.ts";
import type { ExecutionRow } from "./executions.ts";

/** An execution as calls, exports and pages show it. */
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
    imported: row.imported && {
      at: row.imported.at,
      archive: row.imported.archive,
      sealed: row.imported.origin !== null,
    },
  };
}

export const showValues = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, { text, number }]) => [name, { text, number }]));

import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { ownJob } from "#jobs/read-job.ts";
import { describeExecution } from "#storage/describe-execution.ts";
import { listExecutions } from "#storage/executions.ts";
import { listLogs } from "#storage/logs.ts";

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

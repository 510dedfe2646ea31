import type { z } from "zod";
import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import type { Resume } from "#contract/job.ts";
import { describeExecution } from "#jobs/describe-job.ts";
import { listFailing, listNextChecks, readTotals } from "#storage/dashboard.ts";
import { listChanges } from "#storage/executions.ts";

const shown = 8;

export async function readResume(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
): Promise<z.input<typeof Resume>> {
  const [totals, changes, next, failing] = await Promise.all([
    readTotals(db, accountId),
    listChanges(db, accountId, shown),
    listNextChecks(db, accountId, shown),
    listFailing(db, accountId, shown),
  ]);
  return {
    total_groups: totals.groups,
    total_jobs: totals.jobs,
    total_executions: totals.executions,
    most_executions: totals.most,
    total_failed: totals.failed,
    last_job: totals.last,
    stored_bytes: totals.stored_bytes,
    recent_changes: changes.map((row) => ({
      ...describeExecution(row),
      job: { id: row.job_id, name: row.job_name, groupId: row.group_id },
    })),
    next_checks: next.map((row) => ({
      id: row.id,
      name: row.name,
      groupId: row.group_id,
      nextRunAt: row.next_run_at.toISOString(),
    })),
    failing_jobs: failing.map((row) => ({
      id: row.id,
      name: row.name,
      groupId: row.group_id,
      failures: row.failures,
      error: row.error,
    })),
  };
}

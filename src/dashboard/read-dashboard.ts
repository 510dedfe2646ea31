import type { z } from "zod";
import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import type { Resume } from "#contract/job.ts";
import { listFailing, listNextChecks, readTotals } from "#storage/dashboard.ts";
import { describeExecution } from "#storage/describe-execution.ts";
import { describeNotification } from "#storage/describe-notification.ts";
import { listChanges } from "#storage/executions.ts";
import { listUnreadChanges } from "#storage/notifications.ts";

const maxEntries = 8;

export async function readResume(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
): Promise<z.input<typeof Resume>> {
  const [totals, changes, next, failing, unread] = await Promise.all([
    readTotals(db, accountId),
    listChanges(db, accountId, maxEntries),
    listNextChecks(db, accountId, maxEntries),
    listFailing(db, accountId, maxEntries),
    listUnreadChanges(db, accountId, maxEntries),
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
    unread_changes: unread.map(describeNotification),
  };
}

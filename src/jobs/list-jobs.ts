import type { Actor } from "#contract/actor.ts";
import type { JobLine } from "#contract/change.ts";
import { listJobsWithGroups } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** All jobs of an account, one line each. */
export async function listJobs(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  filter: { groupId?: string },
): Promise<{ jobs: JobLine[] }> {
  const rows = await listJobsWithGroups(db, accountId);
  return {
    jobs: rows
      .filter((row) => !filter.groupId || row.group_id === filter.groupId)
      .map((row) => ({
        id: row.id,
        name: row.name,
        url: row.url,
        status: row.status,
        groupId: row.group_id,
        group: row.group_name,
        frequencyMinutes: row.frequency_minutes,
        executions: row.executions,
        changes: row.changes,
        failing: row.last_failed,
        lastExecutionId: row.last_execution_id,
        nextRunAt: row.status === "ACTIVE" ? row.next_run_at.toISOString() : null,
      })),
  };
}

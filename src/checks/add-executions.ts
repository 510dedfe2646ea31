import { markUnqueued } from "#scheduling/schedule-rows.ts";
import type { Database } from "#storage/database.ts";
import { insertExecutions, type NewExecution } from "#storage/executions.ts";
import { finishChecks } from "#storage/jobs.ts";

type Entry = NewExecution & { isBaseline: boolean };

/**
 * Writes executions, at most one per job, and frees the jobs for their next check. Returns each execution's id and
 * number; jobs that were deleted meanwhile are skipped.
 */
export async function addExecutions(
  tx: Database,
  entries: Entry[],
): Promise<{ id: string; job_id: string; number: number; at: Date }[]> {
  const finished = await finishChecks(
    tx,
    entries.map(({ job_id, changed, failure, duration_ms, stages, isBaseline }) => ({
      job_id,
      changed,
      failed: failure !== null,
      ms: duration_ms - (stages?.confirm ?? 0),
      isBaseline,
    })),
  );
  const byJob = new Map(finished.map((one) => [one.job_id, one]));
  await insertExecutions(
    tx,
    entries.flatMap(({ isBaseline: _isBaseline, ...entry }) => {
      const found = byJob.get(entry.job_id);
      return found ? [{ ...entry, id: found.id, number: found.number }] : [];
    }),
  );
  await markUnqueued(
    tx,
    finished.map(({ job_id }) => job_id),
  );
  return finished;
}

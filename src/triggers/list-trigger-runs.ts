import type { Actor } from "#contract/actor.ts";
import type { TriggerRunLine } from "#contract/trigger-run.ts";
import { describeTriggerRun } from "#history/describe-trigger-run.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import { listRecentRuns } from "#storage/trigger-runs.ts";

const maxRuns = 100;

/** The last hundred runs of an account's triggers, newest first. */
export async function listTriggerRuns(
  deps: { db: Database; secrets: SecretBox },
  { accountId }: Actor,
): Promise<{ runs: TriggerRunLine[] }> {
  const rows = await listRecentRuns(deps.db, accountId, maxRuns);
  return {
    runs: rows.map((row) => {
      const { id, state, byHand, attempts, error, createdAt, response } = describeTriggerRun(deps, row);
      return {
        id,
        jobId: row.job_id,
        job: row.job_name,
        executionId: row.execution_id,
        state,
        byHand,
        attempts,
        status: response?.status ?? null,
        error,
        createdAt,
        replayable: row.has_trigger,
      };
    }),
  };
}

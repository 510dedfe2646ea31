import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { ownJob } from "#jobs/read-job.ts";
import { showValues } from "#storage/describe-execution.ts";
import { listFollowed } from "#storage/executions.ts";

/** The history of a job's followed values, oldest first. */
export async function readValueHistory(
  deps: Pick<Deps, "db">,
  actor: Actor,
  jobId: string,
  { limit }: { limit: number },
) {
  await ownJob(deps, actor, jobId);
  const rows = await listFollowed(deps.db, jobId, limit);
  return {
    points: rows.map(({ id, created_at, changed, followed }) => ({
      id,
      createdAt: created_at.toISOString(),
      changed,
      values: showValues(followed ?? {}),
    })),
  };
}

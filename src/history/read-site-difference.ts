import type { Deps } from "#checks/deps.ts";
import { readSnapshot } from "#checks/store-capture.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { SiteDifference, SiteDifferenceQuery } from "#contract/site.ts";
import { assertCapture } from "./read-capture.ts";
import { ownExecution } from "./read-execution.ts";

/** Everything that differs between the inventories that two executions of a job captured. */
export async function readSiteDifference(
  deps: Deps,
  actor: Actor,
  jobId: string,
  { from, to, offset, limit }: SiteDifferenceQuery,
): Promise<SiteDifference> {
  const executions = await Promise.all([from, to].map((id) => ownExecution(deps, actor, jobId, id)));
  const [before = "", after = ""] = await Promise.all(
    executions.map(
      async (execution) => (await readSnapshot(deps, actor.accountId, assertCapture(execution))).html,
    ),
  );
  const found = await deps.detector.for(actor.accountId).siteDifference({ before, after, offset, limit });
  if (!found) throw new AppError("CONFLICT", "These inventories take too long to be compared.");
  return found;
}

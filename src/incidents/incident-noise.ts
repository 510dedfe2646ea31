import type { Deps as CheckDeps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { markNoise } from "#noise-feedback/mark-noise.ts";
import { takeBack } from "#noise-feedback/take-back.ts";
import type { IncidentNoise } from "#storage/incident-tables.ts";
import { findNoiseToDo, saveNoise, wantNoise } from "#storage/incidents.ts";

type Deps = Pick<CheckDeps, "db" | "queue" | "blobs" | "detector">;

/** Marks all changes of an incident as noise, or undoes that; a task does it page by page. Returns how many there are. */
export async function setIncidentNoise(
  { db, queue }: Pick<Deps, "db" | "queue">,
  { accountId }: Actor,
  incidentId: string,
  isWanted: boolean,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const count = await wantNoise(tx, accountId, incidentId, isWanted);
    if (count === 0) throw new AppError("NOT_FOUND", "There is no such incident.");
    await queue.send(tx, "incident-noise", { incidentId }, { singletonKey: incidentId });
    return count;
  });
}

/** Marks or unmarks what isn't yet as the user wants it. Safe to repeat, and to run twice at once. */
export async function applyIncidentNoise(deps: Deps, { incidentId }: { incidentId: string }): Promise<void> {
  for (;;) {
    const change = await findNoiseToDo(deps.db, incidentId);
    if (!change) return;
    const { execution_id: executionId, account_id: accountId, job_id: jobId } = change;
    if (change.noise) {
      await takeBackAll(deps, { accountId }, jobId, change.noise);
      await saveNoise(deps.db, executionId, null);
      continue;
    }
    const noise = await tryToMark(deps, { accountId }, jobId, executionId);
    if (!(await saveNoise(deps.db, executionId, noise))) await takeBackAll(deps, { accountId }, jobId, noise);
  }
}

async function tryToMark(
  deps: Deps,
  actor: Actor,
  jobId: string,
  executionId: string,
): Promise<IncidentNoise> {
  try {
    return await markNoise(deps, actor, jobId, { executionId });
  } catch (error) {
    // A page whose change is gone must not keep the others from being marked.
    if (error instanceof AppError) return { problem: error.message };
    throw error;
  }
}

async function takeBackAll(deps: Deps, actor: Actor, jobId: string, noise: IncidentNoise): Promise<void> {
  if ("problem" in noise) return;
  const targets = [...noise.ids.map((id) => ({ id })), ...noise.places.map((place) => ({ place }))];
  for (const target of targets)
    await takeBack(deps, actor, jobId, target).catch((error: unknown) => {
      // The job is deleted, and what it learned with it.
      if (!(error instanceof AppError)) throw error;
    });
}

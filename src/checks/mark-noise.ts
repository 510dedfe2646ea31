import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import { openAlbum } from "#storage/chains.ts";
import { findExecution } from "#storage/executions.ts";
import { findJob, findMemory, lockJob, saveMemory } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";
import type { Deps } from "./deps.ts";
import { rulesOf } from "./inherit.ts";
import { lookBackThrough } from "./see-through.ts";
import { keptOf, readSnapshot } from "./snapshots.ts";

type Needed = Pick<Deps, "db" | "blobs" | "detector">;

/** Learns from a change that its user calls noise: where both captures differ, later differences do not alert. */
export async function markNoise(
  deps: Needed,
  actor: Actor,
  jobId: string,
  executionId: string,
): Promise<void> {
  const { db } = deps;
  const { accountId } = actor;
  const execution = await findExecution(db, accountId, jobId, executionId);
  const baseline =
    execution?.baseline_id && (await findExecution(db, accountId, jobId, execution.baseline_id));
  const [after, before] = [execution && keptOf(execution), baseline && keptOf(baseline)];
  if (!before || !after) throw new AppError("NOT_FOUND", "This change is not kept any more.");
  const rules = await findJob(db, accountId, jobId);
  if (!rules) throw new AppError("NOT_FOUND");
  const [first, second] = await Promise.all([
    lookBackThrough(deps, await readSnapshot(deps, accountId, before), rulesOf(rules)),
    lookBackThrough(deps, await readSnapshot(deps, accountId, after), rulesOf(rules)),
  ]);
  const album = openAlbum(deps, accountId);
  const pictures =
    before.picture && after.picture
      ? { before: await album.read(before.picture), after: await album.read(after.picture) }
      : null;
  await db.transaction().execute(async (tx) => {
    const job = await lockJob(tx, accountId, jobId);
    if (!job) throw new AppError("NOT_FOUND");
    const { memory, evidence } = await findMemory(tx, jobId);
    const learned = await deps.detector.learnTwin({
      first,
      second,
      memory: memory as NoiseMemory | null,
      pictures,
    });
    await saveMemory(tx, jobId, { memory: learned, evidence });
    await insertLogs(
      tx,
      jobId,
      [{ level: "info", meta: "Marked as noise: what differed is learned" }],
      executionId,
    );
  });
}

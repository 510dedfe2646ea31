import type { Deps, Pictures } from "#checks/deps.ts";
import { rulesOf } from "#checks/inherit.ts";
import { lookBackThrough } from "#checks/see-through.ts";
import { readSnapshot } from "#checks/snapshots.ts";
import type { Actor } from "#contract/actor.ts";
import { lookBack, type NoiseMemory } from "#detection/noise-memory.ts";
import type { Verdict } from "#detection/verdict.ts";
import { ownJob } from "#jobs/read-job.ts";
import { readPixels } from "#storage/chains.ts";
import { findVerdict, type Kept } from "#storage/executions.ts";
import { findMemory } from "#storage/jobs.ts";
import { assertKept } from "./read-capture.ts";
import { ownExecution } from "./read-execution.ts";

/** How any two executions of a job differ; where a check compared these two, what it decided then stands. */
export async function compareExecutions(
  deps: Deps,
  actor: Actor,
  jobId: string,
  range: { from: string; to: string },
  signal?: AbortSignal,
): Promise<Verdict> {
  const [job, first, second] = await Promise.all([
    ownJob(deps, actor, jobId),
    ownExecution(deps, actor, jobId, range.from),
    ownExecution(deps, actor, jobId, range.to),
  ]);
  const [from, to] = [assertKept(first), assertKept(second)];
  const recorded =
    second.baseline_id === first.id
      ? ((await findVerdict(deps.db, second.id)) as Partial<Verdict> | null)
      : null;
  // Records of earlier versions lack one or the other.
  if (recorded?.hunks && recorded.regions) return recorded as Verdict;
  const [one, other, pictures, { memory }] = await Promise.all([
    readSnapshot(deps, actor.accountId, from),
    readSnapshot(deps, actor.accountId, to),
    readPictures(deps, actor.accountId, from, to),
    findMemory(deps.db, jobId),
  ]);
  const [before, after] = await Promise.all([
    lookBackThrough(deps, one, rulesOf(job)),
    lookBackThrough(deps, other, rulesOf(job)),
  ]);
  signal?.throwIfAborted();
  const known = memory ? lookBack(memory as NoiseMemory) : null;
  const { verdict } = await deps.detector.compare({ before, after, memory: known, pictures }, signal);
  return { ...verdict, ...recorded };
}

async function readPictures(deps: Deps, accountId: string, from: Kept, to: Kept): Promise<Pictures> {
  if (!from.picture || !to.picture) return null;
  if (from.picture.equals(to.picture)) return "same";
  const [before, after] = await Promise.all([
    readPixels(deps, accountId, from.picture),
    readPixels(deps, accountId, to.picture),
  ]);
  return { before, after };
}

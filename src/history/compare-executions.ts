import { hash } from "node:crypto";
import { filterPastCapture } from "#checks/apply-job-rules.ts";
import type { Pictures } from "#checks/compare-views.ts";
import type { Deps } from "#checks/deps.ts";
import { refuseTooMuch } from "#checks/detection-threads/refuse-too-much.ts";
import { readStoredCapture } from "#checks/store-capture.ts";
import type { Actor } from "#contract/actor.ts";
import type { TestedSettings } from "#contract/rule-test.ts";
import {
  keepKnownNoise,
  type NoiseMemory,
  openMemory,
  withReplayedNoise,
} from "#detection/noise-memory/noise-memory.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { rulesOf } from "#group-defaults/inherit.ts";
import { ownJob } from "#jobs/read-job.ts";
import { readPixels } from "#storage/contents.ts";
import { findVerdict, type Kept } from "#storage/executions.ts";
import { findMemory } from "#storage/jobs.ts";
import { assertCapture } from "./read-capture.ts";
import { ownExecution } from "./read-execution.ts";
import { testedSettings } from "./test-on-history/test-settings.ts";

/**
 * Compares any two executions of a job. If a check compared these two, its recorded verdict applies; with rules under
 * test (`tried`), the verdict is computed anew.
 */
export async function compareExecutions(
  deps: Deps,
  actor: Actor,
  jobId: string,
  range: { from: string; to: string },
  signal?: AbortSignal,
  tried?: TestedSettings,
): Promise<Verdict> {
  const [job, first, second] = await Promise.all([
    ownJob(deps, actor, jobId),
    ownExecution(deps, actor, jobId, range.from),
    ownExecution(deps, actor, jobId, range.to),
  ]);
  const [from, to] = [assertCapture(first), assertCapture(second)];
  const recorded =
    second.baseline_id === first.id
      ? ((await findVerdict(deps.db, second.id)) as Partial<Verdict> | null)
      : null;
  const rules = tried ? await testedSettings(deps, job, tried) : { ...rulesOf(job), lookup: null };
  // Verdicts recorded by earlier versions lack hunks or regions.
  if (!tried && recorded?.hunks && recorded.regions) return recorded as Verdict;
  const { memory } = await findMemory(deps.db, jobId);
  const noise = keepKnownNoise(openMemory(memory as NoiseMemory | null));
  const known = tried ? withReplayedNoise(noise, recorded?.ignored ?? []) : noise;
  const verdict = await compareCached(deps, [first.id, second.id, rules, known], async () => {
    const pictures = await readPictures(deps, actor.accountId, from, to);
    const detector = deps.detector.for(actor.accountId);
    const view = async (kept: Kept) =>
      filterPastCapture({ detector }, await readStoredCapture(deps, actor.accountId, kept), rules);
    // Filtered one after the other, so that smaller requests don't have to wait for both.
    const [before, after] = [await view(from), await view(to)];
    signal?.throwIfAborted();
    const input = { before, after, memory: known, pictures, lookup: rules.lookup };
    return (await refuseTooMuch(detector.compare(input, signal))).verdict;
  });
  return tried ? verdict : { ...verdict, ...recorded };
}

const maxCached = 16;
const caches = new WeakMap<Deps["detector"], Map<string, Verdict>>();

/** Caches the last few comparisons, because users open a comparison again and ask what it left out. */
async function compareCached(
  { detector }: Deps,
  inputs: unknown[],
  compare: () => Promise<Verdict>,
): Promise<Verdict> {
  const cache = caches.get(detector) ?? new Map<string, Verdict>();
  caches.set(detector, cache);
  const key = hash("sha256", JSON.stringify(inputs));
  const verdict = cache.get(key) ?? (await compare());
  cache.delete(key);
  cache.set(key, verdict);
  const [oldest = ""] = cache.keys();
  if (cache.size > maxCached) cache.delete(oldest);
  return verdict;
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

import { hash } from "node:crypto";
import type { Pictures } from "#checks/compare-views.ts";
import type { Deps } from "#checks/deps.ts";
import { rulesOf } from "#checks/inherit.ts";
import { refuseTooMuch } from "#checks/refuse-too-much.ts";
import { lookBackAt } from "#checks/see-through.ts";
import { readKept } from "#checks/snapshots.ts";
import type { Actor } from "#contract/actor.ts";
import { lookBack, type NoiseMemory, openMemory, withKnown } from "#detection/noise-memory.ts";
import type { Verdict } from "#detection/verdict.ts";
import { ownJob } from "#jobs/read-job.ts";
import { readPixels } from "#storage/chains.ts";
import { findVerdict, type Kept } from "#storage/executions.ts";
import { findMemory } from "#storage/jobs.ts";
import { assertKept } from "./read-capture.ts";
import { ownExecution } from "./read-execution.ts";
import { type Tried, triedSettings } from "./tried-settings.ts";

/**
 * How any two executions of a job differ; where a check compared these two, what it decided then stands. By rules that are
 * only tried it is decided anew.
 */
export async function compareExecutions(
  deps: Deps,
  actor: Actor,
  jobId: string,
  range: { from: string; to: string },
  signal?: AbortSignal,
  tried?: Tried,
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
  const rules = tried ? await triedSettings(deps, job, tried) : { ...rulesOf(job), lookup: null };
  // Records of earlier versions lack one or the other.
  if (!tried && recorded?.hunks && recorded.regions) return recorded as Verdict;
  const { memory } = await findMemory(deps.db, jobId);
  const noise = lookBack(openMemory(memory as NoiseMemory | null));
  const known = tried ? withKnown(noise, recorded?.ignored ?? []) : noise;
  const verdict = await recall(deps, [first.id, second.id, rules, known], async () => {
    const pictures = await readPictures(deps, actor.accountId, from, to);
    const detector = deps.detector.for(actor.accountId);
    const view = async (kept: Kept) =>
      lookBackAt({ detector }, await readKept(deps, actor.accountId, kept), rules);
    // One after the other, so that nobody who asks for less waits for both.
    const [before, after] = [await view(from), await view(to)];
    signal?.throwIfAborted();
    const input = { before, after, memory: known, pictures, lookup: rules.lookup };
    return (await refuseTooMuch(detector.compare(input, signal))).verdict;
  });
  return tried ? verdict : { ...verdict, ...recorded };
}

const mostRecent = 16;
const recent = new WeakMap<Deps["detector"], Map<string, Verdict>>();

/** Who opens a comparison opens it again, and asks what it left out: the last few are not made anew. */
async function recall({ detector }: Deps, of: unknown[], compare: () => Promise<Verdict>): Promise<Verdict> {
  const known = recent.get(detector) ?? new Map<string, Verdict>();
  recent.set(detector, known);
  const key = hash("sha256", JSON.stringify(of));
  const verdict = known.get(key) ?? (await compare());
  known.delete(key);
  known.set(key, verdict);
  const [oldest = ""] = known.keys();
  if (known.size > mostRecent) known.delete(oldest);
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

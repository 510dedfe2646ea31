import { AppError } from "#contract/errors.ts";
import { lookBack, type NoiseMemory } from "#detection/noise-memory.ts";
import type { Verdict } from "#detection/verdict.ts";
import { readPixels, readPng } from "#storage/chains.ts";
import { type ExecutionRow, findVerdict, type Kept } from "#storage/executions.ts";
import { findMemory } from "#storage/jobs.ts";
import type { Actor, Deps, Pictures } from "./deps.ts";
import { isPattern, strip } from "./look.ts";
import { ownExecution, ownJob } from "./read-job.ts";
import { keptOf, readSnapshot, readText } from "./snapshots.ts";

function assertKept(row: ExecutionRow): Kept {
  const kept = keptOf(row);
  if (!kept) throw new AppError("NOT_FOUND", "This check has no capture.");
  return kept;
}

async function ownCapture(deps: Deps, actor: Actor, jobId: string, id: string): Promise<Kept> {
  return assertKept(await ownExecution(deps, actor, jobId, id));
}

export async function readImage(deps: Deps, actor: Actor, jobId: string, id: string): Promise<Uint8Array> {
  const { picture } = await ownCapture(deps, actor, jobId, id);
  if (!picture) throw new AppError("NOT_FOUND", "This check has no picture.");
  return readPng(deps, actor.accountId, picture);
}

export async function readHtml(deps: Deps, actor: Actor, jobId: string, id: string): Promise<string> {
  return readText(deps, actor.accountId, (await ownCapture(deps, actor, jobId, id)).html);
}

/** The visible text, one block a line. */
export async function readVisibleText(deps: Deps, actor: Actor, jobId: string, id: string): Promise<string> {
  const snapshot = await readSnapshot(deps, actor.accountId, await ownCapture(deps, actor, jobId, id));
  return snapshot.text.map((block) => block.text).join("\n");
}

/** Both parts as the specification's call has them; a part that does not exist is empty. */
export async function readMetadata(deps: Deps, actor: Actor, jobId: string, id: string) {
  const kept = keptOf(await ownExecution(deps, actor, jobId, id));
  const [image, html] = await Promise.all([
    kept?.picture ? readPng(deps, actor.accountId, kept.picture) : "",
    kept ? readText(deps, actor.accountId, kept.html) : "",
  ]);
  return { image: Buffer.from(image).toString("base64"), html: Buffer.from(html).toString("base64") };
}

/** How any two executions of a job differ; where a check compared these two, what it decided then stands. */
export async function compareExecutions(
  deps: Deps,
  actor: Actor,
  jobId: string,
  range: { from: string; to: string },
): Promise<Verdict> {
  const [job, first, second] = await Promise.all([
    ownJob(deps, actor, jobId),
    ownExecution(deps, actor, jobId, range.from),
    ownExecution(deps, actor, jobId, range.to),
  ]);
  const [from, to] = [assertKept(first), assertKept(second)];
  const isRecorded = second.baseline_id === first.id;
  const recorded = (isRecorded && ((await findVerdict(deps.db, second.id)) as Partial<Verdict>)) || {};
  const [one, other, pictures, { memory }] = await Promise.all([
    readSnapshot(deps, actor.accountId, from),
    readSnapshot(deps, actor.accountId, to),
    // By far the dearest part, and known where the check's own regions are.
    recorded.regions ? null : readPictures(deps, actor.accountId, from, to),
    findMemory(deps.db, jobId),
  ]);
  const [before, after] = await strip(deps, job.ignore.filter(isPattern), [one, other]);
  const known = memory ? lookBack(memory as NoiseMemory) : null;
  const { verdict } = await deps.detector.compare({ before, after, memory: known, pictures });
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

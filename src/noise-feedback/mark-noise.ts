import { filterPastSnapshot } from "#checks/apply-job-rules.ts";
import type { Deps } from "#checks/deps.ts";
import { refuseTooMuch } from "#checks/detection-threads/refuse-too-much.ts";
import { readSnapshot } from "#checks/store-capture.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { Values } from "#detection/followed-values/followed-values.ts";
import { idOf } from "#detection/noise-memory/feedback.ts";
import { type NoiseMemory, nameBoxLocation } from "#detection/noise-memory/noise-memory.ts";
import { recordNoiseFeedback } from "#detection/noise-memory/record-noise-feedback.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { rulesOf } from "#group-defaults/inherit.ts";
import { openCaptureCache } from "#storage/contents.ts";
import { findExecution, findVerdict, storedPartsOf } from "#storage/executions.ts";
import { findJob, findMemory } from "#storage/jobs.ts";
import { changeMemory } from "./change-memory.ts";

type Needed = Pick<Deps, "db" | "blobs" | "detector">;

/** `from`: what it was compared with, if not its baseline. `ids`: some of the alerted differences, else all of them. */
type Marked = { executionId: string; from?: string | undefined; ids?: string[] | undefined };

/** What feedback taught a job: differences by id, and parts of the picture. `takeBack` withdraws it. */
export type NoiseMarks = { ids: string[]; places: string[] };

/**
 * Saves the feedback that differences are noise: they, and what they turn into later, don't alert any more. Returns what
 * the job was taught.
 */
export async function markNoise(
  deps: Needed,
  actor: Actor,
  jobId: string,
  { executionId, from, ids }: Marked,
): Promise<NoiseMarks> {
  const { db } = deps;
  const { accountId } = actor;
  const execution = await findExecution(db, accountId, jobId, executionId);
  const baselineId = from ?? execution?.baseline_id;
  const baseline = baselineId && (await findExecution(db, accountId, jobId, baselineId));
  const [capture, baselineCapture] = [
    execution && storedPartsOf(execution),
    baseline && storedPartsOf(baseline),
  ];
  if (!execution || !baseline || !baselineCapture || !capture)
    throw new AppError("NOT_FOUND", "This change is no longer stored.");
  const job = await findJob(db, accountId, jobId);
  if (!job) throw new AppError("NOT_FOUND");
  const cache = openCaptureCache(deps, accountId);
  const detector = deps.detector.for(accountId);
  const [first, second, { memory }] = await Promise.all([
    readSnapshot(deps, accountId, baselineCapture).then((snapshot) =>
      filterPastSnapshot({ detector }, snapshot, rulesOf(job)),
    ),
    readSnapshot(deps, accountId, capture).then((snapshot) =>
      filterPastSnapshot({ detector }, snapshot, rulesOf(job)),
    ),
    findMemory(db, jobId),
  ]);
  const pictures =
    baselineCapture.picture && capture.picture
      ? { before: await cache.read(baselineCapture.picture), after: await cache.read(capture.picture) }
      : null;
  const finding = detector.findMeant({
    first,
    second,
    memory: memory as NoiseMemory | null,
    pictures,
    ids: ids ?? (await listAlertedIds(deps, executionId)),
    lookup: job.lookup,
    values:
      baseline.followed && execution.followed
        ? { before: baseline.followed as Values, after: execution.followed as Values }
        : null,
  });
  const meant = await refuseTooMuch(finding);
  const count = meant.seen.length + meant.boxes.length;
  if (count === 0) throw new AppError("CONFLICT", "With the current rules, there’s no such difference.");
  const what = ids ? `${count} ${count === 1 ? "difference" : "differences"}` : "what differed is learned";
  await changeMemory(deps, actor, jobId, (known, at) => recordNoiseFeedback(known, meant, at), {
    meta: `Marked as noise: ${what}`,
    executionId,
  });
  return { ids: meant.seen.map(idOf), places: meant.boxes.map(nameBoxLocation) };
}

/** The ids of all differences that an execution alerted; null if it was recorded before differences had ids. */
async function listAlertedIds({ db }: Pick<Deps, "db">, executionId: string): Promise<string[] | null> {
  const verdict = (await findVerdict(db, executionId)) as Partial<Verdict> | null;
  const ids = (verdict?.reasons ?? []).flatMap(({ changes }) => changes.flatMap(({ id }) => id ?? []));
  return ids.length > 0 ? ids : null;
}

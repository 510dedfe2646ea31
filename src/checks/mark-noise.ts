import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { callNoise } from "#detection/call-noise.ts";
import type { Values } from "#detection/follow.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { Verdict } from "#detection/verdict.ts";
import { openAlbum } from "#storage/chains.ts";
import { findExecution, findVerdict, keptOf } from "#storage/executions.ts";
import { findJob, findMemory } from "#storage/jobs.ts";
import { changeMemory } from "./change-memory.ts";
import type { Deps } from "./deps.ts";
import { rulesOf } from "./inherit.ts";
import { refuseTooMuch } from "./refuse-too-much.ts";
import { lookBackThrough } from "./see-through.ts";
import { readSnapshot } from "./snapshots.ts";

type Needed = Pick<Deps, "db" | "blobs" | "detector">;

/** `from`: what it was compared with, where that is not its baseline. `ids`: some of what was told, else all of it. */
type Marked = { executionId: string; from?: string | undefined; ids?: string[] | undefined };

/** Keeps that a user calls differences noise: they, and what comes of them, do not alert any more. */
export async function markNoise(
  deps: Needed,
  actor: Actor,
  jobId: string,
  { executionId, from, ids }: Marked,
): Promise<void> {
  const { db } = deps;
  const { accountId } = actor;
  const execution = await findExecution(db, accountId, jobId, executionId);
  const beforeId = from ?? execution?.baseline_id;
  const baseline = beforeId && (await findExecution(db, accountId, jobId, beforeId));
  const [after, before] = [execution && keptOf(execution), baseline && keptOf(baseline)];
  if (!execution || !baseline || !before || !after)
    throw new AppError("NOT_FOUND", "This change is not kept any more.");
  const job = await findJob(db, accountId, jobId);
  if (!job) throw new AppError("NOT_FOUND");
  const album = openAlbum(deps, accountId);
  const detector = deps.detector.for(accountId);
  const [first, second, { memory }] = await Promise.all([
    readSnapshot(deps, accountId, before).then((one) => lookBackThrough({ detector }, one, rulesOf(job))),
    readSnapshot(deps, accountId, after).then((one) => lookBackThrough({ detector }, one, rulesOf(job))),
    findMemory(db, jobId),
  ]);
  const pictures =
    before.picture && after.picture
      ? { before: await album.read(before.picture), after: await album.read(after.picture) }
      : null;
  const finding = detector.findMeant({
    first,
    second,
    memory: memory as NoiseMemory | null,
    pictures,
    ids: ids ?? (await toldIn(deps, executionId)),
    lookup: job.lookup,
    values:
      baseline.followed && execution.followed
        ? { before: baseline.followed as Values, after: execution.followed as Values }
        : null,
  });
  const meant = await refuseTooMuch(finding);
  const count = meant.seen.length + meant.boxes.length;
  if (count === 0)
    throw new AppError("CONFLICT", "By the rules as they are now there is no such difference.");
  const what = ids ? `${count} ${count === 1 ? "difference" : "differences"}` : "what differed is learned";
  await changeMemory(deps, actor, jobId, (known, at) => callNoise(known, meant, at), {
    meta: `Marked as noise: ${what}`,
    executionId,
  });
}

/** The names of all that an execution told; null where it was recorded before they had names. */
async function toldIn({ db }: Pick<Deps, "db">, executionId: string): Promise<string[] | null> {
  const verdict = (await findVerdict(db, executionId)) as Partial<Verdict> | null;
  const named = (verdict?.reasons ?? []).flatMap(({ changes }) => changes.flatMap(({ id }) => id ?? []));
  return named.length > 0 ? named : null;
}

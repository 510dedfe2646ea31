import type { Pictures } from "#checks/compare-views.ts";
import type { Deps } from "#checks/deps.ts";
import { alertIfOf, rulesOf } from "#checks/inherit.ts";
import type { Outcome, ReplayOutput, SeenCapture, Settings } from "#checks/replay-captures.ts";
import { lookBackThrough } from "#checks/see-through.ts";
import { readSnapshot } from "#checks/snapshots.ts";
import type { Said } from "#contract/trial.ts";
import { type NoiseMemory, openMemory } from "#detection/noise-memory.ts";
import type { Ignored } from "#detection/verdict.ts";
import { readPixels } from "#storage/chains.ts";
import { type ExecutionRow, type Kept, keptOf, listSaid } from "#storage/executions.ts";
import { findMemory, type JobRow } from "#storage/jobs.ts";
import { isSeen, viewHistory } from "./view-history.ts";

type Needed = Pick<Deps, "db" | "blobs" | "detector">;

/** What a check of the past said, and what it would say by other settings. */
export type Replayed = {
  execution: ExecutionRow;
  /** What it is compared with now. */
  fromId: string | null;
  was: Said;
  now: Said;
  /** What was told of it then, reason by reason. */
  about: string[];
};

/**
 * Goes once more over a job's kept captures, oldest first, as if its checks had been made with these settings; what is
 * learned on the way counts, as it did then. Failures of the outside and changes that were not confirmed stay what they were.
 */
export async function* replay(
  deps: Needed,
  job: JobRow,
  settings: Settings,
  rows: ExecutionRow[],
  { signal, isDetectorTried = false }: { signal?: AbortSignal; isDetectorTried?: boolean } = {},
): AsyncGenerator<Replayed[]> {
  const [said, { memory: kept }] = await Promise.all([
    listSaid(
      deps.db,
      rows.map(({ id }) => id),
    ),
    findMemory(deps.db, job.id),
  ]);
  const detector = deps.detector.for(job.account_id);
  let memory = startOf(kept as NoiseMemory | null);
  let before: { row: ExecutionRow; seen: SeenCapture | null } | null = null;
  // By the same detector, leaving more out makes no news; another one may say anything.
  const isLess = isDetectorTried ? () => false : asksForLess(job, settings);
  const staysQuiet = (row: ExecutionRow) => isLess(row) && isQuiet(row);
  for await (const batch of viewHistory(deps, rows, settings, staysQuiet, signal)) {
    const captures = batch.flatMap(({ row, seen }) => {
      const ignored = (said.get(row.id)?.ignored ?? []) as Ignored[];
      return seen && seen !== "quiet" ? [{ ...seen, ignored }] : [];
    });
    const input = { settings, memory, before: before?.seen ?? null, captures };
    const replayed: ReplayOutput =
      captures.length > 0 ? await detector.replay(input, signal) : { outcomes: [], memory };
    memory = replayed.memory;
    const found: Replayed[] = [];
    for (const { row, seen } of batch) {
      const about = said.get(row.id)?.about ?? [];
      const was = wasOf(row);
      if (seen === "quiet" || seen === null) {
        found.push({ execution: row, fromId: row.baseline_id, was, now: was, about });
        if (seen) before = { row, seen: null };
        continue;
      }
      const earlier: ExecutionRow | null = before?.row ?? null;
      const outcome = replayed.outcomes.shift() as Outcome;
      let now = nowOf(outcome);
      const mayDiffer = outcome.kind === "compared" && !outcome.changed && earlier;
      if (mayDiffer && needsPixels(earlier, row, isLess(row))) {
        now = (await lookAtPictures(deps, settings, memory, earlier, row, signal)) ?? now;
      }
      found.push({ execution: row, fromId: earlier?.id ?? null, was, now, about });
      if (outcome.kind === "compared" || outcome.kind === "first") before = { row, seen };
    }
    signal?.throwIfAborted();
    yield found;
  }
}

/** What was there before any check: what the user said, and where the picture moves by itself. */
function startOf(kept: NoiseMemory | null): NoiseMemory {
  const { answers, said, dates, kept: wanted, boxes, ownErrors } = openMemory(kept);
  return openMemory({ answers, said, dates, kept: wanted, boxes, ownErrors });
}

/** Whether a check compared it and found nothing to tell. What an error page stands for depends on those before it. */
function isQuiet(row: ExecutionRow): boolean {
  if ((row.status_code ?? 0) >= 400) return false;
  return isSeen(row) && row.failure === null && !row.changed && !row.truncated && row.similarity !== null;
}

/** Whether less counts now than when a check was made. Which rules held before their last change nobody knows. */
function asksForLess(job: JobRow, settings: Settings): (row: ExecutionRow) => boolean {
  const { selector, ignore } = rulesOf(job);
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const isLess =
    settings.selector === selector &&
    settings.awaited === job.awaited &&
    same(settings.lookup, job.lookup) &&
    same(settings.follow, job.follow) &&
    same(settings.alertIf, alertIfOf(job)) &&
    ignore.every((entry) => settings.ignore.includes(entry));
  return (row) => isLess && row.created_at > job.rules_at;
}

/** Whether only the pictures can say that nothing is to be told: pixels are dear. */
function needsPixels(before: ExecutionRow, after: ExecutionRow, isLess: boolean): boolean {
  if (!before.picture || !after.picture || before.picture.equals(after.picture)) return false;
  return after.changed || !isLess;
}

async function lookAtPictures(
  deps: Needed,
  settings: Settings,
  memory: NoiseMemory,
  before: ExecutionRow,
  after: ExecutionRow,
  signal?: AbortSignal,
): Promise<Said | null> {
  const { account_id: accountId } = after;
  const [from, to] = [keptOf(before) as Kept, keptOf(after) as Kept];
  const detector = deps.detector.for(accountId);
  const view = async (kept: Kept) =>
    lookBackThrough({ detector }, await readSnapshot(deps, accountId, kept), settings);
  const pixels = async ({ picture }: Kept) => readPixels(deps, accountId, picture as Buffer);
  const [one, other] = [await view(from), await view(to)];
  const pictures: Pictures = { before: await pixels(from), after: await pixels(to) };
  const { alertIf } = settings;
  const input = { before: one, after: other, memory, pictures, alertIf };
  const { verdict } = await detector.compare(input, signal);
  if (verdict.untold) return null;
  const seen = verdict.reasons.find(({ kind, severity }) => kind === "picture" && severity !== "info");
  return seen ? { state: "alert", severity: seen.severity, summary: seen.summary } : null;
}

function wasOf({ failure, error, changed, folded, untold, severity, summary }: ExecutionRow): Said {
  if (failure) return { state: "failed", severity: null, summary: error ?? summary };
  if (untold) return { state: "quiet", severity: null, summary: `Not told: ${untold}` };
  const state = !changed ? "quiet" : folded ? "digest" : "alert";
  return { state, severity: changed ? (severity as Said["severity"]) : null, summary };
}

function nowOf(outcome: Outcome): Said {
  if (outcome.kind === "absent") return { state: "failed", severity: null, summary: outcome.problem };
  if (outcome.kind === "cut") return { state: "quiet", severity: null, summary: "Too large to be compared" };
  if (outcome.kind === "first") return { state: "quiet", severity: null, summary: "First capture" };
  const { changed, folded, untold, severity, summary } = outcome;
  if (untold) return { state: "quiet", severity: null, summary: `Not told: ${untold}` };
  if (!changed) return { state: "quiet", severity: null, summary: "No change" };
  return { state: folded ? "digest" : "alert", severity, summary };
}

import { filterPastSnapshot } from "#checks/apply-job-rules.ts";
import type { Pictures } from "#checks/compare-views.ts";
import type { Deps } from "#checks/deps.ts";
import type { FilteredCapture, Outcome, ReplayOutput, Settings } from "#checks/replay-captures.ts";
import { readSnapshot } from "#checks/store-capture.ts";
import { type ComparedName, comparedNames } from "#contract/job-settings.ts";
import type { CheckOutcome } from "#contract/rule-test.ts";
import { type NoiseMemory, openMemory } from "#detection/noise-memory/noise-memory.ts";
import type { Ignored } from "#detection/verdict/verdict.ts";
import { comparedSettings } from "#group-defaults/inherit.ts";
import { readPixels } from "#storage/contents.ts";
import { type ExecutionRow, type Kept, listVerdictSummaries, storedPartsOf } from "#storage/executions.ts";
import { findMemory, type JobRow } from "#storage/jobs.ts";
import { isSeen, viewHistory } from "../view-history.ts";

type Needed = Pick<Deps, "db" | "blobs" | "detector">;

/** The recorded result of a past check, and its result with other settings. */
export type ReplayedExecution = {
  execution: ExecutionRow;
  /** The execution that it is compared with now. */
  fromId: string | null;
  was: CheckOutcome;
  now: CheckOutcome;
  /** What was alerted then, one entry per reason. */
  about: string[];
};

/**
 * Replays a job's stored captures, oldest first, as if its checks had run with these settings; what is learned on the
 * way applies, as it did then. External failures and unconfirmed changes keep their recorded result.
 */
export async function* replay(
  deps: Needed,
  job: JobRow,
  settings: Settings,
  rows: ExecutionRow[],
  { signal, isDetectorTried = false }: { signal?: AbortSignal; isDetectorTried?: boolean } = {},
): AsyncGenerator<ReplayedExecution[]> {
  const [recorded, { memory: stored }] = await Promise.all([
    listVerdictSummaries(
      deps.db,
      rows.map(({ id }) => id),
    ),
    findMemory(deps.db, job.id),
  ]);
  const detector = deps.detector.for(job.account_id);
  let memory = initialMemory(stored as NoiseMemory | null);
  let baseline: { row: ExecutionRow; seen: FilteredCapture | null } | null = null;
  // With the same detector, leaving out more can't cause new alerts; a different detector may decide anything.
  const leavesOutMore = isDetectorTried ? () => false : compareSettings(job, settings);
  const staysQuiet = (row: ExecutionRow) => leavesOutMore(row) && isQuiet(row);
  for await (const batch of viewHistory(deps, rows, settings, staysQuiet, signal)) {
    const captures = batch.flatMap(({ row, seen }) => {
      const ignored = (recorded.get(row.id)?.ignored ?? []) as Ignored[];
      return seen && seen !== "quiet" ? [{ ...seen, ignored }] : [];
    });
    const input = { settings, memory, before: baseline?.seen ?? null, captures };
    const replayed: ReplayOutput =
      captures.length > 0 ? await detector.replay(input, signal) : { outcomes: [], memory };
    memory = replayed.memory;
    const found: ReplayedExecution[] = [];
    for (const { row, seen } of batch) {
      const about = recorded.get(row.id)?.about ?? [];
      const was = describePast(row);
      if (seen === "quiet" || seen === null) {
        found.push({ execution: row, fromId: row.baseline_id, was, now: was, about });
        if (seen) baseline = { row, seen: null };
        continue;
      }
      const baselineRow: ExecutionRow | null = baseline?.row ?? null;
      const outcome = replayed.outcomes.shift() as Outcome;
      let now = describeOutcome(outcome);
      const mayDiffer = outcome.kind === "compared" && !outcome.changed && baselineRow;
      if (mayDiffer && needsPixels(baselineRow, row, leavesOutMore(row))) {
        now = (await comparePictures(deps, settings, memory, baselineRow, row, signal)) ?? now;
      }
      found.push({ execution: row, fromId: baselineRow?.id ?? null, was, now, about });
      if (outcome.kind === "compared" || outcome.kind === "first") baseline = { row, seen };
    }
    signal?.throwIfAborted();
    yield found;
  }
}

/** The memory before the first check: the user's feedback, and the areas where the picture moves by itself. */
function initialMemory(kept: NoiseMemory | null): NoiseMemory {
  const { answers, said, dates, kept: wanted, boxes, ownErrors } = openMemory(kept);
  return openMemory({ answers, said, dates, kept: wanted, boxes, ownErrors });
}

/**
 * Whether a check compared the capture and found nothing to alert. Error pages are excluded: their meaning depends on
 * the executions before them.
 */
function isQuiet(row: ExecutionRow): boolean {
  if ((row.status_code ?? 0) >= 400) return false;
  return isSeen(row) && row.failure === null && !row.changed && !row.truncated && row.similarity !== null;
}

/** Whether the settings leave out at least as much as at the check. Rules before their last change are unknown. */
function compareSettings(job: JobRow, settings: Settings): (row: ExecutionRow) => boolean {
  const own = comparedSettings(job);
  const isSame = (name: ComparedName) => JSON.stringify(settings[name]) === JSON.stringify(own[name]);
  const leavesOutMore =
    comparedNames.every((name) => name === "ignore" || isSame(name)) &&
    own.ignore.every((entry) => settings.ignore.includes(entry));
  return (row) => leavesOutMore && row.created_at > job.rules_at;
}

/** Whether the pictures must be compared to rule out an alert; reading pixels is expensive. */
function needsPixels(before: ExecutionRow, after: ExecutionRow, leavesOutMore: boolean): boolean {
  if (!before.picture || !after.picture || before.picture.equals(after.picture)) return false;
  return after.changed || !leavesOutMore;
}

async function comparePictures(
  deps: Needed,
  settings: Settings,
  memory: NoiseMemory,
  before: ExecutionRow,
  after: ExecutionRow,
  signal?: AbortSignal,
): Promise<CheckOutcome | null> {
  const { account_id: accountId } = after;
  const [from, to] = [storedPartsOf(before) as Kept, storedPartsOf(after) as Kept];
  const detector = deps.detector.for(accountId);
  const view = async (kept: Kept) =>
    filterPastSnapshot({ detector }, await readSnapshot(deps, accountId, kept), settings);
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

function describePast({
  failure,
  error,
  changed,
  folded,
  untold,
  severity,
  summary,
}: ExecutionRow): CheckOutcome {
  if (failure) return { state: "failed", severity: null, summary: error ?? summary };
  if (untold) return { state: "quiet", severity: null, summary: `No alert: ${untold}` };
  const state = !changed ? "quiet" : folded ? "digest" : "alert";
  return { state, severity: changed ? (severity as CheckOutcome["severity"]) : null, summary };
}

function describeOutcome(outcome: Outcome): CheckOutcome {
  if (outcome.kind === "absent") return { state: "failed", severity: null, summary: outcome.problem };
  if (outcome.kind === "cut") return { state: "quiet", severity: null, summary: "Too large to be compared" };
  if (outcome.kind === "first") return { state: "quiet", severity: null, summary: "First capture" };
  const { changed, folded, untold, severity, summary } = outcome;
  if (untold) return { state: "quiet", severity: null, summary: `No alert: ${untold}` };
  if (!changed) return { state: "quiet", severity: null, summary: "No change" };
  return { state: folded ? "digest" : "alert", severity, summary };
}

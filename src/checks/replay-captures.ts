import type { Snapshot } from "#contract/capture.ts";
import type { ComparedSettings } from "#contract/job-settings.ts";
import {
  addAlertedNumbers,
  addLastNumbers,
  readValues,
  settleAlerted,
  type Values,
} from "#detection/followed-values/followed-values.ts";
import { emptyMemory, type NoiseMemory, withReplayedNoise } from "#detection/noise-memory/noise-memory.ts";
import { applyRules, parseRules, type View } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import type { Budget } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import type { Severity } from "#detection/severity/severity.ts";
import type { Ignored, Verdict } from "#detection/verdict/verdict.ts";
import { compareViews } from "./compare-views.ts";
import {
  describeStatus,
  judgeAnswer,
  rememberError,
  rememberPage,
  withAlertedStatus,
} from "./error-status.ts";
import { explainNoMatch } from "./explain-no-match.ts";

/** All settings of a job that decide what is alerted for two captures. */
export type Settings = ComparedSettings;

/** A stored capture without its picture. The body isn't used for web pages. */
export type KeptCapture = { html: Uint8Array; body: Uint8Array | null; facts: Uint8Array };

export type ViewInput = { captures: KeptCapture[]; settings: Settings };
/** A filtered capture, and its followed values; null if the job follows none. */
export type FilteredCapture = { view: View; values: Values | null };

export type ReplayInput = {
  settings: Settings;
  memory: NoiseMemory;
  /** What the first capture is compared with. */
  before: FilteredCapture | null;
  /** In order, each with what its check ignored, and with what it is compared if that isn't the previous one. */
  captures: (FilteredCapture & { before: FilteredCapture | null; ignored: Ignored[] })[];
};

/** What a check finds: a comparison, a first capture, or why nothing can be compared. */
export type Outcome =
  | {
      /** "status" for an error page, of which only the status counts. */
      kind: "compared" | "status";
      changed: boolean;
      folded: boolean;
      untold: string | null;
      severity: Severity;
      summary: string;
    }
  | { kind: "first" }
  | { kind: "absent"; problem: string }
  | { kind: "cut" };

export type ReplayOutput = { outcomes: Outcome[]; memory: NoiseMemory };

/** Applies rules to stored captures, each with its own budget. */
export function viewCaptures({ captures, settings }: ViewInput, newBudget: () => Budget): FilteredCapture[] {
  const parsedRules = parseRules(settings);
  const { values: follow } = settings;
  return captures.map((kept) => {
    const snapshot = openCapture(kept);
    const view = applyRules(snapshot, parsedRules, newBudget());
    const values = follow.length > 0 ? readValues(follow, snapshot, view.snapshot, newBudget()) : null;
    return { view, values };
  });
}

/** Replays stored captures as checks with these settings would have compared them. */
export function replayCaptures(
  { settings, memory, before, captures }: ReplayInput,
  newBudget: () => Budget,
): ReplayOutput {
  const { selector, awaited, lookup, alertIf } = settings;
  let known = memory;
  let last = before;
  const outcomes = captures.map(({ before: ownBaseline, ignored, ...seen }): Outcome => {
    last = ownBaseline ?? last;
    const { view } = seen;
    const earlier = last;
    const isSameAddress = earlier?.view.snapshot.url === view.snapshot.url;
    const { status } = view.snapshot;
    const baseline = isSameAddress ? earlier.view.snapshot.status : null;
    const answer = judgeAnswer(status, baseline, isSameAddress ? known : null, alertIf);
    if (answer === "failure") return { kind: "absent", problem: describeStatus(status) };
    if (answer === "status" && earlier) {
      const before = withAlertedStatus(earlier.view, known);
      const { verdict } = compareViews({
        before,
        after: view,
        memory: known,
        pictures: null,
        alertIf,
        isError: true,
      });
      known = rememberError(known, status);
      return { kind: "status", ...outcomeOf(verdict) };
    }
    if (view.isAbsent && !awaited)
      return { kind: "absent", problem: explainNoMatch(view.snapshot, selector) };
    if (view.snapshot.truncated) return { kind: "cut" };
    const read = seen.values && addLastNumbers(seen.values, earlier?.values ?? null);
    last = { view, values: read && addAlertedNumbers(read, earlier?.values ?? {}) };
    if (!isSameAddress) {
      // A new URL restarts a job: what was learned about the old page is forgotten.
      if (earlier) known = emptyMemory();
      known = rememberPage(known, status) ?? known;
      return { kind: "first" };
    }
    const { verdict, memory: learned } = compareViews(
      {
        before: withAlertedStatus(earlier.view, known),
        after: view,
        memory: withReplayedNoise(known, ignored),
        pictures: null,
        lookup,
        alertIf,
        values: earlier.values && last.values && { before: earlier.values, after: last.values },
      },
      newBudget(),
    );
    if (verdict.blocked) {
      last = earlier;
      return { kind: "compared", ...outcomeOf(verdict) };
    }
    if (last.values) last = { view, values: settleAlerted(last.values, verdict) };
    known = rememberPage(learned, status) ?? learned;
    return { kind: "compared", ...outcomeOf(verdict) };
  });
  return { outcomes, memory: withReplayedNoise(known, []) };
}

function outcomeOf({ changed, folded, untold, severity, summary }: Verdict) {
  return { changed, folded, untold: untold ?? null, severity, summary };
}

function openCapture({ html, body, facts }: KeptCapture): Snapshot {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    ...(JSON.parse(decoder.decode(facts)) as Snapshot),
    html: decoder.decode(html),
    body: body ?? new Uint8Array(),
    picture: null,
  };
}

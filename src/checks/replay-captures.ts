import type { Snapshot } from "#contract/capture.ts";
import type { Lookup } from "#contract/job.ts";
import { applyRules, readRules, type View } from "#detection/apply-rules.ts";
import type { AlertIf } from "#detection/condition.ts";
import { type Follow, readValues, rememberLast, type Values } from "#detection/follow.ts";
import { emptyMemory, type NoiseMemory, withKnown } from "#detection/noise-memory.ts";
import type { Budget } from "#detection/rule-budget.ts";
import type { Rules } from "#detection/rules.ts";
import type { Ignored, Severity, Verdict } from "#detection/verdict.ts";
import { absence } from "./absence.ts";
import { compareViews } from "./compare-views.ts";
import { asTold, judgeAnswer, rememberError, rememberPage, sayStatus } from "./error-answer.ts";

/** All of a job that decides what is told of two captures. What else comes to decide belongs in here. */
export type Settings = Rules & {
  /** Whether what the selector chooses may not be there yet. */
  awaited: boolean;
  lookup: Lookup | null;
  follow: Follow[];
  alertIf: AlertIf | null;
};

/** A capture as it is kept, without its picture; of web pages the body counts for nothing. */
export type KeptCapture = { html: Uint8Array; body: Uint8Array | null; facts: Uint8Array };

export type ViewInput = { captures: KeptCapture[]; settings: Settings };
/** What rules show of a capture, and what was read of the followed values; null where none are. */
export type SeenCapture = { view: View; values: Values | null };

export type ReplayInput = {
  settings: Settings;
  memory: NoiseMemory;
  /** What the first is compared with. */
  before: SeenCapture | null;
  /** In order, each with what its check ignored, and with what it is compared where that is not the one before. */
  captures: (SeenCapture & { before: SeenCapture | null; ignored: Ignored[] })[];
};

/** What a check finds: a comparison, a beginning, or why there is nothing to compare. */
export type Outcome =
  | {
      /** "status" where it is an error page, of which nothing else counts. */
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

/** Shows captures that were kept through rules, each within a budget of its own. */
export function viewCaptures({ captures, settings }: ViewInput, newBudget: () => Budget): SeenCapture[] {
  const glasses = readRules(settings);
  const { follow } = settings;
  return captures.map((kept) => {
    const snapshot = open(kept);
    const view = applyRules(snapshot, glasses, newBudget());
    const values = follow.length > 0 ? readValues(follow, snapshot, view.snapshot, newBudget()) : null;
    return { view, values };
  });
}

/** Goes once more over captures that were kept, as checks with these settings would have. */
export function replayCaptures(
  { settings, memory, before, captures }: ReplayInput,
  newBudget: () => Budget,
): ReplayOutput {
  const { selector, awaited, lookup, alertIf } = settings;
  let known = memory;
  let last = before;
  const outcomes = captures.map(({ before: other, ignored, ...seen }): Outcome => {
    last = other ?? last;
    const { view } = seen;
    const earlier = last;
    const isSameAddress = earlier?.view.snapshot.url === view.snapshot.url;
    const { status } = view.snapshot;
    const baseline = isSameAddress ? earlier.view.snapshot.status : null;
    const answer = judgeAnswer(status, baseline, isSameAddress ? known : null, alertIf);
    if (answer === "failure") return { kind: "absent", problem: sayStatus(status) };
    if (answer === "status" && earlier) {
      const before = asTold(earlier.view, known);
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
    if (view.isAbsent && !awaited) return { kind: "absent", problem: absence(view.snapshot, selector) };
    if (view.snapshot.truncated) return { kind: "cut" };
    last = { view, values: seen.values && rememberLast(seen.values, earlier?.values ?? null) };
    if (!isSameAddress) {
      // Another address starts a job anew: what was learned of the old one is forgotten.
      if (earlier) known = emptyMemory();
      known = rememberPage(known, status) ?? known;
      return { kind: "first" };
    }
    const { verdict, memory: learned } = compareViews(
      {
        before: asTold(earlier.view, known),
        after: view,
        memory: withKnown(known, ignored),
        pictures: null,
        lookup,
        alertIf,
        values: earlier.values && last.values && { before: earlier.values, after: last.values },
      },
      newBudget(),
    );
    known = rememberPage(learned, status) ?? learned;
    return { kind: "compared", ...outcomeOf(verdict) };
  });
  return { outcomes, memory: withKnown(known, []) };
}

function outcomeOf({ changed, folded, untold, severity, summary }: Verdict) {
  return { changed, folded, untold: untold ?? null, severity, summary };
}

function open({ html, body, facts }: KeptCapture): Snapshot {
  const read = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    ...(JSON.parse(read.decode(facts)) as Snapshot),
    html: read.decode(html),
    body: body ?? new Uint8Array(),
    picture: null,
  };
}

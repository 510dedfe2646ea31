import type { Snapshot } from "#contract/capture.ts";
import type { Lookup } from "#contract/job.ts";
import { applyRules, readRules, type View } from "#detection/apply-rules.ts";
import { emptyMemory, type NoiseMemory, withKnown } from "#detection/noise-memory.ts";
import type { Rules } from "#detection/rules.ts";
import type { Ignored, Severity } from "#detection/verdict.ts";
import { absence } from "./absence.ts";
import { compareViews } from "./compare-views.ts";

/** All of a job that decides what is told of two captures. What else comes to decide belongs in here. */
export type Settings = Rules & {
  /** Whether what the selector chooses may not be there yet. */
  awaited: boolean;
  lookup: Lookup | null;
};

/** A capture as it is kept, without its picture; of web pages the body counts for nothing. */
export type KeptCapture = { html: Uint8Array; body: Uint8Array | null; facts: Uint8Array };

export type ReplayInput = {
  settings: Settings;
  memory: NoiseMemory;
  /** What the first is compared with. */
  before: View | null;
  /** In order, each with what its check ignored, and with what it is compared where that is not the one before. */
  captures: { view: View; before: View | null; ignored: Ignored[] }[];
};

/** What a check finds: a comparison, a beginning, or why there is nothing to compare. */
export type Outcome =
  | { kind: "compared"; changed: boolean; folded: boolean; severity: Severity; summary: string }
  | { kind: "first" }
  | { kind: "absent"; problem: string }
  | { kind: "cut" };

export type ReplayOutput = { outcomes: Outcome[]; memory: NoiseMemory };

/** Shows captures that were kept through rules. */
export function viewCaptures({ captures, rules }: { captures: KeptCapture[]; rules: Rules }): View[] {
  const glasses = readRules(rules);
  return captures.map((kept) => applyRules(open(kept), glasses));
}

/** Goes once more over captures that were kept, as checks with these settings would have. */
export function replayCaptures({ settings, memory, before, captures }: ReplayInput): ReplayOutput {
  let known = memory;
  let last = before;
  const outcomes = captures.map(({ view, before: other, ignored }): Outcome => {
    last = other ?? last;
    if (view.isAbsent && !settings.awaited)
      return { kind: "absent", problem: absence(view.snapshot, settings.selector) };
    if (view.snapshot.truncated) return { kind: "cut" };
    const earlier = last;
    last = view;
    if (earlier?.snapshot.url !== view.snapshot.url) {
      // Another address starts a job anew: what was learned of the old one is forgotten.
      if (earlier) known = emptyMemory();
      return { kind: "first" };
    }
    const { verdict, memory: learned } = compareViews({
      before: earlier,
      after: view,
      memory: withKnown(known, ignored),
      pictures: null,
      lookup: settings.lookup,
    });
    known = learned;
    const { changed, folded, severity, summary } = verdict;
    return { kind: "compared", changed, folded, severity, summary };
  });
  return { outcomes, memory: withKnown(known, []) };
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

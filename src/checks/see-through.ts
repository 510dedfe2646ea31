import type { Snapshot } from "#contract/capture.ts";
import type { View } from "#detection/apply-rules.ts";
import { type Rules, refuseRules } from "#detection/rules.ts";
import type { LogLine } from "#storage/logs.ts";
import { absence } from "./absence.ts";
import type { Detector } from "./deps.ts";
import { type KeptBytes, type KeptView, openSnapshot, whole } from "./kept-view.ts";
import { RuleFailure, TookTooMuch } from "./took-too-much.ts";

/** A capture through its job's rules, and those that had to be left out; or why nothing can be compared by them. */
export type Seen = { view: View; lines: LogLine[] } | Unseen;
export type Unseen = { problem: string; kind: "selector" | "rules" | "status" };

/**
 * Shows a capture through rules that may be awaited to match nothing, or must not. Rules that exceed their budget are a
 * problem as a whole: without one of them a check would tell of what its user asked to leave out.
 */
export async function seeThrough(
  { detector }: { detector: Detector },
  snapshot: Snapshot,
  rules: Rules,
  isAwaited: boolean,
): Promise<Seen> {
  const lines: LogLine[] = [];
  const leaveOut = (entry: string, why: string) => {
    lines.push({ level: "warn", meta: `Left out of this check: ${why} (ignore ${entry.slice(0, 100)})` });
  };
  const { selector } = rules;
  const refused = refuseRules({ selector });
  if (refused) return { problem: refused.reason, kind: "selector" };
  const ignore = rules.ignore.filter((entry) => {
    const problem = refuseRules({ ignore: [entry] });
    if (problem) leaveOut(entry, problem.reason);
    return !problem;
  });
  try {
    const view = await viewOf(detector, snapshot, { selector, ignore });
    if (view.isAbsent && !isAwaited) return { problem: absence(snapshot, selector), kind: "selector" };
    return { view, lines };
  } catch (error) {
    if (!(error instanceof RuleFailure)) throw error;
    return { problem: error.message, kind: "rules" };
  }
}

/** A capture of the past through its job's rules as they are now; the whole of it where they cannot be applied. */
export async function lookBackThrough(
  deps: { detector: Detector },
  snapshot: Snapshot,
  { selector, ignore }: Rules,
): Promise<View> {
  try {
    const seen = await seeThrough(deps, snapshot, { selector, ignore }, true);
    return "problem" in seen ? whole(snapshot) : seen.view;
  } catch (error) {
    if (error instanceof TookTooMuch) return whole(snapshot);
    throw error;
  }
}

/** The same of a capture that is still as it is kept; what no rule cuts is left so. */
export async function lookBackAt(
  deps: { detector: Detector },
  kept: KeptBytes,
  rules: Rules,
): Promise<View | KeptView> {
  return isPlain(rules) ? { kept } : lookBackThrough(deps, openSnapshot(kept), rules);
}

async function viewOf(detector: Detector, snapshot: Snapshot, rules: Rules): Promise<View> {
  return isPlain(rules) ? whole(snapshot) : detector.view({ snapshot, rules });
}

export const isPlain = ({ selector, ignore }: Rules): boolean => selector === null && ignore.length === 0;

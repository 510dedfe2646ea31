import type { Snapshot } from "#contract/capture.ts";
import type { View } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import { type Rules, validateRules } from "#detection/selectors-and-ignore-rules/rules.ts";
import type { LogLine } from "#storage/logs.ts";
import type { Detector } from "./deps.ts";
import { RuleFailure, TookTooMuch } from "./detection-threads/limit-errors.ts";
import { explainNoMatch } from "./explain-no-match.ts";
import { openSnapshot, type StoredCapture, type StoredView, whole } from "./stored-capture.ts";

/** A filtered capture, with log lines for rules that had to be left out; or why it can't be compared. */
export type JobFilterResult = { view: View; lines: LogLine[] } | FilterProblem;
export type FilterProblem = { problem: string; kind: "selector" | "rules" | "status" };

/**
 * Applies rules to a capture. The selector may match nothing only if `isAwaited`. When one rule exceeds its budget, the
 * whole check fails: without that rule, it would alert about what the user asked to ignore.
 */
export async function applyJobRules(
  { detector }: { detector: Detector },
  snapshot: Snapshot,
  rules: Rules,
  isAwaited: boolean,
): Promise<JobFilterResult> {
  const lines: LogLine[] = [];
  const leaveOut = (entry: string, why: string) => {
    lines.push({ level: "warn", meta: `Left out of this check: ${why} (ignore ${entry.slice(0, 100)})` });
  };
  const { selector, steps = null } = rules;
  const refusal = validateRules({ selector, steps });
  if (refusal) return { problem: refusal.reason, kind: "selector" };
  const ignore = rules.ignore.filter((entry) => {
    const problem = validateRules({ ignore: [entry] });
    if (problem) leaveOut(entry, problem.reason);
    return !problem;
  });
  try {
    const view = await filterSnapshot(detector, snapshot, { ...rules, ignore });
    if (view.isAbsent && !isAwaited) return { problem: explainNoMatch(snapshot, selector), kind: "selector" };
    return { view, lines };
  } catch (error) {
    if (!(error instanceof RuleFailure)) throw error;
    return { problem: error.message, kind: "rules" };
  }
}

/** Applies the job's current rules to a past capture; returns it unfiltered where they can't be applied. */
export async function filterPastSnapshot(
  deps: { detector: Detector },
  snapshot: Snapshot,
  rules: Rules,
): Promise<View> {
  try {
    const filtered = await applyJobRules(deps, snapshot, rules, true);
    return "problem" in filtered ? whole(snapshot) : filtered.view;
  } catch (error) {
    if (error instanceof TookTooMuch) return whole(snapshot);
    throw error;
  }
}

/** The same for a stored capture; it stays packed where no rule filters it. */
export async function filterPastCapture(
  deps: { detector: Detector },
  kept: StoredCapture,
  rules: Rules,
): Promise<View | StoredView> {
  return isPlain(rules) ? { kept } : filterPastSnapshot(deps, openSnapshot(kept), rules);
}

async function filterSnapshot(detector: Detector, snapshot: Snapshot, rules: Rules): Promise<View> {
  return isPlain(rules) ? whole(snapshot) : detector.view({ snapshot, rules });
}

export const isPlain = ({ selector, ignore, steps, compareAs }: Rules): boolean =>
  selector === null && ignore.length === 0 && (steps ?? []).length === 0 && compareAs !== "source";

import type { Snapshot } from "#contract/capture.ts";
import type { Follow } from "#detection/followed-values/followed-values.ts";
import { type PreviewedValue, previewValues } from "#detection/followed-values/preview-values.ts";
import { coverRules, notTried } from "#detection/selectors-and-ignore-rules/cover-rules.ts";
import { type PreviewedLines, previewSteps } from "#detection/selectors-and-ignore-rules/preview-steps.ts";
import type { Budget } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import type { Rules } from "#detection/selectors-and-ignore-rules/rules.ts";

export type CoverageInput = { snapshot: Snapshot; rules: Rules; follow?: Follow[] };
export type CaptureCoverage = ReturnType<typeof coverRules> & {
  values: PreviewedValue[];
  steps: PreviewedLines[];
  /** Whether any of them exceeded the budget. */
  wasStopped: boolean;
};

/**
 * Measures how much of a capture each rule covers, what values read and what steps leave. What comes after rules that
 * take too long isn't tried: the check would fail too.
 */
export function coverCapture(
  { snapshot, rules, follow = [] }: CoverageInput,
  newBudget: () => Budget,
): CaptureCoverage {
  const budgets: Budget[] = [];
  const trackedBudget = () => {
    const budget = newBudget();
    budgets.push(budget);
    return budget;
  };
  const wasStopped = () => budgets.some(({ isSpent }) => isSpent);
  const covered = coverRules(snapshot, rules, trackedBudget);
  const values = wasStopped()
    ? follow.map(() => ({ problem: notTried }))
    : previewValues(snapshot, rules, follow, trackedBudget);
  const hasSteps = (rules.steps ?? []).length > 0;
  const steps = wasStopped()
    ? hasSteps
      ? [{ problem: notTried }]
      : []
    : previewSteps(snapshot, rules, trackedBudget);
  return { ...covered, values, steps, wasStopped: wasStopped() };
}

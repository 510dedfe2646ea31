import type { Snapshot } from "../snapshot/snapshot.ts";
import { applyRules, parseRules } from "./apply-rules.ts";
import { linesOfCapture } from "./extracted-capture.ts";
import { type Budget, toProblem } from "./rule-budget.ts";
import { type Rules, validateRules } from "./rules.ts";
import { applySteps, readStep } from "./text-steps.ts";

/** The lines before the first step, then those after each step: how many there are, and the first of them. */
export type PreviewedLines = { count: number; lines: string[] } | { problem: string };

const [maxShown, maxLength] = [30, 300];

const show = (lines: string[]): PreviewedLines => ({
  count: lines.length,
  lines: lines.slice(0, maxShown).map((line) => line.slice(0, maxLength).toWellFormed()),
});

/** Shows what each step makes of a capture's lines. A step that can't be parsed or applied says why and does nothing. */
export function previewSteps(snapshot: Snapshot, rules: Rules, newBudget: () => Budget): PreviewedLines[] {
  const steps = rules.steps ?? [];
  if (steps.length === 0 && rules.compareAs !== "source") return [];
  try {
    const view = applyRules(snapshot, parseRules({ ...rules, steps: [] }), newBudget());
    let lines = linesOfCapture(view.snapshot);
    const budget = newBudget();
    return [
      show(lines),
      ...steps.map((step): PreviewedLines => {
        const refusal = validateRules({ steps: [step] });
        if (refusal) return { problem: refusal.reason };
        try {
          lines = applySteps(lines, [{ step, apply: readStep(step) }], budget);
          return show(lines);
        } catch (error) {
          return toProblem(error);
        }
      }),
    ];
  } catch (error) {
    return [toProblem(error)];
  }
}

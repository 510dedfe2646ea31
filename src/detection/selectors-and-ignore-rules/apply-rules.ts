import type { Snapshot } from "../snapshot/snapshot.ts";
import { applyRulesToFile } from "./apply-rules-to-file.ts";
import { applyRulesToPage } from "./apply-rules-to-page.ts";
import { applyRulesToSource } from "./apply-rules-to-source.ts";
import { emptyContent, extractedLines, linesOfCapture } from "./extracted-capture.ts";
import { type ParsedRules, type View, wholeView } from "./filtered-capture.ts";
import { Budget } from "./rule-budget.ts";
import { parseIgnoreRule, parseSelectors, type Rule, type Rules } from "./rules.ts";
import { TextCutter } from "./text-cutter.ts";
import { applySteps, readStep } from "./text-steps.ts";

export type { Placed, View } from "./filtered-capture.ts";

/** Parses a job's rules. Throws a RuleError for a rule that can't be parsed. */
export function parseRules({ selector, ignore, steps, compareAs }: Rules): ParsedRules {
  const used = new Set<string>();
  const rules = ignore.map((entry) => watchUse(parseIgnoreRule(entry), () => used.add(entry)));
  const texts = rules.filter((rule) => rule.kind === "line" || rule.kind === "pattern");
  const lines = new TextCutter(texts);
  return {
    selectors: parseSelectors(selector ?? ""),
    ignored: rules.filter((rule) => rule.kind === "elements" || rule.kind === "values"),
    lines,
    steps: (steps ?? []).map((step) => ({ step, apply: readStep(step) })),
    isSource: compareAs === "source",
    listIdle: () =>
      ignore.filter((entry, at) => !used.has(entry) && !lines.used.has(rules[at] as (typeof texts)[number])),
  };
}

/** The same rule; `onMatch` is called when it finds elements or values. */
function watchUse(rule: Rule, onMatch: () => void): Rule {
  if (rule.kind === "line" || rule.kind === "pattern") return rule;
  const watch = <Input extends unknown[], Item>(find: (...input: Input) => Item[]) => {
    return (...input: Input) => {
      const found = find(...input);
      if (found.length > 0) onMatch();
      return found;
    };
  };
  return rule.kind === "elements" ? { ...rule, find: watch(rule.find) } : { ...rule, find: watch(rule.find) };
}

/**
 * Filters a capture by the job's rules: whatever they exclude is missing from the returned view. Throws a RuleFailure
 * if the rules exceed their budget.
 */
export function applyRules(snapshot: Snapshot, rules: ParsedRules, budget = new Budget()): View {
  const { selectors, ignored, lines, steps, isSource } = rules;
  const isPlain = selectors.length === 0 && ignored.length === 0 && lines.isIdle;
  lines.payFrom(budget);
  const cut = isPlain && !isSource ? wholeView : cutterFor(snapshot, isSource);
  const filtered = cut(snapshot, rules, budget);
  if (!filtered) return { snapshot: { ...snapshot, ...emptyContent }, comparedArea: null, isAbsent: true };
  const left =
    steps.length === 0
      ? filtered
      : extractedLines(snapshot, applySteps(linesOfCapture(filtered.snapshot), steps, budget));
  const idle = rules.listIdle();
  return idle.length === 0 ? left : { ...left, idle };
}

function cutterFor({ kind }: Snapshot, isSource: boolean) {
  if (isSource) return applyRulesToSource;
  return kind === "html" ? applyRulesToPage : applyRulesToFile;
}

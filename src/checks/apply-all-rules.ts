import { judgeConditions } from "#alert-conditions/conditions.ts";
import type { AlertIf } from "#contract/alert-if.ts";
import type { Snapshot } from "#contract/capture.ts";
import type { Lookup } from "#contract/job.ts";
import { type Follow, readValues } from "#detection/followed-values/followed-values.ts";
import { applyRules, parseRules, type View } from "#detection/selectors-and-ignore-rules/apply-rules.ts";
import { type Budget, RuleFailure } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import { RuleError, type Rules, validateRules } from "#detection/selectors-and-ignore-rules/rules.ts";
import { findLookups, holdsOneOf } from "#detection/text-lookup/lookup.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { openSnapshot, type StoredCapture } from "./stored-capture.ts";

export type AllRules = {
  rules: Rules;
  follow: Follow[];
  lookup: Lookup | null;
  alertIf: AlertIf | null;
  /** The strings that a trigger searches for before it fires. */
  strings: string[];
};

/** Leaves out rules of former versions that can't be parsed any more; a check logs each of them. */
const leaveOutUnreadable = ({ selector, ignore, steps, ...rest }: Rules): Rules => ({
  ...rest,
  steps: (steps ?? []).filter((step) => !validateRules({ steps: [step] })),
  selector: validateRules({ selector }) ? null : selector,
  ignore: ignore.filter((entry) => !validateRules({ ignore: [entry] })),
});

/** Fails if the ignore rules leave nothing of a capture: the job could never report a change. */
function assertSomethingLeft(
  snapshot: Snapshot,
  { ignore, ...rules }: Rules,
  view: View,
  newBudget: () => Budget,
): void {
  if (ignore.length === 0 || view.isAbsent || (rules.steps ?? []).length > 0 || showsAnything(view)) return;
  const viewWith = (entries: string[]) =>
    applyRules(snapshot, parseRules({ ...rules, ignore: entries }), newBudget());
  if (!showsAnything(viewWith([]))) return;
  const alone = ignore.find((entry) => !showsAnything(viewWith([entry])));
  const [rule, subject] = alone
    ? [alone, `“${alone}” ignores`]
    : [ignore[0] ?? "", "Together, the ignore rules ignore"];
  throw new RuleFailure(rule, `${subject} everything on this page, so no change would ever be reported.`);
}

const showsAnything = ({ snapshot: { text, html, kind } }: View) =>
  text.length > 0 || (kind === "html" && /<(?:img|svg|canvas|video|iframe|object|embed)\b/i.test(html));

/** Applies every rule of a job to one of its captures, as a check does; throws RuleFailure for a rule that fails. */
export function applyAllRules(
  { capture, rules, follow, lookup, alertIf, strings }: AllRules & { capture: StoredCapture },
  newBudget: () => Budget,
): void {
  try {
    const snapshot = openSnapshot(capture);
    const readable = leaveOutUnreadable(rules);
    const view = applyRules(snapshot, parseRules(readable), newBudget());
    assertSomethingLeft(snapshot, readable, view, newBudget);
    readValues(follow, snapshot, view.snapshot, newBudget());
    const budget = newBudget();
    if (lookup) findLookups(view.snapshot, view.snapshot, lookup, budget);
    const texts = (alertIf?.conditions ?? []).filter(({ what }) => what === "text" || what === "matches");
    // Text conditions don't read the verdict.
    const comparison = {
      verdict: { reasons: [] as Verdict["reasons"] } as Verdict,
      before: view.snapshot,
      after: view.snapshot,
      values: null,
      budget,
    };
    judgeConditions({ match: "all", conditions: texts }, comparison);
    holdsOneOf(view.snapshot, strings, newBudget());
  } catch (error) {
    // Rules that can't be parsed are refused, with their field, when they are saved.
    if (!(error instanceof RuleError)) throw error;
  }
}

import type { Lookup } from "#contract/job.ts";
import { applyRules, readRules } from "#detection/apply-rules.ts";
import type { AlertIf } from "#detection/condition.ts";
import { judgeConditions } from "#detection/conditions.ts";
import { type Follow, readValues } from "#detection/follow.ts";
import { findLookups, holdsOneOf } from "#detection/lookup.ts";
import type { Budget } from "#detection/rule-budget.ts";
import { RuleError, type Rules, refuseRules } from "#detection/rules.ts";
import type { Verdict } from "#detection/verdict.ts";
import { type KeptBytes, openSnapshot } from "./kept-view.ts";

export type AllRules = {
  rules: Rules;
  follow: Follow[];
  lookup: Lookup | null;
  alertIf: AlertIf | null;
  /** What a trigger looks for before it fires. */
  strings: string[];
};

/** Without rules of former versions that cannot be read any more: a check says so of each. */
const readable = ({ selector, ignore }: Rules): Rules => ({
  selector: refuseRules({ selector }) ? null : selector,
  ignore: ignore.filter((entry) => !refuseRules({ ignore: [entry] })),
});

/** Applies every rule of a job to one of its captures, step by step as a check does; throws a RuleFailure for one that fails. */
export function applyAllRules(
  { capture, rules, follow, lookup, alertIf, strings }: AllRules & { capture: KeptBytes },
  newBudget: () => Budget,
): void {
  try {
    const snapshot = openSnapshot(capture);
    const view = applyRules(snapshot, readRules(readable(rules)), newBudget());
    readValues(follow, snapshot, view.snapshot, newBudget());
    const budget = newBudget();
    if (lookup) findLookups(view.snapshot, view.snapshot, lookup, budget);
    const texts = (alertIf?.conditions ?? []).filter(({ what }) => what === "text");
    // Conditions on texts read nothing of the verdict.
    const seen = {
      verdict: {} as Verdict,
      before: view.snapshot,
      after: view.snapshot,
      values: null,
      budget,
    };
    judgeConditions({ match: "all", conditions: texts }, seen);
    holdsOneOf(view.snapshot, strings, newBudget());
  } catch (error) {
    // What cannot be read is refused with its place by who saves it.
    if (!(error instanceof RuleError)) throw error;
  }
}

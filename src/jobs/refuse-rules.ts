import { type Follow, validateFollowedValues } from "#detection/followed-values/followed-values.ts";
import {
  type Refusal,
  refuseBlanketRules,
  validateRules,
} from "#detection/selectors-and-ignore-rules/rules.ts";

/** Everything of a job that is parsed as a selector or a pattern. */
export type JudgedRules = Parameters<typeof validateRules>[0] & { values?: Follow[] | undefined };

/** Finds the first rule that can't be parsed or ignores everything, and why. */
export function refuseAll({ values, ...rules }: JudgedRules): Refusal | null {
  return (
    validateRules(rules) ?? refuseBlanketRules(rules.ignore ?? []) ?? validateFollowedValues(values ?? [])
  );
}

/** How many characters there are to parse. */
export function lengthOf({ selector, ignore, lookup, trigger, values, steps }: JudgedRules): number {
  const texts = [
    selector ?? "",
    ...(ignore ?? []),
    ...(lookup?.strings ?? []),
    ...(trigger?.strings ?? []),
    ...(values ?? []).map(({ rule }) => rule),
    ...(steps ?? []).map(({ text, to }) => text + to),
  ];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

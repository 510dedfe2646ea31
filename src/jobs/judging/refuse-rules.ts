import { type Follow, refuseFollow } from "#detection/follow.ts";
import { type Refusal, refuseRules } from "#detection/rules.ts";

/** Everything of a job that is parsed as a selector or a pattern. */
export type JudgedRules = Parameters<typeof refuseRules>[0] & { values?: Follow[] | undefined };

/** The first rule that cannot be understood, and why. */
export function refuseAll({ values, ...rules }: JudgedRules): Refusal | null {
  return refuseRules(rules) ?? refuseFollow(values ?? []);
}

/** How much there is to parse. */
export function lengthOf({ selector, ignore, lookup, trigger, values }: JudgedRules): number {
  const texts = [
    selector ?? "",
    ...(ignore ?? []),
    ...(lookup?.strings ?? []),
    ...(trigger?.strings ?? []),
    ...(values ?? []).map(({ rule }) => rule),
  ];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

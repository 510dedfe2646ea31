import type { NoiseReason } from "../verdict.ts";

// What only moved, or differs in markup alone, is nothing to tell of; a rule is the user's own word.
const never: ReadonlySet<NoiseReason> = new Set(["order", "markup", "rule"]);

/** Whether the user asked to hear of a place although it looks like noise. */
export function isWanted(kept: readonly string[], place: string, why: NoiseReason): boolean {
  return !never.has(why) && kept.includes(place);
}

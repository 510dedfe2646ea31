import type { NoiseReason } from "../verdict.ts";

/** Whether the user asked to hear of a place although it looks like noise. */
export function isWanted(kept: readonly string[], place: string, why: NoiseReason): boolean {
  // A rule is the user's own word.
  return why !== "rule" && kept.includes(place);
}

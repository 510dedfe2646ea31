import type { NoiseReason } from "../verdict/verdict.ts";

/** Whether the user asked for alerts about a location although it looks like noise. */
export function isWanted(wanted: readonly string[], place: string, why: NoiseReason): boolean {
  // A rule was set by the user.
  return why !== "rule" && wanted.includes(place);
}

import type { Ignored } from "../verdict/verdict.ts";

/** Whether the user can ask for alerts about an ignored difference: only if it has a location. */
export function canRequestAlerts({ place }: Pick<Ignored, "place">): boolean {
  return place !== "";
}

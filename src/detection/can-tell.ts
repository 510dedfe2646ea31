import type { Ignored } from "./verdict.ts";

/** Whether the user can ask to be told of an ignored difference: it has a place. */
export function canTell({ place }: Pick<Ignored, "place">): boolean {
  return place !== "";
}

import type { Ignored } from "./verdict.ts";

/** Whether the user can ask to be told of an ignored difference: it has a place. */
export function canTell({ place }: Pick<Ignored, "place">): boolean {
  return place !== "";
}

/** Whether a chat offers it: tags around what is told of anyway would be in each alert. */
export function isOffered(one: Pick<Ignored, "place" | "why">): boolean {
  return canTell(one) && one.why !== "markup";
}

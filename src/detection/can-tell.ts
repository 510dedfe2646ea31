import type { Ignored } from "./verdict.ts";

/** Whether the user can ask to be told of an ignored difference: it has a place, and something to show. */
export function canTell({ place, before, after }: Pick<Ignored, "place" | "before" | "after">): boolean {
  return place !== "" && (before !== null || after !== null);
}

/** Whether a chat offers it: tags around what is told of anyway would be in each alert. */
export function isOffered(one: Pick<Ignored, "place" | "before" | "after" | "why">): boolean {
  return canTell(one) && one.why !== "markup";
}

import type { Snapshot } from "#contract/capture.ts";

/** Said of a capture on which the selector matches nothing. */
export function absence({ kind }: Snapshot, selector: string | null): string {
  if (kind === "html") return `Nothing on the page matches the selector ${selector}`;
  if (kind === "json") return `Nothing in the JSON matches the selector ${selector}`;
  return "The target is neither a web page nor JSON, so the selector matches nothing on it.";
}

import type { Snapshot } from "#contract/capture.ts";

/** The message for a capture in which the selector matches nothing. */
export function explainNoMatch({ kind }: Snapshot, selector: string | null): string {
  if (kind === "html") return `Nothing on the page matches the selector ${selector}`;
  if (kind === "json") return `Nothing in the JSON matches the selector ${selector}`;
  if (kind === "xml") return `Nothing in the XML matches the selector ${selector}`;
  return "The target is neither a web page nor XML nor JSON, so the selector matches nothing on it.";
}

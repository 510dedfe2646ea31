import type { Execution } from "./queries.ts";

/** The sign of a change by its summary: + where something only came, − where something only went. */
export function changeSign(summary: string): "+" | "−" | "~" {
  const [comes, goes] = [/\b(added|appeared|new)\b/i, /\b(removed|disappeared|gone)\b/i].map((words) =>
    words.test(summary),
  );
  if (/\bchanged\b|→/.test(summary) || comes === goes) return "~";
  return comes ? "+" : "−";
}

/** What the newest execution says, in a few words. */
export function lastResult(execution: Execution | undefined): string {
  if (!execution) return "Waiting for the first check";
  return execution.error ?? execution.summary;
}

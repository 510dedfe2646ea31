import type { Execution } from "../queries.ts";

/** Returns the sign of a change from its summary: + for only additions, − for only removals, else ~. */
export function changeSign(summary: string): "+" | "−" | "~" {
  const [adds, removes] = [/\b(added|appeared|new)\b/i, /\b(removed|disappeared|gone)\b/i].map((words) =>
    words.test(summary),
  );
  if (/\bchanged\b|→/.test(summary) || adds === removes) return "~";
  return adds ? "+" : "−";
}

/** Describes an execution's result in a few words. */
export function lastResult(execution: Execution | undefined): string {
  if (!execution) return "Waiting for the first check";
  return execution.error ?? execution.summary;
}

import type { Execution } from "./queries.ts";

/** What the newest execution says, in a few words. */
export function lastResult(execution: Execution | undefined): string {
  if (!execution) return "Waiting for the first check";
  if (execution.error) return execution.error;
  if (execution.changed) return execution.summary;
  return execution.index === 1 ? "First capture taken" : "No change";
}

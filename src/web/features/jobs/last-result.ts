import type { Execution } from "./queries.ts";

/** What the newest execution says, in a few words. */
export function lastResult(execution: Execution | undefined): string {
  if (!execution) return "Waiting for the first check";
  return execution.error ?? execution.summary;
}

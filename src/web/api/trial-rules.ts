import type { TrialInput } from "#contract/trial.ts";

export type TrialRules = Pick<
  TrialInput,
  "selector" | "ignore" | "awaited" | "lookup" | "alertIf" | "values"
>;

const keyOf = (jobId: string) => `trial:${jobId}`;

/** Keeps the rules that are being tried, for the comparison that is opened from a trial; a reload finds them again. */
export function keepTrialRules(jobId: string, rules: TrialRules): void {
  sessionStorage.setItem(keyOf(jobId), JSON.stringify(rules));
}

export function readTrialRules(jobId: string): TrialRules | undefined {
  const kept = sessionStorage.getItem(keyOf(jobId));
  // Only what was written above is read here.
  return kept === null ? undefined : (JSON.parse(kept) as TrialRules);
}

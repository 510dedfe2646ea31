import type { TestedSettings } from "#contract/rule-test.ts";

export type TestRules = TestedSettings;

const keyOf = (jobId: string) => `trial:${jobId}`;

/** Stores the rules under test for comparisons that are opened from a dry run. They survive a reload. */
export function storeTestRules(jobId: string, rules: TestRules): void {
  sessionStorage.setItem(keyOf(jobId), JSON.stringify(rules));
}

export function readTestRules(jobId: string): TestRules | undefined {
  const stored = sessionStorage.getItem(keyOf(jobId));
  // Only storeTestRules writes this key.
  return stored === null ? undefined : (JSON.parse(stored) as TestRules);
}

/** The parts of Playwright's JSON report that are read here. */
export type Suite = {
  title: string;
  suites?: Suite[];
  specs?: { title: string; tests: { status: string }[] }[];
};

// One late moment of a busy machine is luck; a third is a habit.
const mayBeFlaky = 2;

/** Names the tests that passed only when they were tried again. */
export function flakyTests(suites: Suite[], above: string[] = []): string[] {
  return suites.flatMap(({ title, suites: inner = [], specs = [] }) => {
    const path = [...above, title];
    const here = specs.filter((spec) => spec.tests.some(({ status }) => status === "flaky"));
    return [...here.map((spec) => [...path, spec.title].join(" › ")), ...flakyTests(inner, path)];
  });
}

/** Counts a run of Playwright; above the few that may be, flaky tests have failed. */
export function countPlaywright(report: { stats: { expected: number; unexpected: number; flaky: number } }): {
  passed: number;
  failed: number;
} {
  const { expected, unexpected, flaky } = report.stats;
  return flaky > mayBeFlaky
    ? { passed: expected, failed: unexpected + flaky }
    : { passed: expected + flaky, failed: unexpected };
}

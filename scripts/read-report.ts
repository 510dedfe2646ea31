/** What a runner did: how many tests passed, which failed and why, which passed only when tried again and why not at once. */
export type Report = { passed: number; failed: string[]; flaky: string[] };

type VitestReport = {
  testResults: {
    name: string;
    message: string;
    status: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

type Suite = {
  title: string;
  suites?: Suite[];
  specs?: { title: string; tests: { status: string; results: { error?: { message?: string } }[] }[] }[];
};

// One late moment of a busy machine is luck; a third is a habit.
const mayBeFlaky = 2;

function said(name: string, why = ""): string {
  const lines = why.split("\n").slice(0, 12);
  return [name, ...lines.map((line) => `    ${line}`)].join("\n").trimEnd();
}

export function readVitest({ testResults }: VitestReport): Report {
  const report: Report = { passed: 0, failed: [], flaky: [] };
  for (const { name, message, status, assertionResults } of testResults) {
    const before = report.failed.length;
    for (const { fullName, status, failureMessages } of assertionResults) {
      const text = said(`${name} › ${fullName}`, failureMessages[0]);
      if (status === "failed") report.failed.push(text);
      else if (status === "passed" && failureMessages.length > 0) report.flaky.push(text);
      else if (status === "passed") report.passed += 1;
    }
    // A file that could not be opened has no tests to fail.
    if (status === "failed" && report.failed.length === before) report.failed.push(said(name, message));
  }
  return report;
}

export function readPlaywright({ suites }: { suites: Suite[] }): Report {
  const report: Report = { passed: 0, failed: [], flaky: [] };
  const walk = ({ title, suites = [], specs = [] }: Suite, above: string[]) => {
    const path = [...above, title];
    for (const spec of specs) {
      for (const { status, results } of spec.tests) {
        const why = results.find(({ error }) => error)?.error?.message;
        const text = said([...path, spec.title].join(" › "), why);
        if (status === "unexpected") report.failed.push(text);
        else if (status === "flaky") report.flaky.push(text);
        else if (status === "expected") report.passed += 1;
      }
    }
    for (const suite of suites) walk(suite, path);
  };
  for (const suite of suites) walk(suite, []);
  return report;
}

/** All runners together; above the few that may be, flaky tests have failed. */
export function sum(reports: Report[]): Report {
  const passed = reports.reduce((all, report) => all + report.passed, 0);
  const failed = reports.flatMap((report) => report.failed);
  const flaky = reports.flatMap((report) => report.flaky);
  return flaky.length > mayBeFlaky
    ? { passed, failed: [...failed, ...flaky], flaky }
    : { passed: passed + flaky.length, failed, flaky };
}

import { relative } from "node:path";

type FileTime = { file: string; seconds: number; tests: number };

/** A runner's result: tests that passed, failed, or passed only on retry, with reasons, and the time of each file. */
export type Report = { passed: number; failed: string[]; flaky: string[]; files: FileTime[] };

type VitestReport = {
  testResults: {
    name: string;
    message: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

type Suite = {
  title: string;
  suites?: Suite[];
  specs?: {
    title: string;
    tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[];
  }[];
};

// On a busy machine one or two tests may need a retry; a third retry means that something is wrong.
const allowedFlaky = 2;

function formatTest(name: string, why = ""): string {
  const lines = why.split("\n").slice(0, 12);
  return [name, ...lines.map((line) => `    ${line}`)].join("\n").trimEnd();
}

export function readVitest({ testResults }: VitestReport): Report {
  const report: Report = { passed: 0, failed: [], flaky: [], files: [] };
  for (const { name, message, status, startTime, endTime, assertionResults } of testResults) {
    const failedBefore = report.failed.length;
    const file = relative(process.cwd(), name);
    report.files.push({ file, seconds: (endTime - startTime) / 1000, tests: assertionResults.length });
    for (const { fullName, status, failureMessages } of assertionResults) {
      const text = formatTest(`${file} › ${fullName}`, failureMessages[0]);
      if (status === "failed") report.failed.push(text);
      else if (status === "passed" && failureMessages.length > 0) report.flaky.push(text);
      else if (status === "passed") report.passed += 1;
    }
    // A file that can't be loaded has no tests that could fail.
    if (status === "failed" && report.failed.length === failedBefore)
      report.failed.push(formatTest(file, message));
  }
  return report;
}

export function readPlaywright({ suites }: { suites: Suite[] }): Report {
  const report: Report = { passed: 0, failed: [], flaky: [], files: [] };
  const walk = ({ title, suites = [], specs = [] }: Suite, above: string[], time: FileTime) => {
    const path = [...above, title];
    for (const spec of specs) {
      for (const { status, results } of spec.tests) {
        time.tests += 1;
        for (const { duration } of results) time.seconds += duration / 1000;
        const why = results.find(({ error }) => error)?.error?.message;
        const text = formatTest([...path, spec.title].join(" › "), why);
        if (status === "unexpected") report.failed.push(text);
        else if (status === "flaky") report.flaky.push(text);
        else if (status === "expected") report.passed += 1;
      }
    }
    for (const suite of suites) walk(suite, path, time);
  };
  for (const suite of suites) {
    const time = { file: `e2e/${suite.title}`, seconds: 0, tests: 0 };
    report.files.push(time);
    walk(suite, [], time);
  }
  return report;
}

/** Adds up all runners' results. If more tests are flaky than allowed, they count as failed. */
export function sum(reports: Report[]): Report {
  const passed = reports.reduce((all, report) => all + report.passed, 0);
  const failed = reports.flatMap((report) => report.failed);
  const flaky = reports.flatMap((report) => report.flaky);
  const files = reports.flatMap((report) => report.files);
  return flaky.length > allowedFlaky
    ? { passed, failed: [...failed, ...flaky], flaky, files }
    : { passed: passed + flaky.length, failed, flaky, files };
}

export function slowestFiles(files: FileTime[], count: number): FileTime[] {
  return files.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);
}

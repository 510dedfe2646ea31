import { relative } from "node:path";

type FileTime = { file: string; seconds: number; tests: number; passed: number };

type FailedTest = { file: string; name: string; why: string };

/** A runner's result: how many tests passed, which failed, which passed when run again, and the time of each file. */
export type Report = { passed: number; failed: FailedTest[]; flaky: FailedTest[]; files: FileTime[] };

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

export function formatTest({ file, name, why }: FailedTest): string {
  const lines = why.split("\n").slice(0, 12);
  const title = name ? `${file} › ${name}` : file;
  return [title, ...lines.map((line) => `    ${line}`)].join("\n").trimEnd();
}

export function readVitest({ testResults }: VitestReport): Report {
  const report: Report = { passed: 0, failed: [], flaky: [], files: [] };
  for (const { name, message, status, startTime, endTime, assertionResults } of testResults) {
    const failedBefore = report.failed.length;
    const file = relative(process.cwd(), name);
    const passed = assertionResults.filter((each) => each.status === "passed").length;
    report.passed += passed;
    report.files.push({
      file,
      seconds: (endTime - startTime) / 1000,
      tests: assertionResults.length,
      passed,
    });
    for (const { fullName, status, failureMessages } of assertionResults) {
      if (status === "failed") report.failed.push({ file, name: fullName, why: failureMessages[0] ?? "" });
    }
    // A file that can't be loaded has no tests that could fail.
    if (status === "failed" && report.failed.length === failedBefore)
      report.failed.push({ file, name: "", why: message });
  }
  return report;
}

export function readPlaywright({ suites }: { suites: Suite[] }): Report {
  const report: Report = { passed: 0, failed: [], flaky: [], files: [] };
  const walk = ({ suites = [], specs = [] }: Suite, path: string[], time: FileTime) => {
    for (const spec of specs) {
      for (const { status, results } of spec.tests) {
        time.tests += 1;
        for (const { duration } of results) time.seconds += duration / 1000;
        const why = results.find(({ error }) => error)?.error?.message ?? "";
        const name = [...path, spec.title].join(" › ");
        if (status === "unexpected") report.failed.push({ file: time.file, name, why });
        else if (status === "expected") time.passed += 1;
      }
    }
    for (const suite of suites) walk(suite, [...path, suite.title], time);
  };
  for (const suite of suites) {
    const time = { file: `e2e/${suite.title}`, seconds: 0, tests: 0, passed: 0 };
    report.files.push(time);
    walk(suite, [], time);
    report.passed += time.passed;
  }
  return report;
}

/**
 * The files to run again: none if more than two tests failed (ten on a machine whose processors were taken away), or if
 * a runner failed without naming a test.
 */
export function filesToRunAgain(reports: Report[], stolenShare: number): string[] {
  const failed = reports.flatMap((report) => report.failed);
  if (failed.length > (stolenShare < 0.1 ? 2 : 10) || failed.some(({ file }) => file === "")) return [];
  return [...new Set(failed.map(({ file }) => file))];
}

/** What the second run of some files says replaces what the first said; a test that failed only at first is flaky. */
export function replaceResults(first: Report, second: Report): Report {
  const isAgain = ({ file }: { file: string }) => second.files.some((other) => other.file === file);
  const failsAgain = (test: FailedTest) =>
    second.failed.some(
      ({ file, name }) => file === "" || (file === test.file && (name === test.name || name === "")),
    );
  return {
    passed: first.passed - count(first.files.filter(isAgain)) + second.passed,
    failed: second.failed,
    flaky: first.failed.filter((test) => !failsAgain(test)),
    files: [...first.files.filter((file) => !isAgain(file)), ...second.files],
  };
}

const count = (files: FileTime[]) => files.reduce((all, { passed }) => all + passed, 0);

export function sum(reports: Report[]): Report {
  return {
    passed: reports.reduce((all, report) => all + report.passed, 0),
    failed: reports.flatMap((report) => report.failed),
    flaky: reports.flatMap((report) => report.flaky),
    files: reports.flatMap((report) => report.files),
  };
}

export function slowestFiles(files: FileTime[], count: number): FileTime[] {
  return files.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);
}

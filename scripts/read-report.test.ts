import { expect, test } from "vitest";
import { readPlaywright, readVitest, sum } from "./read-report.ts";

const spec = (title: string, ...statuses: string[]) => ({
  title,
  tests: statuses.map((status) => ({
    status,
    results: status === "expected" ? [{}] : [{ error: { message: `${title} was late` } }, {}],
  })),
});

test("Playwright's failed and flaky tests are named with file, group and reason", () => {
  const suites = [
    {
      title: "viewer.spec.ts",
      specs: [spec("opens", "expected"), spec("steps", "expected", "flaky"), spec("waits", "skipped")],
      suites: [{ title: "by key", specs: [spec("End", "flaky"), spec("Home", "unexpected")] }],
    },
    { title: "start.spec.ts" },
  ];
  expect(readPlaywright({ suites })).toEqual({
    passed: 2,
    failed: ["viewer.spec.ts › by key › Home\n    Home was late"],
    flaky: ["viewer.spec.ts › steps\n    steps was late", "viewer.spec.ts › by key › End\n    End was late"],
  });
});

test("vitest's are named with file and first reason, a file that cannot be opened with its own", () => {
  const of = (fullName: string, status: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
  });
  const testResults = [
    {
      name: "a.test.ts",
      status: "failed",
      message: "",
      assertionResults: [
        of("adds", "passed"),
        of("divides", "passed", "late"),
        of("takes", "failed", "wrong", "wrong again"),
        of("waits", "skipped"),
      ],
    },
    { name: "b.test.ts", status: "failed", message: "no such file", assertionResults: [] },
  ];
  expect(readVitest({ testResults })).toEqual({
    passed: 1,
    failed: ["a.test.ts › takes\n    wrong", "b.test.ts\n    no such file"],
    flaky: ["a.test.ts › divides\n    late"],
  });
});

test("two flaky tests have passed, the third is one too many", () => {
  const vitest = { passed: 5, failed: ["f"], flaky: ["a"] };
  expect(sum([vitest, { passed: 1, failed: [], flaky: ["b"] }])).toEqual({
    passed: 8,
    failed: ["f"],
    flaky: ["a", "b"],
  });
  expect(sum([vitest, { passed: 1, failed: [], flaky: ["b", "c"] }])).toEqual({
    passed: 6,
    failed: ["f", "a", "b", "c"],
    flaky: ["a", "b", "c"],
  });
});

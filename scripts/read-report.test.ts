import { join } from "node:path";
import { expect, test } from "vitest";
import { readPlaywright, readVitest, slowestFiles, sum } from "./read-report.ts";

const spec = (title: string, ...statuses: string[]) => ({
  title,
  tests: statuses.map((status) => ({
    status,
    results:
      status === "expected"
        ? [{ duration: 500 }]
        : [{ duration: 1_000, error: { message: `${title} was late` } }, { duration: 0 }],
  })),
});

test("readPlaywright names failed and flaky tests with file, group and reason", () => {
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
    files: [
      { file: "e2e/viewer.spec.ts", seconds: 5, tests: 6 },
      { file: "e2e/start.spec.ts", seconds: 0, tests: 0 },
    ],
  });
});

test("readVitest names failed and flaky tests with file and first reason, and files that cannot be loaded", () => {
  const assertion = (fullName: string, status: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
  });
  const testResults = [
    {
      name: join(process.cwd(), "src/a.test.ts"),
      status: "failed",
      message: "",
      startTime: 1_000,
      endTime: 3_500,
      assertionResults: [
        assertion("adds", "passed"),
        assertion("divides", "passed", "late"),
        assertion("takes", "failed", "wrong", "wrong again"),
        assertion("waits", "skipped"),
      ],
    },
    {
      name: "b.test.ts",
      status: "failed",
      message: "no such file",
      startTime: 0,
      endTime: 0,
      assertionResults: [],
    },
  ];
  expect(readVitest({ testResults })).toEqual({
    passed: 1,
    failed: ["src/a.test.ts › takes\n    wrong", "b.test.ts\n    no such file"],
    flaky: ["src/a.test.ts › divides\n    late"],
    files: [
      { file: "src/a.test.ts", seconds: 2.5, tests: 4 },
      { file: "b.test.ts", seconds: 0, tests: 0 },
    ],
  });
});

test("up to two flaky tests count as passed; with a third, all of them count as failed", () => {
  const vitest = { passed: 5, failed: ["f"], flaky: ["a"], files: [] };
  expect(sum([vitest, { passed: 1, failed: [], flaky: ["b"], files: [] }])).toEqual({
    passed: 8,
    failed: ["f"],
    flaky: ["a", "b"],
    files: [],
  });
  expect(sum([vitest, { passed: 1, failed: [], flaky: ["b", "c"], files: [] }])).toEqual({
    passed: 6,
    failed: ["f", "a", "b", "c"],
    flaky: ["a", "b", "c"],
    files: [],
  });
});

test("slowestFiles returns the given number of files, the slowest first", () => {
  const file = (name: string, seconds: number) => ({ file: name, seconds, tests: 1 });
  const files = [file("a", 1), file("b", 3), file("c", 2)];
  expect(slowestFiles(files, 2)).toEqual([file("b", 3), file("c", 2)]);
  expect(slowestFiles(files, 9)).toHaveLength(3);
});

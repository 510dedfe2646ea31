import { join } from "node:path";
import { expect, test } from "vitest";
import {
  filesToRunAgain,
  formatTest,
  type Report,
  readPlaywright,
  readVitest,
  replaceResults,
  slowestFiles,
  sum,
} from "./read-report.ts";

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

test("readPlaywright names failed tests with file, group and reason", () => {
  const suites = [
    {
      title: "viewer.spec.ts",
      specs: [spec("opens", "expected"), spec("steps", "expected", "expected"), spec("waits", "skipped")],
      suites: [{ title: "by key", specs: [spec("End", "expected"), spec("Home", "unexpected")] }],
    },
    { title: "start.spec.ts" },
  ];
  expect(readPlaywright({ suites })).toEqual({
    passed: 4,
    failed: [{ file: "e2e/viewer.spec.ts", name: "by key › Home", why: "Home was late" }],
    flaky: [],
    files: [
      { file: "e2e/viewer.spec.ts", seconds: 4, tests: 6, passed: 4 },
      { file: "e2e/start.spec.ts", seconds: 0, tests: 0, passed: 0 },
    ],
  });
});

test("readVitest names failed tests with file and first reason, and files that cannot be loaded", () => {
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
        assertion("divides", "passed"),
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
    passed: 2,
    failed: [
      { file: "src/a.test.ts", name: "takes", why: "wrong" },
      { file: "b.test.ts", name: "", why: "no such file" },
    ],
    flaky: [],
    files: [
      { file: "src/a.test.ts", seconds: 2.5, tests: 4, passed: 2 },
      { file: "b.test.ts", seconds: 0, tests: 0, passed: 0 },
    ],
  });
});

const failed = (file: string, name: string) => ({ file, name, why: "late" });
const report = (values: Partial<Report>): Report => ({
  passed: 0,
  failed: [],
  flaky: [],
  files: [],
  ...values,
});

test("a failed test is printed with its file and the first lines of its reason", () => {
  expect(formatTest({ file: "a.test.ts", name: "adds", why: "one\ntwo" })).toBe(
    "a.test.ts › adds\n    one\n    two",
  );
  expect(formatTest({ file: "a.test.ts", name: "", why: "" })).toBe("a.test.ts");
});

test("the files of up to two failed tests run again; with a third, or a failed stage, nothing does", () => {
  const two = report({ failed: [failed("a", "adds"), failed("a", "takes")] });
  expect(filesToRunAgain([report({}), two], 0)).toEqual(["a"]);
  const three = [two, report({ failed: [failed("b", "opens")] })];
  expect(filesToRunAgain(three, 0.05)).toEqual([]);
  expect(filesToRunAgain(three, 0.3)).toEqual(["a", "b"]);
  expect(filesToRunAgain(Array(6).fill(two), 0.3)).toEqual([]);
  expect(filesToRunAgain([report({ failed: [failed("", "vitest wrote no report")] })], 0.3)).toEqual([]);
  expect(filesToRunAgain([report({})], 0)).toEqual([]);
});

test("a test that passes in the second run is flaky; one that fails in it has failed", () => {
  const file = (name: string, passed: number) => ({ file: name, seconds: 1, tests: 3, passed });
  const first = report({
    passed: 4,
    failed: [failed("a", "adds"), failed("a", "takes")],
    files: [file("a", 1), file("b", 3)],
  });
  const second = report({ passed: 2, failed: [failed("a", "takes")], files: [file("a", 2)] });
  expect(replaceResults(first, second)).toEqual({
    passed: 5,
    failed: [failed("a", "takes")],
    flaky: [failed("a", "adds")],
    files: [file("b", 3), file("a", 2)],
  });
  const unloaded = report({ failed: [failed("a", "")], files: [file("a", 0)] });
  expect(replaceResults(first, unloaded)).toMatchObject({ passed: 3, flaky: [] });
  const silent = report({ failed: [failed("", "vitest wrote no report")] });
  expect(sum([replaceResults(first, silent)]).failed).toEqual([failed("", "vitest wrote no report")]);
});

test("slowestFiles returns the given number of files, the slowest first", () => {
  const file = (name: string, seconds: number) => ({ file: name, seconds, tests: 1, passed: 1 });
  const files = [file("a", 1), file("b", 3), file("c", 2)];
  expect(slowestFiles(files, 2)).toEqual([file("b", 3), file("c", 2)]);
  expect(slowestFiles(files, 9)).toHaveLength(3);
});

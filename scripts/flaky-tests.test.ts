import { expect, test } from "vitest";
import { countPlaywright, flakyTests } from "./flaky-tests.ts";

const spec = (title: string, ...statuses: string[]) => ({
  title,
  tests: statuses.map((status) => ({ status })),
});

test("flaky tests are named with their file and group", () => {
  const suites = [
    {
      title: "viewer.spec.ts",
      specs: [spec("opens", "expected"), spec("steps", "expected", "flaky")],
      suites: [{ title: "by key", specs: [spec("End", "flaky"), spec("Home", "unexpected")] }],
    },
    { title: "start.spec.ts" },
  ];
  expect(flakyTests(suites)).toEqual(["viewer.spec.ts › steps", "viewer.spec.ts › by key › End"]);
});

test.each([
  [
    { expected: 5, unexpected: 0, flaky: 0 },
    { passed: 5, failed: 0 },
  ],
  [
    { expected: 5, unexpected: 1, flaky: 2 },
    { passed: 7, failed: 1 },
  ],
  [
    { expected: 5, unexpected: 1, flaky: 3 },
    { passed: 5, failed: 4 },
  ],
])("of %j count %j", (stats, counted) => {
  expect(countPlaywright({ stats })).toEqual(counted);
});

import { expect, test } from "vitest";
import { runJq } from "./run-jq.ts";

const json = JSON.stringify({ a: [1, 2, 3], b: { "c-d": "x\ny" } });

test.for<[program: string, results: unknown[]]>([
  [".a[1:]", [[2, 3]]],
  [".a[]", [1, 2, 3]],
  ['.b."c-d"', ["x\ny"]],
  ["empty", []],
  [".a | map(-.) | sort", [[-3, -2, -1]]],
])("%s gives its results one by one", ([program, results]) => {
  expect(runJq(program, json).map((one) => JSON.parse(one) as unknown)).toEqual(results);
});

test.for<[program: string, reason: string]>([
  [".a[", "syntax error"],
  [".a.b", "Cannot index array"],
  ["nothing", "nothing/0 is not defined"],
  ['include "x"; .', "module not found"],
])("%s fails with the reason of jq", ([program, reason]) => {
  expect(() => runJq(program, json)).toThrow(reason);
  expect(runJq(".a[0]", json)).toEqual(["1"]);
});

test("B7 a program sees nothing of the server, and what it does to its own objects stays there", () => {
  const [environment = ""] = runJq("$ENV", json);
  expect(environment).not.toContain(process.cwd());
  expect(Object.keys(JSON.parse(environment) as object)).not.toContain("NODE_ENV");
  runJq(".__proto__.polluted = 1", json);
  expect((Object.prototype as { polluted?: number }).polluted).toBeUndefined();
  expect(runJq(".polluted", json)).toEqual(["null"]);
});

test("B7 a program that never ends is stopped, and the next one runs", { timeout: 60_000 }, () => {
  expect(() => runJq("def f: f; last(range(1e12))", json)).toThrow("longer than 2 seconds");
  expect(runJq(".a[0]", json)).toEqual(["1"]);
});

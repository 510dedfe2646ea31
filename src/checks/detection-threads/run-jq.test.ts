import { expect, test } from "vitest";
import { Budget, RuleFailure } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import { jqProcessorMs, runJq as runJqWithin } from "./run-jq.ts";

const runJq = (program: string, text: string) => runJqWithin(program, text, 5_000).results;
const json = JSON.stringify({ a: [1, 2, 3], b: { "c-d": "x\ny" } });

test.for<[program: string, results: unknown[]]>([
  [".a[1:]", [[2, 3]]],
  [".a[]", [1, 2, 3]],
  ['.b."c-d"', ["x\ny"]],
  ["empty", []],
  // Not options of jq.
  ["-(.a[0])", [-1]],
  ["-1", [-1]],
  ['.a | debug("x") | length', [3]],
  [".a | map(-.) | sort", [[-3, -2, -1]]],
])("%s gives its results one by one", ([program, results]) => {
  expect(runJq(program, json).map((one) => JSON.parse(one) as unknown)).toEqual(results);
});

test.for<[program: string, reason: string]>([
  [".a[", "syntax error"],
  [".a.b", "Cannot index array"],
  ["nothing", "nothing/0 is not defined"],
  ['include "x"; .', "module not found"],
  ['import "/etc/passwd" as $x; $x', "module not found"],
  ["--help", "help/0 is not defined"],
  ["--rawfile x /etc/passwd", "syntax error"],
  ["input", "break"],
  ["halt_error", "Non-zero exit code"],
  [".b | @sh", "can not be escaped for shell"],
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

// An abort leaves jq's memory in pieces, and the next program may be another account's.
test.for(['"x" * 1e9', ".a[1e8] = 1", "reduce range(9000) as $i (1; [.])", "infinite | tojson * 1e9"])(
  "B7 after %s, which needs too much memory, the next program runs as if nothing had been",
  (program) => {
    expect(() => runJq(program, json)).toThrow(/too much memory|too deep|too large|longer|Repeat/);
    expect([runJq("[nan]", json), runJq(".a | map(tostring)", json)]).toEqual([
      ["[null]"],
      ['["1","2","3"]'],
    ]);
  },
);

test("B7 a program that never ends is stopped, and the next one runs", () => {
  const before = jqProcessorMs();
  expect(() => new Budget({ runJq: runJqWithin }).runJq("last(range(1e12))", json)).toThrow(
    /takes more than half a second of processor time/,
  );
  expect(jqProcessorMs() - before).toBeGreaterThan(400);
  expect(runJq(".a[0]", json)).toEqual(["1"]);
});

test("B7 the processor time of all programs is charged to one budget, but reading a large document only in part", () => {
  const asked: number[] = [];
  const budget = new Budget({
    runJq: (_program, text, limitMs) => {
      asked.push(Math.round(limitMs));
      if (limitMs < 400) throw new RuleFailure("jq", "over");
      return { results: ["1"], ms: text.length > 1e6 ? 1_000 : 100 };
    },
  });
  const large = "x".repeat(5_000_000);
  for (let n = 0; n < 2; n++) budget.runJq(".", large);
  expect(asked).toEqual([1_250, 1_000]);
  expect(() => budget.runJq(".", "1")).toThrow("over");
});

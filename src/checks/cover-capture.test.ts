import { expect, test } from "vitest";
import { Budget, type Interrupt, OutOfTime } from "#detection/selectors-and-ignore-rules/rule-budget.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import { type CoverageInput, coverCapture } from "./cover-capture.ts";

const nested = (depth: number, inner: string) => `${"<div>".repeat(depth)}${inner}${"</div>".repeat(depth)}`;
const page = snapshotOf(
  `<main>${nested(17, "<i>word</i>".repeat(400))}<p>one</p></main>`,
  "html",
  "http://watched.example/",
);
const slow = "b ~ i ~ i ~ i";
const tooSlow = { problem: expect.stringContaining("takes more than half a second of processor time") };
const notTried = { problem: "Not tested: the rules before it take too long on this page." };
const steps = Array(20).fill({ do: "keep", text: "word", to: "" });
const slowValues = Array(10).fill({ name: "it", by: "selector", rule: slow });

/** Also counts the budgets that it took. */
function cover(input: Omit<CoverageInput, "snapshot">) {
  let budgets = 0;
  const covered = coverCapture({ snapshot: page, ...input }, () => {
    budgets++;
    return new Budget();
  });
  return { ...covered, budgets };
}

test("slow rules, fifty of them with values and steps, take two budgets, and nothing after them is tried", () => {
  const rules = { selector: null, ignore: Array(50).fill(slow), steps };
  expect(cover({ rules, follow: slowValues })).toEqual({
    selector: [],
    ignore: [tooSlow, tooSlow, ...Array(48).fill(notTried)],
    values: Array(10).fill(notTried),
    steps: [notTried],
    wasStopped: true,
    budgets: 2,
  });
});

test("slow values share one budget, as in a check", () => {
  expect(cover({ rules: { selector: null, ignore: ["p"], steps }, follow: slowValues })).toEqual({
    selector: [],
    ignore: [{ what: "element", count: 1, words: 1 }],
    values: [tooSlow, ...Array(9).fill(notTried)],
    steps: [notTried],
    wasStopped: true,
    budgets: 4,
  });
});

test("rules that fail without taking long leave the budget to the others", () => {
  const failing = "xpath://p[number(error())]";
  const rules = { selector: null, ignore: [failing, failing, failing, "p"] };
  const { ignore, wasStopped } = cover({ rules });
  const problem = { problem: expect.stringContaining("can't be evaluated on this page") };
  expect(ignore).toEqual([problem, problem, problem, { what: "element", count: 1, words: 1 }]);
  expect(wasStopped).toBe(false);
});

test("what it takes to read a rule is charged, and nothing is read once the budgets are spent", () => {
  const read: number[] = [];
  const interrupt: Interrupt = (limitMs, work) => {
    read.push(limitMs);
    if (limitMs < 300) throw new OutOfTime("A rule ran out of time");
    return { value: work(), ms: 300 };
  };
  const ignore = Array.from({ length: 50 }, (_, n) => `.ad-${n}`);
  const covered = coverCapture(
    { snapshot: page, rules: { selector: null, ignore } },
    () => new Budget({ interrupt }),
  );
  const counted = { what: "element", count: 0, words: 0 };
  expect(covered.ignore).toEqual([counted, tooSlow, counted, tooSlow, ...Array(46).fill(notTried)]);
  expect(read).toEqual([500, 200, 500, 200]);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeNoiseRules } from "./describe-noise-rules.ts";
import { decide, measureRules } from "./noise-rule.ts";
import { noiseRows, noiseTables } from "./noise-rules.ts";
import { examples } from "./testing/examples.ts";
import { runExample } from "./testing/run-example.ts";

// Pictures are compared as pixels; `images/judge-picture.test.ts` shows what is learned about them.
const shown = noiseRows.filter(({ where }) => where !== "picture");

test("every rule has an id of its own", () => {
  const ids = noiseRows.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test("every rule has an example and a counter-example", () => {
  expect(Object.keys(examples).sort()).toEqual(noiseRows.map(({ id }) => id).sort());
});

const shownExamples = Object.entries(examples).filter(([id]) => shown.some((row) => row.id === id));

test.for(shownExamples)("%s silences its example", ([id, { example }]) => {
  const { changed, summary, decided } = runExample(example);
  expect({ changed, summary, isDecided: decided.includes(id) }).toEqual({
    changed: false,
    summary: "No change",
    isDecided: true,
  });
});

test.for(shownExamples)("%s doesn't silence its counter-example", ([, { example, counterExample }]) => {
  expect(runExample(counterExample, example).changed).toBe(true);
});

test("the documentation lists the rules as they are; `node scripts/noise-rule-docs.ts` writes it", () => {
  const page = readFileSync(new URL("../../../docs/detection.md", import.meta.url), "utf8");
  expect(page).toContain(describeNoiseRules(noiseTables));
});

test("the first active rule decides, and a rule that is switched off decides nothing", () => {
  const [row] = noiseRows;
  if (!row) throw new Error("there are no rules");
  const rules = (["time.first", "time.second"] as const).map((id) => ({ ...row, id, test: () => true }));
  expect([...measureRules([], () => decide(rules, null)).decided]).toEqual([["time.first", 1]]);
  expect([...measureRules(["time.first"], () => decide(rules, null)).decided]).toEqual([["time.second", 1]]);
  expect(measureRules(["time.first", "time.second"], () => decide(rules, null)).result).toBeNull();
});

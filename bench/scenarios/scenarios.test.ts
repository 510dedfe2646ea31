import { expect, test } from "vitest";
import { known } from "./known.ts";
import { runDetection } from "./run-detection.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios, titleOf } from "./scenarios.ts";

const plain = scenarios.filter((scenario) => scenario.needs === undefined);
const named = (isKnown: boolean) =>
  plain
    .map((scenario): [string, Scenario] => [titleOf(scenario), scenario])
    .filter(([title]) => title in known === isKnown);

test("no two scenarios have one name, and every one that is known to be wrong is there", () => {
  const titles = scenarios.map(titleOf);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  expect(Object.keys(known).filter((title) => !titles.includes(title))).toEqual([]);
});

test.for(named(false))("%s", async ([, scenario]) => {
  expect(await runDetection(scenario)).toEqual([]);
});

test.runIf(named(true).length > 0).for(named(true))("known: %s", async ([, scenario]) => {
  expect(await runDetection(scenario), "it goes right now: take it out of known.ts").not.toEqual([]);
});

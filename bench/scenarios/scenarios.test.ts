import { expect, test } from "vitest";
import { runDetection } from "./run-detection.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios, titleOf } from "./scenarios.ts";

const detectorScenarios = scenarios.filter((scenario) => scenario.needs === undefined);

test("no two scenarios have the same title", () => {
  const titles = scenarios.map(titleOf);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});

test.for(detectorScenarios.map((scenario): [string, Scenario] => [titleOf(scenario), scenario]))(
  "%s",
  async ([, scenario]) => {
    expect(await runDetection(scenario)).toEqual([]);
  },
);

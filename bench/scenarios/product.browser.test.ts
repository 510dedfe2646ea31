import { beforeAll, expect, test } from "vitest";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { runProduct } from "./run-product.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios, titleOf } from "./scenarios.ts";

// Classes that take long, or that differ from others only in their words: the detector's own tests cover them.
const skippedClasses = new Set(
  "large late fold rotation edit address hunter counter menu quote locale summary".split(" "),
);

// The five other classes whose shortest scenario needs the engine, and a response that isn't a page (JSON). The rest
// (statuses, redirects, headers, lookups, selectors, tokens) goes through the detector in scenarios.test.ts.
const shortRunClasses = new Set("visible wall encoding picture transfer json".split(" "));

// What a browser draws decides these, each in another way; the rest of their class runs in the long run.
const drawnScenarios = new Set([
  "an ignored counter in a line gets wider",
  "a neighbor in a flex row gets wider",
  "a floating neighbor gets wider",
  "an ignored counter over a photo gets wider",
  "a chosen headline moves over a background image",
  "a chosen photo gets less room from its neighbor",
  "a chosen light turns red",
  "a chosen image has the same address and looks different",
]);
const isDrawn = ({ class: group, name }: Scenario) =>
  group === "rules: picture" && (process.env.TEST_SIZE === "long" || drawnScenarios.has(name));

/** The shortest scenario of each class, and those of what rules leave of a picture. */
const shortest = Map.groupBy(
  scenarios.filter((scenario) =>
    process.env.TEST_SIZE === "long"
      ? !skippedClasses.has(scenario.class)
      : shortRunClasses.has(scenario.class),
  ),
  (scenario) => scenario.class,
)
  .values()
  .flatMap((members) => members.toSorted((a, b) => a.serves.length - b.serves.length).slice(0, 1))
  .toArray();
const sample = [...shortest.filter((one) => !isDrawn(one)), ...scenarios.filter(isDrawn)];

let problems: Map<string, string[]>;

beforeAll(async () => {
  const database = await copyDatabase();
  problems = await runProduct(sample, 4, database.connectionString);
  await database.drop();
}, 300_000);

test.for(sample.map(titleOf))("%s", (title) => {
  expect(problems.get(title)).toEqual([]);
});

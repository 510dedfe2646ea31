import { beforeAll, expect, test } from "vitest";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { runProduct } from "./run-product.ts";
import { scenarios, titleOf } from "./scenarios.ts";

// Classes that take long, or that differ from others only in their words: the detector's own tests cover them.
const skippedClasses = new Set(
  "large late fold rotation edit address hunter counter menu quote locale summary".split(" "),
);

// The five other classes whose shortest scenario needs the engine, and a response that isn't a page (JSON). The rest
// (statuses, redirects, headers, lookups, selectors, tokens) goes through the detector in scenarios.test.ts.
const shortRunClasses = new Set("visible wall encoding picture transfer json".split(" "));

/** The shortest scenario of each class. */
const sample = Map.groupBy(
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

let problems: Map<string, string[]>;

beforeAll(async () => {
  const database = await copyDatabase();
  problems = await runProduct(sample, 4, database.connectionString);
  await database.drop();
}, 300_000);

test.for(sample.map(titleOf))("%s", (title) => {
  expect(problems.get(title)).toEqual([]);
});

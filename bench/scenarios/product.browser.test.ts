import { beforeAll, expect, test } from "vitest";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { runProduct } from "./run-product.ts";
import { scenarios, titleOf } from "./scenarios.ts";

// What takes long, and what differs from other classes in its words alone: the detector's own tests have those.
const left = new Set(
  "large late fold rotation edit address hunter counter menu quote locale summary".split(" "),
);

// Of the others one for each way through the product that no other of them takes: what only a browser shows or sees
// through, an answer that is no page or is cut, a status, a redirect, a header, what a job looks for or selects, and noise.
const short = new Set(
  "visible wall status redirect header lookup selector json encoding picture transfer token".split(" "),
);

/** Of each class the shortest. */
const sample = Map.groupBy(
  scenarios.filter((scenario) =>
    process.env.TEST_SIZE === "long" ? !left.has(scenario.class) : short.has(scenario.class),
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

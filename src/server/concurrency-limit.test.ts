import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openConcurrencyLimit } from "./concurrency-limit.ts";

const isIn = async (entered: Promise<void>) => {
  let is = false;
  void entered.then(() => (is = true));
  await turn();
  return is;
};

test("a caller's third waits for one of its two, and another caller for nobody", async () => {
  const limit = openConcurrencyLimit(2);
  const [one, two, three] = [limit.enter("a"), limit.enter("a"), limit.enter("a")];
  const other = limit.enter("b");
  expect(await Promise.all([one, two, three, other].map(({ entered }) => isIn(entered)))).toEqual([
    true,
    true,
    false,
    true,
  ]);
  two.leave();
  expect(await isIn(three.entered)).toBe(true);
});

test("who leaves before its turn takes none, and nothing is remembered of callers that are gone", async () => {
  const limit = openConcurrencyLimit(1);
  const [one, gone, last] = [limit.enter("a"), limit.enter("a"), limit.enter("a")];
  gone.leave();
  one.leave();
  expect(await isIn(last.entered)).toBe(true);
  last.leave();
  await turn();
  expect(limit.callers).toBe(0);
});

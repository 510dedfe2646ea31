import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openLanes } from "./lanes.ts";

const isIn = async (entered: Promise<void>) => {
  let is = false;
  void entered.then(() => (is = true));
  await turn();
  return is;
};

test("a caller's third waits for one of its two, and another caller for nobody", async () => {
  const lanes = openLanes(2);
  const [one, two, three] = [lanes.enter("a"), lanes.enter("a"), lanes.enter("a")];
  const other = lanes.enter("b");
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
  const lanes = openLanes(1);
  const [one, gone, last] = [lanes.enter("a"), lanes.enter("a"), lanes.enter("a")];
  gone.leave();
  one.leave();
  expect(await isIn(last.entered)).toBe(true);
  last.leave();
  await turn();
  expect(lanes.callers).toBe(0);
});

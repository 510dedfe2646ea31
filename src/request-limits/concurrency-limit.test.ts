import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openConcurrencyLimit } from "./concurrency-limit.ts";

const hasEntered = async (entered: Promise<void>) => {
  let isEntered = false;
  void entered.then(() => (isEntered = true));
  await turn();
  return isEntered;
};

test("a caller's third call waits for one of its two to end, and another caller's call doesn't wait", async () => {
  const limit = openConcurrencyLimit(2);
  const [one, two, three] = [limit.enter("a"), limit.enter("a"), limit.enter("a")];
  const other = limit.enter("b");
  expect(await Promise.all([one, two, three, other].map(({ entered }) => hasEntered(entered)))).toEqual([
    true,
    true,
    false,
    true,
  ]);
  two.leave();
  expect(await hasEntered(three.entered)).toBe(true);
});

test("a call that leaves before its turn takes no slot, and callers without calls aren't remembered", async () => {
  const limit = openConcurrencyLimit(1);
  const [one, gone, last] = [limit.enter("a"), limit.enter("a"), limit.enter("a")];
  gone.leave();
  one.leave();
  expect(await hasEntered(last.entered)).toBe(true);
  last.leave();
  await turn();
  expect(limit.callers).toBe(0);
});

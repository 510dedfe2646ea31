import { expect, test } from "vitest";
import { inBatches } from "./in-batches.ts";

test("what is asked for at once is one batch, while that is at work the next one, at most so many", async () => {
  const batches: number[][] = [];
  const [begun, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const double = inBatches<number, number>(async (items) => {
    batches.push(items);
    if (batches.length === 1) begun.resolve();
    if (batches.length === 1) await first.promise;
    return items.map((item) => item * 2);
  }, 3);
  const answers = [1, 2].map((item) => double(item));
  await begun.promise;
  answers.push(...[3, 4, 5, 6].map((item) => double(item)));
  first.resolve();
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
  expect(await double(7)).toBe(14);
});

test("a batch that fails is done one by one: only whose fault it is hears of it", async () => {
  const batches: number[][] = [];
  const work = inBatches<number, string>(async (items) => {
    batches.push(items);
    if (items.includes(3)) throw new Error("three");
    return items.map(String);
  });
  const answers = await Promise.allSettled([1, 2, 3, 4].map((item) => work(item)));
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(batches).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
});

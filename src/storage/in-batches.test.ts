import { expect, test } from "vitest";
import { inBatches } from "./in-batches.ts";

test("what is asked for while a batch is at work is the next one, at most so many at once", async () => {
  const batches: number[][] = [];
  const first = Promise.withResolvers<void>();
  const double = inBatches<number, number>(async (items) => {
    batches.push(items);
    if (batches.length === 1) await first.promise;
    return items.map((item) => item * 2);
  }, 3);
  const answers = [1, 2, 3, 4, 5].map((item) => double(item));
  first.resolve();
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  expect(await double(6)).toBe(12);
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
  expect(batches).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
});

import { expect, test } from "vitest";
import { inBatches } from "./in-batches.ts";

test("simultaneous calls form one batch, and calls while it runs form the next ones of limited size", async () => {
  const batches: number[][] = [];
  const [started, firstBatch] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const double = inBatches<number, number>(async (items) => {
    batches.push(items);
    if (batches.length === 1) started.resolve();
    if (batches.length === 1) await firstBatch.promise;
    return items.map((item) => item * 2);
  }, 3);
  const answers = [1, 2].map((item) => double(item));
  await started.promise;
  answers.push(...[3, 4, 5, 6].map((item) => double(item)));
  firstBatch.resolve();
  expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
  expect(await double(7)).toBe(14);
});

test("a batch that fails is repeated item by item, so that only the faulty item's call fails", async () => {
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

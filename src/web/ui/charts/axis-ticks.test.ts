import { expect, test } from "vitest";
import { axisTicks } from "./axis-ticks.ts";

test.each([
  ["from zero to a round number", [0, 400, 4], [0, 100, 200, 300, 400]],
  ["beyond the largest value", [0, 437, 4], [0, 200, 400, 600]],
  ["around prices", [18.4, 45.4, 4], [10, 20, 30, 40, 50]],
  ["in small steps without rounding errors", [0.1, 0.3, 2], [0.1, 0.2, 0.3]],
  ["below zero", [-7, 3, 4], [-10, -5, 0, 5]],
  ["for one value", [5, 5, 2], [5, 10]],
  ["for nothing but zero", [0, 0, 4], [0, 0.5]],
])("ticks lie %s", (_name, [least, most, count], ticks) => {
  expect(axisTicks(least as number, most as number, count as number)).toEqual(ticks);
});

test("counts get whole ticks", () => {
  expect(axisTicks(0, 2, 4, true)).toEqual([0, 1, 2]);
  expect(axisTicks(0, 0, 4, true)).toEqual([0, 1]);
});

test("very large and very small ranges stay finite and few", () => {
  for (const most of [1e-9, 1e-3, 1e6, 1e15, Number.MAX_SAFE_INTEGER]) {
    const ticks = axisTicks(0, most, 4);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks.every(Number.isFinite)).toBe(true);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(most);
  }
});

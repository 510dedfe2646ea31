import { expect, test } from "vitest";
import { pan, zoom } from "./range.ts";

const hour = 3_600_000;
const limit = { from: 0, to: 100 * hour };

test("zooming keeps the time under the pointer and stays within the limit", () => {
  expect(zoom(limit, limit, 0.5, 0.25)).toEqual({ from: 12.5 * hour, to: 62.5 * hour });
  expect(zoom({ from: 0, to: 10 * hour }, limit, 2, 0)).toEqual({ from: 0, to: 20 * hour });
  expect(zoom({ from: 90 * hour, to: 100 * hour }, limit, 4)).toEqual({ from: 60 * hour, to: 100 * hour });
  expect(zoom(limit, limit, 2)).toEqual(limit);
});

test("zooming in stops at a range of ten minutes", () => {
  const { from, to } = zoom({ from: 0, to: 15 * 60_000 }, limit, 0.1);
  expect(to - from).toBe(10 * 60_000);
});

test("panning stops at both ends", () => {
  const range = { from: 40 * hour, to: 60 * hour };
  expect(pan(range, limit, 0.5)).toEqual({ from: 50 * hour, to: 70 * hour });
  expect(pan(range, limit, 10)).toEqual({ from: 80 * hour, to: 100 * hour });
  expect(pan(range, limit, -10)).toEqual({ from: 0, to: 20 * hour });
});

import { expect, test } from "vitest";
import { scrollOffset } from "./reveal.ts";

test("a mark that is visible at the left end needs no scrolling, even if only its beginning is visible", () => {
  expect(scrollOffset([{ from: 300, to: 340 }], 400)).toBe(0);
  expect(scrollOffset([{ from: 300, to: 5000 }], 400)).toBe(0);
  expect(scrollOffset([], 400)).toBe(0);
});

test("a mark far to the right is scrolled to the middle", () => {
  expect(scrollOffset([{ from: 6000, to: 6040 }], 400)).toBe(5820);
});

test("marks on both sides are shown together, or the first one when they are too far apart", () => {
  const both = scrollOffset(
    [
      { from: 1000, to: 1050 },
      { from: 1200, to: 1250 },
    ],
    400,
  );
  expect(both).toBe(925);
  const apart = scrollOffset(
    [
      { from: 1000, to: 1050 },
      { from: 6000, to: 6050 },
    ],
    400,
  );
  expect(apart).toBe(976);
  const firstAtLeft = scrollOffset(
    [
      { from: 10, to: 50 },
      { from: 6000, to: 6050 },
    ],
    400,
  );
  expect(firstAtLeft).toBe(0);
});

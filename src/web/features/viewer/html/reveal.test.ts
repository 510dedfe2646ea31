import { expect, test } from "vitest";
import { scrollFor } from "./reveal.ts";

test("what shows at the left end stays there, also when only its beginning does", () => {
  expect(scrollFor([{ from: 300, to: 340 }], 400)).toBe(0);
  expect(scrollFor([{ from: 300, to: 5000 }], 400)).toBe(0);
  expect(scrollFor([], 400)).toBe(0);
});

test("a mark far to the right is brought to the middle", () => {
  expect(scrollFor([{ from: 6000, to: 6040 }], 400)).toBe(5820);
});

test("marks on both sides are shown together, or the first one when they are too far apart", () => {
  const both = scrollFor(
    [
      { from: 1000, to: 1050 },
      { from: 1200, to: 1250 },
    ],
    400,
  );
  expect(both).toBe(925);
  const apart = scrollFor(
    [
      { from: 1000, to: 1050 },
      { from: 6000, to: 6050 },
    ],
    400,
  );
  expect(apart).toBe(976);
  const firstAtLeft = scrollFor(
    [
      { from: 10, to: 50 },
      { from: 6000, to: 6050 },
    ],
    400,
  );
  expect(firstAtLeft).toBe(0);
});

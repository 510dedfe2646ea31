import { expect, test } from "vitest";
import { stepPath } from "./step-path.ts";

test("a value is drawn until the next one", () => {
  expect(
    stepPath([
      [0, 10],
      [5, 10],
      [9.96, 2],
    ]),
  ).toBe("M0 10H5V10H10V2");
});

test("a missing value is a gap", () => {
  expect(stepPath([null, [0, 1], null, null, [3, 4], [5, 6]])).toBe("M0 1M3 4H5V6");
});

test("nothing gives an empty path", () => {
  expect(stepPath([])).toBe("");
  expect(stepPath([null])).toBe("");
});

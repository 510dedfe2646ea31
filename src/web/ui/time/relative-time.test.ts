import { expect, test } from "vitest";
import { relativeTime } from "./relative-time.ts";

const now = Date.parse("2026-11-15T12:00:00Z");
const minute = 60_000;

test.each([
  [0, "just now"],
  [-59_999, "just now"],
  [-minute, "1 min ago"],
  [-59 * minute - 59_999, "59 min ago"],
  [-60 * minute, "1 h ago"],
  [-24 * 60 * minute + 1, "23 h ago"],
  [-24 * 60 * minute, "1 d ago"],
  [-7 * 24 * 60 * minute + 1, "6 d ago"],
  [1, "in under a minute"],
  [5 * minute, "in 5 min"],
  [3 * 60 * minute, "in 3 h"],
  [60 * minute - 1000, "in 1 h"],
  [24 * 60 * minute - 1000, "in 1 d"],
  [7 * 24 * 60 * minute - 1000, "in 7 d"],
])("%i ms from now is %j", (distance, words) => {
  expect(relativeTime(now + distance, now)).toBe(words);
});

test("a time more than a week away is shown as a date", () => {
  expect(relativeTime(now - 8 * 24 * 60 * minute, now)).toContain("2026");
});

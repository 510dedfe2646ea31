import { expect, test } from "vitest";
import { parseRetryAfter } from "./parse-retry-after.ts";

const now = new Date("2026-01-02T03:04:05Z");

test.each([
  ["17", 17],
  [" 17 ", 17],
  ["0.4", 1],
  ["0", 1],
  ["90000", 90_000],
  ["Fri, 02 Jan 2026 03:05:35 GMT", 90],
  ["Fri, 02 Jan 2026 03:00:00 GMT", 1],
  ["soon", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %j means %j seconds", (value, seconds) => {
  expect(parseRetryAfter(value, now)).toBe(seconds);
});

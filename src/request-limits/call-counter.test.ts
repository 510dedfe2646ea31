import { expect, test } from "vitest";
import { openCallCounter } from "./call-counter.ts";

test("each caller is counted separately and exactly, starting again every minute", () => {
  let now = 0;
  const counter = openCallCounter(2, () => now);
  const counted = Array.from({ length: 3 }, () => counter.count("a"));
  expect(counted).toEqual([
    { remaining: 1, resetSeconds: 60, isExceeded: false },
    { remaining: 0, resetSeconds: 60, isExceeded: false },
    { remaining: 0, resetSeconds: 60, isExceeded: true },
  ]);
  expect(counter.count("b").isExceeded).toBe(false);
  now = 59_000;
  expect(counter.count("a")).toEqual({ remaining: 0, resetSeconds: 1, isExceeded: true });
  now = 60_000;
  expect(counter.count("a").isExceeded).toBe(false);
});

test("any number of callers takes limited memory, and recent callers are still counted", () => {
  const counter = openCallCounter(1, () => 0);
  for (let n = 0; n < 60_000; n++) counter.count(`stranger ${n}`);
  expect(counter.count("stranger 59999").isExceeded).toBe(true);
  expect(counter.count("stranger 0").isExceeded).toBe(false);
});

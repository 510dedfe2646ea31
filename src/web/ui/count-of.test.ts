import { expect, test } from "vitest";
import { countOf } from "./count-of.ts";

test.each([
  [0, "0 executions"],
  [1, "1 execution"],
  [2000, "2,000 executions"],
])("%d is shown as %s", (count, words) => {
  expect(countOf(count, "execution")).toBe(words);
});

import { expect, test } from "vitest";
import { describeLosses, formatAmount, priceOf, splitFeatures } from "./format-billing.ts";

test.each([
  [0, "0$"],
  [9, "9$"],
  [19, "19$"],
  [9.5, "9.50$"],
])("the price %d is shown as %s", (price, shown) => expect(priceOf(price)).toBe(shown));

test.each([
  [9, "USD", "Amount: 9 $"],
  [0, "USD", "Amount: 0 $"],
  [4.35, "USD", "Amount: 4.35 $"],
  [19.1, "EUR", "Amount: 19.10 EUR"],
])("the amount %d %s is shown as %s", (amount, currency, shown) =>
  expect(formatAmount({ amount, currency })).toBe(shown),
);

test("features are split at asterisks", () => {
  expect(splitFeatures("1 group*4 jobs* HTML diff **")).toEqual(["1 group", "4 jobs", "HTML diff"]);
  expect(splitFeatures("")).toEqual([]);
});

test("only jobs, triggers and channels that would be limited are listed", () => {
  const noLosses = { inactiveJobs: 0, slowedJobs: 0, pausedTriggers: 0, pausedChannels: [] };
  expect(describeLosses(noLosses)).toEqual([]);
  expect(
    describeLosses({
      inactiveJobs: 2,
      slowedJobs: 1,
      pausedTriggers: 1,
      pausedChannels: ["Telegram", "Discord"],
    }),
  ).toEqual([
    "2 jobs over the limit become inactive; the oldest keep running",
    "1 job is checked every 60 minutes",
    "1 HTTP trigger pauses",
    "Telegram and Discord alerts pause; email alerts continue",
  ]);
});

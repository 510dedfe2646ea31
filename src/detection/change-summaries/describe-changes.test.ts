import { expect, test } from "vitest";
import { diffWords } from "../line-and-word-diff/diff-words.ts";
import { describeChanges } from "./describe-changes.ts";

const summarize = (before: string, after: string) =>
  describeChanges([{ before, after, words: diffWords(before, after) }], 1);

test.each([
  ["Fjell lamp 59.00 €", "Fjell lamp 64.00 €", "“Fjell lamp” 59.00 € → 64.00 €"],
  ["Fjell lamp 58.50 €", "Fjell lamp 71.00 €", "“Fjell lamp” 58.50 € → 71.00 €"],
  ["Fjell lamp 1.299,00 € new", "Fjell lamp 1.149,50 € new", "“Fjell lamp” 1.299,00 € → 1.149,50 €"],
  ["Release 2.4.1 is out", "Release 3.0.1 is out", "“Release” 2.4.1 → 3.0.1"],
  ["Released v1.2 today", "Released v1.3 today", "“Released” v1.2 → v1.3"],
  ["Download v3.6.0", "Download v4.0.2", "“Download” v3.6.0 → v4.0.2"],
  ["Status as of 7/21/2026", "Status as of 7/22/2026", "“Status as of” 7/21/2026 → 7/22/2026"],
  ["Modified: 09/12/2025", "Modified: 12/2025", "“Modified:” 09/12/2025 → 12/2025"],
  ["Seats 3 4 5", "Seats 3 5", "“4” removed after “Seats 3”"],
  ["Read it on page 7", "Read it on page 7, 8", "“, 8” added after “Read it on page 7”"],
  ["Only 5 left in the shop", "Only 4 left in the shop", "“Only” 5 → 4"],
])("the summary shows whole numbers: %s, then %s", (before, after, summary) => {
  expect(summarize(before, after)).toBe(summary);
});

const value = (row: string, before: string, after: string) => ({ row, before, after });

test.each([
  [
    "every difference that fits is named",
    [value("Fjell lamp", "59 €", "64 €"), value("Ember stove", "119 €", "99 €")],
    2,
    "Fjell lamp: 59 € → 64 €; Ember stove: 119 € → 99 €",
  ],
  [
    "an item is named once",
    [value("Fjell lamp:", "59 €", "64 €"), value("Fjell lamp:", "Sold out", "In stock")],
    2,
    "Fjell lamp: 59 € → 64 €; “Sold out” → “In stock”",
  ],
  [
    "the same difference at several places is said once",
    [value("Fjell lamp", "59 €", "64 €"), value("Fjell lamp", "59 €", "64 €")],
    2,
    "Fjell lamp: 59 € → 64 €",
  ],
  [
    "differences that read the same are said once and counted",
    [
      { before: null, after: "64-bit", row: "Leap" },
      { before: null, after: "64-bit", row: "Tumbleweed" },
    ],
    2,
    "“64-bit” added and 1 more change",
  ],
  [
    "what doesn't fit is counted, also if the list is cut",
    [value("Ember stove with a bench", "1,119 €", "1,099 €"), { before: null, after: "A stove. ".repeat(9) }],
    90,
    "Ember stove with a bench: 1,119 € → 1,099 € and 89 more changes",
  ],
])("in one line, %s", (_name, changes, count, summary) => {
  expect(describeChanges(changes, count)).toBe(summary);
});

import { expect, test } from "vitest";
import { findLead } from "./find-lead.ts";

const fee = { before: "The fee is 40 crowns.", after: "The fee is 55 crowns." };

test.each([
  ["a date", { before: "Last updated: 4 May 2026", after: "Last updated: 11 May 2026" }],
  ["a date in German", { before: "Stand: 3. März 2026", after: "Stand: 12. Oktober 2026" }],
  ["a time", { before: "As of 10:15", after: "As of 16:40" }],
  ["the number of a heading", { before: "3. Degree programs", after: "4. Degree programs" }],
  ["a comma", { before: "Doors open, at ten", after: "Doors open at ten" }],
])("a headline doesn't begin with %s if more has changed", (_, minor) => {
  expect(findLead([minor, fee])).toBe(1);
  expect(findLead([minor])).toBe(0);
});

test.each([
  ["a price", { before: "€ 40.00", after: "€ 55.00" }],
  ["a removed line", { before: "Doors open at ten", after: null }],
  ["a number", { before: "Only 5 left", after: "Only 4 left" }],
])("it begins with %s if that comes first", (_, first) => {
  expect(findLead([first, fee])).toBe(0);
});

import { expect, test } from "vitest";
import { diffWords } from "./diff-words.ts";
import { sayChanges } from "./say-change.ts";

const say = (before: string, after: string) =>
  sayChanges([{ before, after, words: diffWords(before, after) }], 1);

test.each([
  ["Fjell lamp 59.00 €", "Fjell lamp 64.00 €", "“Fjell lamp” 59.00 € → 64.00 €"],
  ["Fjell lamp 58.50 €", "Fjell lamp 71.00 €", "“Fjell lamp” 58.50 € → 71.00 €"],
  ["Fjell lamp 1.299,00 € new", "Fjell lamp 1.149,50 € new", "“Fjell lamp” 1.299,00 € → 1.149,50 €"],
  ["Release 2.4.1 is out", "Release 3.0.1 is out", "“Release” 2.4.1 → 3.0.1"],
  ["Only 5 left in the shop", "Only 4 left in the shop", "“Only” 5 → 4"],
])("a number is said whole: %s, then %s", (before, after, said) => {
  expect(say(before, after)).toBe(said);
});

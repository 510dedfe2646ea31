import fc from "fast-check";
import { expect, test } from "vitest";
import { diffWords } from "./diff-words.ts";

test("marks the words that changed and leaves the rest", () => {
  expect(diffWords("The price is 10 dollars.", "The price is 12 dollars.")).toEqual([
    { op: "same", text: "The price is " },
    { op: "removed", text: "10" },
    { op: "added", text: "12" },
    { op: "same", text: " dollars." },
  ]);
});

test("joins neighboring changed words", () => {
  expect(diffWords("we ship one two days later", "we ship three four days later")).toEqual([
    { op: "same", text: "we ship " },
    { op: "removed", text: "one two" },
    { op: "added", text: "three four" },
    { op: "same", text: " days later" },
  ]);
});

test("keeps letters with accents and other scripts whole", () => {
  expect(diffWords("Größe 5 см", "Grüße 5 см")).toEqual([
    { op: "removed", text: "Größe" },
    { op: "added", text: "Grüße" },
    { op: "same", text: " 5 см" },
  ]);
});

test("marks everything when two texts share next to nothing", () => {
  expect(diffWords("the quick brown fox jumps", "a slow, the lazy dog sleeps")).toEqual([
    { op: "removed", text: "the quick brown fox jumps" },
    { op: "added", text: "a slow, the lazy dog sleeps" },
  ]);
});

test("returns nothing for two empty texts", () => {
  expect(diffWords("", "")).toEqual([]);
});

test("only splits off the common start and end of very long texts", () => {
  const long = "x ".repeat(30_000);
  expect(diffWords(`${long}a`, `${long}b`)).toEqual([
    { op: "same", text: long },
    { op: "removed", text: "a" },
    { op: "added", text: "b" },
  ]);
});

test("reads as the old text without the added words and as the new without the removed", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", " ", "\n", ".", "😀", "1"), maxLength: 60 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const words = diffWords(before, after);
      const without = (op: string): string =>
        words
          .filter((word) => word.op !== op)
          .map((word) => word.text)
          .join("");
      expect(without("added")).toBe(before);
      expect(without("removed")).toBe(after);
    }),
    { numRuns: 2000 },
  );
});

import { expect, test } from "vitest";
import { wordMarks } from "./word-marks.ts";

const cut = (line: string, marks: { from: number; to: number }[]) =>
  marks.map(({ from, to }) => line.slice(from, to));

test("words that differ are marked on each side", () => {
  const before = "  one two three";
  const after = "  one 2 three four";
  const marks = wordMarks(before, after);
  expect(cut(before, marks.old)).toEqual(["two"]);
  expect(cut(after, marks.new).map((text) => text.trim())).toEqual(["2", "four"]);
});

test("the indentation that both lines share is not marked", () => {
  expect(wordMarks("    Hi, there", "    Bye.")).toEqual({
    old: [{ from: 4, to: 13 }],
    new: [{ from: 4, to: 8 }],
  });
  expect(wordMarks("  same", "    same").new).toEqual([{ from: 2, to: 4 }]);
});

test("a very long line has one mark, of whole words, from the first difference to the last", () => {
  const lead = "word ".repeat(2000);
  const before = `${lead}price 1200 of the last, and the end`;
  const after = `${lead}price 1300 of the final, and the end`;
  const marks = wordMarks(before, after);
  expect(cut(before, marks.old)).toEqual(["1200 of the last"]);
  expect(cut(after, marks.new)).toEqual(["1300 of the final"]);
});

test("text that was added to a very long line is marked on the new side only", () => {
  const before = "a ".repeat(3000);
  const marks = wordMarks(before, `${before}end`);
  expect(marks.old).toEqual([]);
  expect(marks.new).toEqual([{ from: 6000, to: 6003 }]);
  expect(wordMarks(`${before}\u{1F600}`, `${before}\u{1F601}`).new).toEqual([{ from: 6000, to: 6002 }]);
});

test("a line of half a megabyte is not marked word by word", () => {
  const whole = [{ from: 0, to: 499_999 }];
  expect(wordMarks("x ".repeat(250_000), "y ".repeat(250_000))).toEqual({ old: whole, new: whole });
});

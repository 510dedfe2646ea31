import { expect, test } from "vitest";
import { occurrences, paintLine, spellOut } from "./paint.ts";
import { wordMarks } from "./word-marks.ts";

const painted = (line: string) => paintLine(line).map(({ text, paint }) => [paint, text]);

test("tags, names, values and comments have their colors, and no text is lost", () => {
  expect(painted('<a href="/x">go</a> <!-- no -->')).toEqual([
    ["tag", "<a"],
    ["plain", " "],
    ["name", "href"],
    ["plain", "="],
    ["value", '"/x"'],
    ["tag", ">"],
    ["plain", "go"],
    ["tag", "</a>"],
    ["plain", " "],
    ["comment", "<!-- no -->"],
  ]);
  expect(painted("a < b")).toEqual([["plain", "a < b"]]);
});

test("V3 control characters are shown as codes: null, right-to-left, zero width", () => {
  const line = `a\u0000b\u202Egnp.exe\u2066\u200B<p title="\u202E">`;
  const runs = paintLine(line);
  expect(runs.map(({ text }) => text).join("")).toBe(line);
  const special = runs.filter(({ paint }) => paint === "control").map(({ text }) => spellOut(text));
  expect(special).toEqual(["U+0000", "U+202E", "U+2066", "U+200B", "U+202E"]);
  expect(
    runs.filter(({ paint }) => paint !== "control").some(({ text }) => /[\p{Cc}\p{Cf}]/u.test(text)),
  ).toBe(false);
});

test("change marks and search hits split colored text", () => {
  const line = '<b class="old">';
  const { old } = wordMarks(line, '<b class="new">');
  const runs = paintLine(line, old, occurrences(line, "CLASS"));
  expect(runs.filter(({ mark }) => mark).map(({ text }) => text)).toEqual(["old"]);
  expect(runs.filter(({ found }) => found).map(({ text }) => text)).toEqual(["class"]);
});

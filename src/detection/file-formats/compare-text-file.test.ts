import { expect, test } from "vitest";
import { compareTextFile } from "./compare-text-file.ts";

test("reports changed and added lines, located by the line above", () => {
  expect(compareTextFile("a: 1\nb: 2\nc: 3\n", "a: 1\nb: 5\nc: 3\nd: 4\n")).toMatchObject({
    found: [
      { place: "after “a: 1”", before: "b: 2", after: "b: 5", noise: null },
      { place: "after “c: 3”", before: null, after: "d: 4", noise: null },
    ],
    standing: 0.5,
  });
});

test("ignores byte order marks, line endings, trailing spaces and blank lines", () => {
  expect(compareTextFile("\ufeffa\r\n\r\nb  \r\n", "a\nb").found).toEqual([]);
});

test("treats a generation timestamp as noise, but not a date that somebody set", () => {
  const noise = (before: string, after: string): (string | null)[] =>
    compareTextFile(before, after).found.map((found) => found.noise);
  expect(noise("# Generated: 2026-01-02 03:04:05 UTC", "# Generated: 2026-01-02 04:04:05 UTC")).toEqual([
    "time",
  ]);
  expect(noise("Valid until 2026-01-02", "Valid until 2027-01-02")).toEqual([null]);
});

test("reports a line in a new position as moved", () => {
  expect(
    compareTextFile(
      "User-agent: a\nDisallow: /x\nUser-agent: b\nAllow: /",
      "User-agent: a\nUser-agent: b\nAllow: /\nDisallow: /x",
    ).found,
  ).toEqual([{ place: "", before: "Disallow: /x", after: "Disallow: /x", noise: null, moved: true }]);
});

import { expect, test } from "vitest";
import { findCircles } from "./find-circles.ts";

const circles = (imports: Record<string, string[]>) =>
  findCircles(new Map(Object.entries(imports))).map((files) => files.join(" "));

test("two ways to one file are no circle", () => {
  expect(circles({ a: ["b", "c"], b: ["d"], c: ["d"], d: ["elsewhere"] })).toEqual([]);
});

test("a circle is named once, without the way that leads to it", () => {
  expect(circles({ a: ["b"], b: ["c"], c: ["d", "b"], d: [] })).toEqual(["b c b"]);
  expect(circles({ a: ["a"] })).toEqual(["a a"]);
});

test("each import that closes a circle is named", () => {
  expect(circles({ a: ["b", "c"], b: ["a"], c: ["a"] })).toEqual(["a b a", "a c a"]);
});

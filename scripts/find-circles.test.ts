import { expect, test } from "vitest";
import { findCycles } from "./find-circles.ts";

const circles = (imports: Record<string, string[]>) =>
  findCycles(new Map(Object.entries(imports))).map((files) => files.join(" "));

test("two import paths to one file are not a cycle", () => {
  expect(circles({ a: ["b", "c"], b: ["d"], c: ["d"], d: ["elsewhere"] })).toEqual([]);
});

test("a cycle is reported once, without the imports that lead to it", () => {
  expect(circles({ a: ["b"], b: ["c"], c: ["d", "b"], d: [] })).toEqual(["b c b"]);
  expect(circles({ a: ["a"] })).toEqual(["a a"]);
});

test("each import that closes a cycle is reported", () => {
  expect(circles({ a: ["b", "c"], b: ["a"], c: ["a"] })).toEqual(["a b a", "a c a"]);
});

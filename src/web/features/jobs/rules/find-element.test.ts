import { expect, test } from "vitest";
import { besideOf, elementAt, narrowerThan, widerThan } from "./find-element.ts";
import type { Element } from "./source.ts";

// body > main (the same box) > two paragraphs, a word in the second.
const elements: Element[] = [
  [0, -1, "body", 0, 0, 100, 100],
  [1, 0, "main", 0, 0, 100, 100],
  [2, 1, "p", 0, 0, 100, 20],
  [3, 1, "p", 0, 30, 100, 20],
  [4, 3, "b", 10, 32, 20, 10],
];

test("the smallest under the pointer, the inner of two alike", () => {
  expect(elementAt(elements, 15, 35)).toBe(4);
  expect(elementAt(elements, 90, 35)).toBe(3);
  expect(elementAt(elements, 50, 90)).toBe(1);
  expect(elementAt(elements, 500, 5)).toBeUndefined();
});

test("wider and narrower pass over what covers just the same", () => {
  expect(widerThan(elements, 4)).toBe(3);
  expect(widerThan(elements, 3)).toBe(1);
  expect(widerThan(elements, 1)).toBe(1);
  expect(narrowerThan(elements, 1, 4)).toBe(3);
  expect(narrowerThan(elements, 3, 4)).toBe(4);
  expect(narrowerThan(elements, 1, undefined)).toBe(2);
  expect(narrowerThan(elements, 4, 4)).toBe(4);
});

test("siblings", () => {
  expect(besideOf(elements, 2, 1)).toBe(3);
  expect(besideOf(elements, 3, 1)).toBe(3);
  expect(besideOf(elements, 3, -1)).toBe(2);
});

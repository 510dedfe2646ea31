import { expect, test } from "vitest";
import type { Element } from "../rules/source.ts";
import { elementAt, narrowerElement, siblingOf, widerElement } from "./find-element.ts";

// body > main (with the same box) > two paragraphs, and a word in the second one.
const elements: Element[] = [
  [0, -1, "body", 0, 0, 100, 100],
  [1, 0, "main", 0, 0, 100, 100],
  [2, 1, "p", 0, 0, 100, 20],
  [3, 1, "p", 0, 30, 100, 20],
  [4, 3, "b", 10, 32, 20, 10],
];

test("elementAt finds the smallest element under the pointer, the inner one if two have the same box", () => {
  expect(elementAt(elements, 15, 35)).toBe(4);
  expect(elementAt(elements, 90, 35)).toBe(3);
  expect(elementAt(elements, 50, 90)).toBe(1);
  expect(elementAt(elements, 500, 5)).toBeUndefined();
});

test("widerElement and narrowerElement skip elements with the same box", () => {
  expect(widerElement(elements, 4)).toBe(3);
  expect(widerElement(elements, 3)).toBe(1);
  expect(widerElement(elements, 1)).toBe(1);
  expect(narrowerElement(elements, 1, 4)).toBe(3);
  expect(narrowerElement(elements, 3, 4)).toBe(4);
  expect(narrowerElement(elements, 1, undefined)).toBe(2);
  expect(narrowerElement(elements, 4, 4)).toBe(4);
});

test("siblingOf finds the next or previous sibling, or stays at the last one", () => {
  expect(siblingOf(elements, 2, 1)).toBe(3);
  expect(siblingOf(elements, 3, 1)).toBe(3);
  expect(siblingOf(elements, 3, -1)).toBe(2);
});

import { expect, test } from "vitest";
import { cutName } from "./cut-name.ts";

test("thirty characters stay whole, the thirty-first is cut", () => {
  expect(cutName("a".repeat(30))).toBe("a".repeat(30));
  expect(cutName("a".repeat(31))).toBe(`${"a".repeat(30)}…`);
});

test("a character people see as one is never cut in two", () => {
  const family = "👨‍👩‍👧‍👦";
  expect(cutName(family.repeat(30))).toBe(family.repeat(30));
  expect(cutName(family.repeat(31))).toBe(`${family.repeat(30)}…`);
  expect(cutName("é".normalize("NFD").repeat(31))).toBe(`${"é".normalize("NFD").repeat(30)}…`);
});

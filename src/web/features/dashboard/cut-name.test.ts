import { expect, test } from "vitest";
import { cutName } from "./cut-name.ts";

test("a name of 30 characters stays whole, and a longer one is cut after 30", () => {
  expect(cutName("a".repeat(30))).toBe("a".repeat(30));
  expect(cutName("a".repeat(31))).toBe(`${"a".repeat(30)}…`);
});

test("a character that consists of several code points is never cut in two", () => {
  const family = "👨‍👩‍👧‍👦";
  expect(cutName(family.repeat(30))).toBe(family.repeat(30));
  expect(cutName(family.repeat(31))).toBe(`${family.repeat(30)}…`);
  expect(cutName("é".normalize("NFD").repeat(31))).toBe(`${"é".normalize("NFD").repeat(30)}…`);
});

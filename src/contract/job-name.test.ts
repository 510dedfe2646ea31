import { expect, test } from "vitest";
import { findFreeName, nameFromTitle, nameFromUrl } from "./job-name.ts";

test("a URL becomes a name without its scheme, cut to 120 characters", () => {
  expect(nameFromUrl("https://example.com/a?b=c")).toBe("example.com/a?b=c");
  expect(nameFromUrl("example.com")).toBe("example.com");
  expect(nameFromUrl(`https://example.com/${"x".repeat(200)}`)).toHaveLength(120);
});

test("a title becomes a name on one line, without invisible characters", () => {
  expect(nameFromTitle(" Shop\n\t of\u200b the\u202e year \u0000")).toBe("Shop of the year");
  expect(Array.from(nameFromTitle("🙂".repeat(200)))).toHaveLength(120);
  expect(nameFromTitle("\u200b \n")).toBe("");
});

test("a taken name gets a suffix and a number, within 120 characters", () => {
  const taken = new Set(["Shop", "Shop copy", "Shop copy 2", "x".repeat(120)]);
  const isTaken = (name: string) => taken.has(name);
  expect(findFreeName("Other", isTaken)).toBe("Other");
  expect(findFreeName("Shop", isTaken)).toBe("Shop 2");
  expect(findFreeName("Shop", isTaken, " copy")).toBe("Shop copy 3");
  expect(findFreeName("x".repeat(120), isTaken)).toBe(`${"x".repeat(118)} 2`);
});

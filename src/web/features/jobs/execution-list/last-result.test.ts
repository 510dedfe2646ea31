import { expect, test } from "vitest";
import { changeSign } from "./last-result.ts";

test.each([
  ["1 line added in main", "+"],
  ["“Ember stove 119.00 €” added", "+"],
  ["New form asks for a password", "+"],
  ["3 lines removed", "−"],
  ["3 lines added, 1 removed in main", "~"],
  ["“Fjell lamp” 59.00 € → 64.00 €, “Ember stove” added", "~"],
  ["Status 400 → 200", "~"],
  ["Title is now “Sign in”", "~"],
])("the summary %s has the sign %s", (summary, sign) => {
  expect(changeSign(summary)).toBe(sign);
});

import { expect, test } from "vitest";
import { isIndexable, readPattern } from "./read-pattern.ts";

test.each([
  ["careers", true],
  ["ab", false],
  ["€30", true],
  ["30%", true],
  ["a", false],
  ["-a", true],
  ["...", false],
  ["日本語", true],
])("%s can be looked up by groups of three characters: %s", (text, is) => {
  expect(isIndexable(text)).toBe(is);
});

test.each<[string, string[] | null]>([
  ["careers", ["careers"]],
  ["AKIA[0-9A-Z]{16}", ["AKIA"]],
  ["(?:AKIA|ASIA)[0-9A-Z]{16}", ["AKIA", "ASIA"]],
  ["(a|)b", ["ab", "b"]],
  ["foo|bar+", ["foo", "bar"]],
  ["x+yz", ["xyz"]],
  ["foo|.*", null],
  ["(abc)?xyz", ["xyz"]],
  ["(abc)+", ["abc"]],
  ["(ab){2}", ["abab"]],
  ["colou?r", ["colo"]],
  [String.raw`hooks\.slack\.com/\w+`, ["hooks.slack.com/"]],
  [".*", null],
  ["[abc][def]", ["ad", "ae", "af", "bd", "be", "bf", "cd", "ce", "cf"]],
  ["gh[po]_\\w+", ["ghp_", "gho_"]],
  ["[a-z][^a]", null],
  ["(?=abc)d", ["d"]],
  ["^Price: \\d+$", ["Price: "]],
])("each match of %s contains one of %j", (pattern, anyOf) => {
  expect(readPattern(pattern).anyOf).toEqual(anyOf);
});

test("word borders of other dialects become PostgreSQL's", () => {
  expect(readPattern(String.raw`\bAKIA\b[\b]`).source).toBe(String.raw`\yAKIA\y[\b]`);
  expect(readPattern("(?i)abc").source).toBe("(?i)abc");
});

test.each([
  "***=abc",
  "(?q)abc",
  "(?P<name>abc)",
  "(abc",
  "abc)",
  "[abc",
  "abc\\",
  "(".repeat(30) + ")".repeat(30),
  `${"(".repeat(9)}abc${"{8})".repeat(9)}`,
  `${"(".repeat(18)}a${"{1,99})".repeat(18)}`,
])("%s is refused", (pattern) => {
  expect(() => readPattern(pattern)).toThrow("This regular expression isn’t valid");
});

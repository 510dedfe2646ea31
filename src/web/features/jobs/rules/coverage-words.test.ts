import { expect, test } from "vitest";
import { coverageWords } from "./coverage-words.ts";

test("how much a rule covers, in words", () => {
  expect(coverageWords({ what: "element", count: 3, words: 41 })).toBe("matches 3 elements, 41 words");
  expect(coverageWords({ what: "line", count: 1, words: 1 })).toBe("matches 1 line, 1 word");
  expect(coverageWords({ what: "element", count: 0, words: 0 })).toBe("matches no element");
  expect(coverageWords({ problem: "It is not understood." })).toBe("It is not understood.");
});

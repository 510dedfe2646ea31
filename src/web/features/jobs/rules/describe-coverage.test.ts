import { expect, test } from "vitest";
import { describeCoverage } from "./describe-coverage.ts";

test("describeCoverage says how many elements or lines and words a rule matches", () => {
  expect(describeCoverage({ what: "element", count: 3, words: 41 })).toBe("matches 3 elements, 41 words");
  expect(describeCoverage({ what: "line", count: 1, words: 1 })).toBe("matches 1 line, 1 word");
  expect(describeCoverage({ what: "element", count: 0, words: 0 })).toBe("matches no element");
  expect(describeCoverage({ problem: "It is not understood." })).toBe("It is not understood.");
});

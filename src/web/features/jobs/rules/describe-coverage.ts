import { countOf } from "#web/ui/count-of.ts";
import type { Coverage } from "./source.ts";

/** Describes a rule's coverage, such as "matches 3 elements, 41 words". */
export function describeCoverage(coverage: Coverage): string {
  if ("problem" in coverage) return coverage.problem;
  const { what, count, words } = coverage;
  if (count === 0) return what === "line" ? "matches no line" : `matches no ${what}`;
  return `matches ${countOf(count, what)}, ${countOf(words, "word")}`;
}

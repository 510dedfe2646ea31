import { normalizeWords } from "./normalize-words.ts";
import { type Pattern, producedPrice, readCaptures, readPattern, readReplacement } from "./pattern.ts";
import type { Budget } from "./rule-budget.ts";
import { RuleError } from "./rule-error.ts";
import { describeStep, type TextStep } from "./step-kinds.ts";

export type ReadStep = (lines: string[], budget: Budget) => string[];

// Nanoseconds to handle one line and each of its characters, in addition to what a pattern costs.
const [linePrice, characterPrice] = [100, 10];

/** Parses a step. Throws a RuleError, whose position is in the first text, if it can't be parsed. */
export function readStep({ do: kind, text, to }: TextStep): ReadStep {
  switch (kind) {
    case "keep":
      return filter(readMatcher(text), true);
    case "drop":
      return filter(readMatcher(text), false);
    case "capture": {
      const find = readCaptures(text.trim(), to.trim());
      if (!find) throw new RuleError("Write the pattern between slashes, as /Price: (.*)/", 0);
      return (lines, budget) => lines.flatMap((line) => find(line, budget));
    }
    case "between":
      return between(readMatcher(text), to.trim() === "" ? null : readMatcher(to));
    case "replace":
      return replace(text, to);
    case "first":
    case "last": {
      const count = Number(text.trim());
      if (!Number.isInteger(count) || count < 1) throw new RuleError("Enter a number of lines, from 1", 0);
      return (lines) => (kind === "first" ? lines.slice(0, count) : lines.slice(-count));
    }
    case "trim":
      return (lines) => lines.map((line) => line.trim()).filter((line) => line !== "");
    case "sort":
      return sort;
    case "reverse":
      return (lines) => lines.toReversed();
    case "unique":
      return (lines) => [...new Set(lines)];
    default:
      return (lines) => lines.filter((line, at) => line !== lines[at - 1]);
  }
}

// A fixed language, so that a server's own never changes the order.
const collator = new Intl.Collator("en", { numeric: true });
// Two lines are compared by their starts as readers would, and then by their characters.
const maxKey = 200;
// Nanoseconds to compare two lines, and more for each digit: finding numbers in them takes most of the time.
const [comparisonPrice, digitPrice] = [500, 60];

const sort: ReadStep = (lines, budget) =>
  lines
    .map((line) => {
      const key = line.slice(0, maxKey);
      return { line, key, digits: key.match(/\p{Nd}/gu)?.length ?? 0 };
    })
    .sort((a, b) => {
      budget.spend(comparisonPrice + digitPrice * Math.min(a.digits, b.digits));
      return collator.compare(a.key, b.key) || (a.line < b.line ? -1 : a.line > b.line ? 1 : 0);
    })
    .map(({ line }) => line);

type Matcher = (line: string, budget: Budget) => boolean;

/** Words in upper or lower case, or a pattern. */
function readMatcher(text: string): Matcher {
  const pattern: Pattern | undefined = readPattern(text.trim());
  if (pattern) return (line, budget) => pattern(line, budget, 1).length > 0;
  const words = normalizeWords(text);
  if (words === "") throw new RuleError("Enter a text or a /pattern/", 0);
  return (line, budget) => {
    budget.spend(linePrice + characterPrice * line.length);
    return normalizeWords(line).includes(words);
  };
}

const filter =
  (matches: Matcher, isKept: boolean): ReadStep =>
  (lines, budget) =>
    lines.filter((line) => matches(line, budget) === isKept);

const between =
  (starts: Matcher, ends: Matcher | null): ReadStep =>
  (lines, budget) => {
    let isInside = false;
    return lines.filter((line) => {
      if (isInside && ends?.(line, budget)) {
        isInside = false;
        return false;
      }
      if (isInside) return true;
      isInside = starts(line, budget);
      return false;
    });
  };

function replace(text: string, to: string): ReadStep {
  const pattern = readReplacement(text.trim());
  if (!pattern) {
    if (text === "") throw new RuleError("Enter a text or a /pattern/", 0);
    return (lines, budget) =>
      lines.map((line) => {
        budget.spend(linePrice + line.length + producedPrice * to.length * countOf(line, text));
        return line.replaceAll(text, () => to);
      });
  }
  return (lines, budget) => lines.map((line) => pattern(line, to, budget));
}

function countOf(line: string, text: string): number {
  let count = 0;
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + text.length)) count++;
  return count;
}

/** Applies steps in their order; each is charged under its name. */
export function applySteps(lines: string[], steps: { step: TextStep; apply: ReadStep }[], budget: Budget) {
  let left = lines;
  for (const { step, apply } of steps) {
    budget.chargeTo(describeStep(step));
    budget.spend(linePrice * left.length);
    left = apply(left, budget);
  }
  return left;
}

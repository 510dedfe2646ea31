import { type Matcher, RE2JS } from "re2js";
import type { Budget } from "../rule-budget.ts";
import { patternSize } from "./pattern-size.ts";
import { RuleError } from "./rule-error.ts";

type Run = [from: number, to: number];

/** Answers the runs of a text, as pairs of offsets, that a pattern matches; at most as many as are asked for. */
export type Pattern = (text: string, budget: Budget, most?: number) => Run[];

// To compile a larger one takes noticeably long, and each letter of a text may cost a step for each part of it.
const largestPattern = 2_000;

// What one letter that is looked at takes, in nanoseconds: for itself, and for each part of the pattern that may be
// under way there. Few of a short pattern are at most places, many of a long one that repeats what is optional.
const [letterPrice, partPrice, manyParts] = [40, 4, 200];
// What it takes to begin a search, and to pass a letter without looking at it.
const searchPrice = 500;
const passedPrice = 1;

/** A text that lets a budget pay for each letter that the library looks at. */
class PaidText extends String {
  readonly #budget: Budget;
  readonly #price: number;

  constructor(text: string, budget: Budget, price: number) {
    super(text);
    this.#budget = budget;
    this.#price = price;
  }

  override charCodeAt(at: number): number {
    this.#budget.spend(this.#price);
    return super.charCodeAt(at);
  }

  override indexOf(text: string, from = 0): number {
    const found = super.indexOf(text, from);
    this.#budget.spend(passedPrice * ((found < 0 ? this.length : found) - from));
    return found;
  }
}

/** A search through a text, paid for letter by letter. */
function search(compiled: RE2JS, rule: string, text: string, budget: Budget): Matcher {
  budget.chargeTo(rule);
  budget.spend(searchPrice);
  const parts = compiled.programSize();
  const price = letterPrice + partPrice * parts * (1 + parts / manyParts);
  // The library takes objects that are strings; its types do not say so.
  return compiled.matcher(new PaidText(text, budget, price) as unknown as string);
}

const flags: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // What every pattern here does anyway.
  g: 0,
  u: 0,
};

const shape = /^\/([^]+)\/([a-z]*)$/;

/** Reads `/pattern/flags`; undefined for what is none: a path such as /etc/passwd has no flags at its end. */
export function readPattern(text: string): Pattern | undefined {
  const compiled = compiledOf(text);
  return (
    compiled &&
    ((line, budget, most = Infinity) => {
      const found: Run[] = [];
      const matcher = search(compiled, text, line, budget);
      while (found.length < most && matcher.find()) {
        budget.spend(searchPrice);
        if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
      }
      return found;
    })
  );
}

/** Reads `/pattern/flags`; answers what its first group matches first, or all of the match where it has none. */
export function readCapture(
  text: string,
): ((text: string, budget: Budget) => string | undefined) | undefined {
  const compiled = compiledOf(text);
  return (
    compiled &&
    ((line, budget) => {
      const matcher = search(compiled, text, line, budget);
      return matcher.find() ? (matcher.group(compiled.groupCount() > 0 ? 1 : 0) ?? undefined) : undefined;
    })
  );
}

function compiledOf(text: string): RE2JS | undefined {
  const [, source = "", letters = ""] = shape.exec(text) ?? [];
  if (source === "") return undefined;
  const unknown = [...letters].findIndex((letter) => !(letter in flags));
  if (unknown >= 0 && letters.length > 2) return undefined;
  if (unknown >= 0) {
    const at = text.length - letters.length + unknown;
    throw new RuleError(`There is no flag “${letters[unknown]}”: there are i, m and s`, at);
  }
  return compile(source, letters);
}

function compile(source: string, letters: string): RE2JS {
  if (patternSize(source) > largestPattern)
    throw new RuleError("This pattern is too large: it repeats too much", 1);
  try {
    return RE2JS.compile(
      source,
      [...letters].reduce((sum, letter) => sum | (flags[letter] ?? 0), 0),
    );
  } catch (error) {
    const { error: reason = "", input = "" } = error as { error?: string; input?: string };
    const at = Math.max(0, source.indexOf(input)) + 1;
    const isPerl = /^\(\?[=!<]|^\\\d/.test(input);
    throw new RuleError(
      isPerl
        ? "A pattern cannot look ahead or behind, nor refer back"
        : `This is not a pattern: ${reason || "it is too large"}`,
      at,
    );
  }
}

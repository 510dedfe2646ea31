import { type Matcher, RE2JS } from "re2js";
import { patternSize } from "./pattern-size.ts";
import type { Budget } from "./rule-budget.ts";
import { RuleError } from "./rule-error.ts";

type Run = [from: number, to: number];

/** Finds the runs of a text, as pairs of offsets, that a pattern matches; at most `most` of them. */
export type Pattern = (text: string, budget: Budget, most?: number) => Run[];

// Compiling a larger one takes noticeable time, and each character of a text may cost a step for each part of it.
const largestPattern = 2_000;

// Nanoseconds that one examined character takes: for itself, and for each part of the pattern that may be active there.
// A short pattern has few active parts at most positions; a long one with repeated optional parts has many.
const [characterPrice, partPrice, manyParts] = [40, 4, 200];
// Nanoseconds to start a search, and to skip a character without examining it.
const searchPrice = 500;
const skippedPrice = 1;
/**
 * Nanoseconds for each character of a text that a match is turned into. It is charged before the text exists, so that
 * all steps of a job together make some fifty megabytes at most.
 */
export const producedPrice = 10;

/** A text that charges a budget for each character that the library examines. */
class ChargedText extends String {
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
    this.#budget.spend(skippedPrice * ((found < 0 ? this.length : found) - from));
    return found;
  }
}

/** Goes through the matches in a text, for which a budget is charged character by character. */
type Search = (text: string, budget: Budget) => Iterable<Matcher>;

/** What a pattern is used for, made of its search and its number of groups; undefined if the text is not a pattern. */
function readSearch<Use>(rule: string, use: (search: Search, groups: number) => Use): Use | undefined {
  const compiled = compiledOf(rule);
  if (!compiled) return undefined;
  const search: Search = function* (text, budget) {
    budget.chargeTo(rule);
    budget.spend(searchPrice);
    const parts = compiled.programSize();
    const price = characterPrice + partPrice * parts * (1 + parts / manyParts);
    // The library accepts String objects; its types don't say so.
    const matcher = compiled.matcher(new ChargedText(text, budget, price) as unknown as string);
    while (matcher.find()) {
      budget.spend(searchPrice);
      yield matcher;
    }
  };
  return use(search, compiled.groupCount());
}

const flags: Record<string, number> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // Every pattern here behaves like this anyway.
  g: 0,
  u: 0,
};

const patternSigns = /[\\^$*+?()[\]{}|]/;
/** Whether letters are flags of some other language's patterns, none of them twice. */
const isFlags = (letters: string) =>
  /^[dgimsuvxyUA]+$/.test(letters) && new Set(letters).size === letters.length;

const shape = /^\/([^]+)\/([a-zA-Z]*)$/;

/** Parses `/pattern/flags`; undefined if it is not a pattern: a path such as /etc/passwd doesn't end in flags. */
export function readPattern(text: string): Pattern | undefined {
  return readSearch(text, (search) => (line, budget, most = Infinity) => {
    const found: Run[] = [];
    for (const match of search(line, budget)) {
      if (match.end() > match.start()) found.push([match.start(), match.end()]);
      if (found.length >= most) break;
    }
    return found;
  });
}

/** Parses `/pattern/flags`; the returned function gives the first match of group 1, or all of it without groups. */
export function readCapture(
  text: string,
): ((text: string, budget: Budget) => string | undefined) | undefined {
  return readSearch(text, (search, groups) => (line, budget) => {
    for (const match of search(line, budget)) return match.group(groups > 0 ? 1 : 0) ?? undefined;
    return undefined;
  });
}

/**
 * Parses `/pattern/flags`; the returned function gives each match: its groups, joined by spaces, or all of it. With a
 * form such as `$2: $1`, it gives the form with the groups of each match.
 */
export function readCaptures(
  text: string,
  form: string,
): ((text: string, budget: Budget) => string[]) | undefined {
  return readSearch(text, (search, groups) => (line, budget) => {
    const found: string[] = [];
    const numbers = Array.from({ length: groups }, (_, at) => at + 1);
    for (const match of search(line, budget)) {
      const captured = numbers.map((at) => match.group(at) ?? "").filter((part) => part !== "");
      const whole = groups > 0 ? captured.join(" ") : (match.group() ?? "");
      const filled = (form === "" ? whole : fillGroups(form, match, groups, budget)).trim();
      if (filled !== "") found.push(filled);
      if (found.length === maxMatches) break;
    }
    return found;
  });
}

// Of one line; a capture has at most 20,000 lines.
const maxMatches = 20_000;
const longestLine = 100_000;

/** Parses `/pattern/flags`; the returned function replaces each match, `$1` in the replacement being the first group. */
export function readReplacement(
  text: string,
): ((line: string, replacement: string, budget: Budget) => string) | undefined {
  return readSearch(text, (search, groups) => (line, replacement, budget) => {
    let [replaced, at, count] = ["", 0, 0];
    for (const match of search(line, budget)) {
      replaced += line.slice(at, match.start()) + fillGroups(replacement, match, groups, budget);
      at = match.end();
      if (++count === maxMatches || replaced.length >= longestLine) break;
    }
    return replaced + line.slice(at);
  });
}

/** Replaces `$1` by the first group of a match, and so on; the text is charged before it exists. */
function fillGroups(form: string, match: Matcher, groups: number, budget: Budget): string {
  const hasGroup = (group: number) => group <= groups;
  const inserted = Array.from(form.matchAll(/\$(\d)/g), ([, digit]) => Number(digit)).filter(hasGroup);
  const length = inserted.reduce((sum, group) => sum + lengthOfGroup(match, group), form.length);
  budget.spend(producedPrice * length);
  return form.replace(/\$(\d)/g, (_, digit: string) =>
    hasGroup(Number(digit)) ? (match.group(Number(digit)) ?? "") : "",
  );
}

/** A group that took part in no match begins and ends at -1. */
const lengthOfGroup = (match: Matcher, group: number) => match.end(group) - match.start(group);

// Lines of every kind of letters and signs: a pattern that matches all of each matches everything.
const sampleLines = [
  "The quick brown fox jumps over the lazy dog, 0123456789!",
  "Price: 12.50 €",
  "Übergrößenträger — naïve café",
  "価格は変更されました",
  "Цена изменилась",
];

/** Why a pattern can't say what to ignore: it matches everything, or nothing at all; null if it can. */
export function refuseBlanketPattern(text: string): string | null {
  const compiled = compiledOf(text);
  if (!compiled) return null;
  if (compiled.matches("")) return `“${text}” also matches where there is nothing: say what must be there`;
  const isAll = sampleLines.every((line) => compiled.matcher(line).replaceAll("").trim() === "");
  return isAll ? `“${text}” matches everything, so no change would ever be reported` : null;
}

function compiledOf(text: string): RE2JS | undefined {
  const [, source = "", flagLetters = ""] = shape.exec(text) ?? [];
  if (source === "") return undefined;
  const unknown = [...flagLetters].findIndex((letter) => !(letter in flags));
  // Nothing in a path such as /etc/passwd has a meaning in patterns, and its last part is no list of flags.
  if (unknown >= 0 && flagLetters.length > 2 && !patternSigns.test(source) && !isFlags(flagLetters))
    return undefined;
  if (unknown >= 0) {
    const at = text.length - flagLetters.length + unknown;
    throw new RuleError(`Unknown flag “${flagLetters[unknown]}”: use i, m or s`, at);
  }
  return compile(source, flagLetters);
}

function compile(source: string, flagLetters: string): RE2JS {
  if (patternSize(source) > largestPattern)
    throw new RuleError("This pattern is too large: it repeats too much", 1);
  try {
    return RE2JS.compile(
      source,
      [...flagLetters].reduce((sum, letter) => sum | (flags[letter] ?? 0), 0),
    );
  } catch (error) {
    const { error: reason = "", input = "" } = error as { error?: string; input?: string };
    const at = Math.max(0, source.indexOf(input)) + 1;
    const isPerl = /^\(\?[=!<]|^\\\d/.test(input);
    throw new RuleError(
      isPerl
        ? "A pattern can’t look ahead or behind, or refer back"
        : `This is not a pattern: ${reason || "it is too large"}`,
      at,
    );
  }
}

import type { Budget } from "./rule-budget.ts";
import { readCss, tagsIn } from "./rules/css.ts";
import { type Location, readJsonPath } from "./rules/json-path.ts";
import { knownTags } from "./rules/known-tags.ts";
import { type Pattern, readPattern } from "./rules/pattern.ts";
import { RuleError } from "./rules/rule-error.ts";
import type { Tree } from "./rules/tree.ts";
import { readXPath } from "./rules/xpath.ts";

export { RuleError } from "./rules/rule-error.ts";

/** What the user asks of a job's comparisons, in his own words. docs/rules.md has the language. */
export type Rules = {
  /** What is compared; null for all. One selector a line. */
  selector: string | null;
  /** What never counts. */
  ignore: string[];
};

export const noRules: Rules = { selector: null, ignore: [] };

export type Selector =
  | { kind: "elements"; find: (tree: Tree) => number[] }
  | { kind: "values"; find: (document: unknown, budget: Budget) => Location[] };
export type Line = { kind: "line"; words: string } | { kind: "pattern"; find: Pattern };
export type Rule = Selector | Line;

/** Words as they are compared: a reader passes over case and white space. */
export const foldWords = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();

/** One line of `selector`. */
function readSelector(text: string): Selector {
  const prefixed = readPrefixed(text);
  if (prefixed) return prefixed;
  if (/^\s*\$/.test(text)) throw new RuleError("A JSONPath begins with jsonpath:", 0);
  if (/^\s*\//.test(text)) throw new RuleError("An XPath expression begins with xpath:", 0);
  return { kind: "elements", find: readCss(text) };
}

/** All lines of `selector`. */
export function readSelectors(text: string): Selector[] {
  let start = 0;
  return text.split("\n").flatMap((line) => {
    const from = start;
    start += line.length + 1;
    return line.trim() === "" ? [] : [placed(from, () => readSelector(line))];
  });
}

/** An entry of `ignore`. Quotes make any text a text; what looks like a selector must be one. */
export function readIgnored(entry: string): Rule {
  const text = entry.trim();
  const prefixed = readPrefixed(text);
  if (prefixed) return prefixed;
  const pattern = readPattern(text);
  if (pattern) return { kind: "pattern", find: pattern };
  const quoted = /^(["“])([^]+)["”]$/.exec(text)?.[2];
  if (quoted !== undefined) return lineOf(quoted);
  if (looksLikeSelector(text)) {
    try {
      return { kind: "elements", find: readCss(text) };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      throw new RuleError(`${error.message}; a text goes in quotes`, error.at);
    }
  }
  return lineOf(text);
}

/** One of the strings that are looked for: words in any case, or a pattern. */
function readSought(text: string): Line {
  const pattern = readPattern(text.trim());
  return pattern ? { kind: "pattern", find: pattern } : lineOf(text);
}

function lineOf(text: string): Line {
  const words = foldWords(text);
  if (words === "") throw new RuleError("There is nothing in it", 0);
  return { kind: "line", words };
}

function readPrefixed(text: string): Selector | undefined {
  const [head = "", kind = ""] = /^\s*(xpath|jsonpath):/.exec(text) ?? [];
  if (kind === "") return undefined;
  const rest = text.slice(head.length);
  return placed(head.length, () => {
    assertNesting(rest);
    return kind === "xpath"
      ? { kind: "elements", find: readXPath(rest) }
      : { kind: "values", find: readJsonPath(rest) };
  });
}

// Far more than people write. The parser of XPath takes time that grows with the square of it.
const deepest = 30;

function assertNesting(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "(" || sign === "[") depth++;
    else if (sign === ")" || sign === "]") depth--;
    if (depth > deepest) throw new RuleError(`It is nested more than ${deepest} levels deep`, at);
  }
}

/** Whether somebody who writes this means elements: by its first sign, or by names that elements have. */
function looksLikeSelector(text: string): boolean {
  if (/^[#.[:*>+~]/.test(text)) return true;
  const [name = "", sign = "", next = ""] = /^([a-z][\w-]*)(?:([#.[:])(.?))?/i.exec(text)?.slice(1) ?? [];
  if (isTag(name) && sign !== "" && !/^\s|^$/.test(sign === "[" ? "x" : next)) return true;
  const tags = tagsIn(text);
  return tags !== null && tags.every(isTag);
}

function isTag(name: string): boolean {
  return knownTags.has(name.toLowerCase()) || /^[a-z][a-z0-9]*-[\w-]*$/.test(name);
}

/** Counts the place of what is wrong from the start of the whole rule. */
function placed<T>(from: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RuleError ? new RuleError(error.message, from + error.at) : error;
  }
}

export type Refusal = { field: string; reason: string };

/** The first of a job's rules that cannot be understood, and why. */
export function refuseRules(given: {
  selector?: string | null;
  ignore?: string[];
  lookup?: { strings: string[] } | null;
  trigger?: { strings: string[] } | null;
}): Refusal | null {
  const all: Try[] = [
    ...(given.selector?.trim() ? [{ field: "selector", text: given.selector, read: readSelectors }] : []),
    ...tries("ignore", given.ignore, readIgnored),
    ...tries("lookup.strings", given.lookup?.strings, readSought),
    ...tries("trigger.strings", given.trigger?.strings, readSought),
  ];
  for (const { field, text, read } of all) {
    const reason = problemOf(text, read);
    if (reason) return { field, reason };
  }
  return null;
}

/** Why a followed value's rule cannot be understood; null where it can. */
export function refuseValueRule(by: "selector" | "pattern", text: string): string | null {
  if (text.trim() === "") return "Say where it stands.";
  if (by === "selector") return problemOf(text, readSelectors);
  return problemOf(text.trim(), (pattern) => {
    if (!readPattern(pattern)) throw new RuleError("A pattern stands between slashes, as /Price: (.*)/", 0);
  });
}

/** Why a text is no CSS selector; null where it is one. */
export function refuseCss(text: string): string | null {
  return problemOf(text, readCss);
}

type Try = { field: string; text: string; read: (text: string) => unknown };

function tries(field: string, texts: string[] | undefined, read: Try["read"]): Try[] {
  return (texts ?? []).map((text, at) => ({ field: `${field}.${at}`, text, read }));
}

/** “a[” is no selector: which sentence says so, and where in it. */
function problemOf(text: string, read: (text: string) => unknown): string | null {
  try {
    read(text);
    return null;
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const rest = text.slice(error.at, error.at + 30);
    const place = rest === "" ? "at its end" : `at character ${error.at + 1}, “${rest}”`;
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    return `“${shown}” is not understood ${place}: ${error.message}.`;
  }
}

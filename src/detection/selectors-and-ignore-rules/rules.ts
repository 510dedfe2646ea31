import { readCss, tagsIn } from "./css.ts";
import { readJq } from "./jq.ts";
import { type Location, readJsonPath } from "./json-path.ts";
import { knownTags } from "./known-tags.ts";
import { normalizeWords } from "./normalize-words.ts";
import { type Pattern, readPattern, refuseBlanketPattern } from "./pattern.ts";
import type { Budget } from "./rule-budget.ts";
import { RuleError } from "./rule-error.ts";
import type { TextStep } from "./step-kinds.ts";
import { readStep } from "./text-steps.ts";
import type { Tree } from "./tree.ts";
import { readXPath } from "./xpath.ts";

export { RuleError } from "./rule-error.ts";

/** A job's rules for comparisons, as the user wrote them. docs/rules.md describes the language. */
export type Rules = {
  /** What is compared, one selector per line; null for everything. */
  selector: string | null;
  /** What never counts as a change. */
  ignore: string[];
  /** What is done with the lines of what is left, in this order. */
  steps?: TextStep[] | null;
  /** "source": the body is compared as it was received, as text. */
  compareAs?: "page" | "source" | null;
};

export const noRules: Rules = { selector: null, ignore: [] };

export type Selector =
  | {
      kind: "elements";
      find: (tree: Tree) => number[];
      /** The texts that an expression yields if it selects attributes or computes values; null if only elements. */
      findValues?: (tree: Tree) => string[] | null;
    }
  | { kind: "values"; find: (document: unknown, budget: Budget) => Location[]; compute: ComputeValues }
  | { kind: "results"; compute: ComputeValues };
/** Gives the values that a query yields from a JSON document. */
type ComputeValues = (document: unknown, budget: Budget) => unknown[];
/** A selector of things that can be left out of a capture. */
export type Ignorable = Exclude<Selector, { kind: "results" }>;
export type Line = { kind: "line"; words: string } | { kind: "pattern"; find: Pattern };
export type Rule = Ignorable | Line;

/** Parses one line of `selector`. */
function readSelector(text: string): Selector {
  const prefixed = readPrefixed(text);
  if (prefixed) return prefixed;
  if (/^\s*\$/.test(text)) throw new RuleError("A JSONPath begins with jsonpath:", 0);
  if (/^\s*\//.test(text)) throw new RuleError("An XPath expression begins with xpath:", 0);
  return { kind: "elements", find: readCss(text) };
}

/** Parses all lines of `selector`. */
export function parseSelectors(text: string): Selector[] {
  let start = 0;
  return text.split("\n").flatMap((line) => {
    const from = start;
    start += line.length + 1;
    return line.trim() === "" ? [] : [shiftErrors(from, () => readSelector(line))];
  });
}

/** Parses an entry of `ignore`. Quoted text is always plain text; what looks like a selector must be a valid one. */
export function parseIgnoreRule(entry: string): Rule {
  const text = entry.trim();
  const prefixed = readPrefixed(text);
  if (prefixed?.kind === "results")
    throw new RuleError("A jq expression can only choose what is compared: ignore values with jsonpath:", 0);
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

/** Parses a string to look for: words in any case, or a pattern. */
function readLookupString(text: string): Line {
  const pattern = readPattern(text.trim());
  return pattern ? { kind: "pattern", find: pattern } : lineOf(text);
}

function lineOf(text: string): Line {
  const words = normalizeWords(text);
  if (words === "") throw new RuleError("It is empty", 0);
  return { kind: "line", words };
}

function readPrefixed(text: string): Selector | undefined {
  const [head = "", kind = ""] = /^\s*(xpath|jsonpath|jq):/.exec(text) ?? [];
  if (kind === "") return undefined;
  const rest = text.slice(head.length);
  return shiftErrors(head.length, () => {
    assertNesting(rest);
    if (kind === "jq") return { kind: "results", compute: readJq(rest) };
    if (kind === "jsonpath") {
      const select = readJsonPath(rest);
      return {
        kind: "values",
        find: (document, budget) => select(document, budget).map(({ location }) => location),
        compute: (document, budget) => select(document, budget).map(({ value }) => value),
      };
    }
    const evaluate = readXPath(rest);
    return {
      kind: "elements",
      find: (tree) => evaluate(tree).nodes,
      findValues: (tree) => evaluate(tree).values,
    };
  });
}

// Far more levels than people write. The time of the XPath parser grows with the square of their number.
const maxNesting = 30;

function assertNesting(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    if (depth > maxNesting) throw new RuleError(`It is nested more than ${maxNesting} levels deep`, at);
  }
}

/** Whether a text is meant as a selector: by its first character, or because its names are those of elements. */
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

/** Shifts the position of a RuleError so that it counts from the start of the whole rule. */
function shiftErrors<T>(from: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof RuleError ? new RuleError(error.message, from + error.at) : error;
  }
}

export type Refusal = { field: string; reason: string };

/** Returns the first of a job's rules that can't be parsed, and why. */
export function validateRules(given: {
  selector?: string | null;
  ignore?: string[];
  lookup?: { strings: string[] } | null;
  trigger?: { strings: string[] } | null;
  steps?: TextStep[] | null | undefined;
}): Refusal | null {
  const all: RuleText[] = [
    ...(given.steps ?? []).map((step, at) => ({
      field: `steps.${at}.text`,
      text: step.text,
      read: () => readStep(step),
    })),
    ...(given.selector?.trim() ? [{ field: "selector", text: given.selector, read: parseSelectors }] : []),
    ...toRuleTexts("ignore", given.ignore, parseIgnoreRule),
    ...toRuleTexts("lookup.strings", given.lookup?.strings, readLookupString),
    ...toRuleTexts("trigger.strings", given.trigger?.strings, readLookupString),
  ];
  for (const { field, text, read } of all) {
    const reason = describeProblem(text, read);
    if (reason) return { field, reason };
  }
  return null;
}

/** Returns the first ignore rule that leaves nothing to compare on any page. */
export function refuseBlanketRules(ignore: string[]): Refusal | null {
  for (const [at, entry] of ignore.entries()) {
    const reason = refuseBlanketPattern(entry.trim());
    if (reason) return { field: `ignore.${at}`, reason: `${reason}.` };
  }
  return null;
}

/** Returns why a followed value's rule can't be parsed, or null if it can. */
export function validateValueRule(by: "selector" | "pattern", text: string): string | null {
  if (text.trim() === "") return "Enter a selector or a pattern.";
  if (by === "selector") return describeProblem(text, parseSelectors);
  return describeProblem(text.trim(), (pattern) => {
    if (!readPattern(pattern)) throw new RuleError("Write the pattern between slashes, as /Price: (.*)/", 0);
  });
}

/** Returns why a text isn't a CSS selector, or null if it is one. */
export function validateCss(text: string): string | null {
  return describeProblem(text, readCss);
}

type RuleText = { field: string; text: string; read: (text: string) => unknown };

function toRuleTexts(field: string, texts: string[] | undefined, read: RuleText["read"]): RuleText[] {
  return (texts ?? []).map((text, at) => ({ field: `${field}.${at}`, text, read }));
}

/** Returns a sentence that says why a text can't be parsed and at which position, or null if it can. */
function describeProblem(text: string, read: (text: string) => unknown): string | null {
  try {
    read(text);
    return null;
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return describeRuleError(text, error);
  }
}

/** A sentence that says why a text can't be parsed and at which position. */
export function describeRuleError(text: string, error: RuleError): string {
  if (text.trim() === "") return `${error.message}.`;
  const rest = text.slice(error.at, error.at + 30);
  const place = rest === "" ? "at its end" : `at character ${error.at + 1}, “${rest}”`;
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return `“${shown}” is not understood ${place}: ${error.message}.`;
}

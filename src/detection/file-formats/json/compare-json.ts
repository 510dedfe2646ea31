import { markScopeEntries } from "../../bug-bounty-scope/scope-entry.ts";
import { compareEntries, type Feed, readJsonFeed } from "../compare-feed.ts";
import type { ContentDifferences } from "../content-difference.ts";
import { compareValues, type Walk } from "./compare-values.ts";
import { printSorted, Signatures, type Value } from "./signatures.ts";

// No real document is nested deeper, and walking deeper nesting would exhaust the stack.
const MAX_DEPTH = 300;

/** Compares JSON or JSON Lines by structure; undefined if either side is neither. */
export function compareJson(before: string, after: string): ContentDifferences | undefined {
  const a = parseJson(before);
  const b = parseJson(after);
  if (a === undefined || b === undefined) return undefined;
  const structure = { isXml: false, tell: () => undefined };
  const lines = [print(a), print(b)] as const;
  const feed = compareFeeds(readJsonFeed(a), readJsonFeed(b), structure);
  if (feed) return { ...feed, lines };
  const compared = compareTrees(a, b, structure);
  markScopeEntries(compared.found);
  return { ...compared, lines };
}

/** Compares feeds by entry and the rest of them by structure; undefined if either side is no feed. */
export function compareFeeds(
  before: Feed | undefined,
  after: Feed | undefined,
  structure: Pick<Walk, "isXml" | "tell">,
): Omit<ContentDifferences, "lines"> | undefined {
  if (!before || !after) return undefined;
  const entries = compareEntries(before, after);
  const rest = compareTrees(before.rest, after.rest, structure);
  const standing = Math.min(entries.standing, rest.standing);
  return { found: [...entries.found, ...rest.found], standing, noun: rest.noun };
}

/** Finds where two trees differ and which share of them is unchanged. */
export function compareTrees(
  a: Value,
  b: Value,
  { isXml, tell }: Pick<Walk, "isXml" | "tell">,
): Omit<ContentDifferences, "lines"> {
  const walk: Walk = { signatures: new Signatures(), found: [], lost: 0, isXml, tell };
  compareValues(walk, a, b, "", "");
  const whole = Math.max(walk.signatures.size(a), walk.signatures.size(b));
  return { found: walk.found, standing: Math.max(0, 1 - walk.lost / whole), noun: "value" };
}

/** Parses JSON or JSON Lines; undefined if the text is neither. */
export function parseJson(text: string): Value | undefined {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  if (isTooDeep(trimmed)) return undefined;
  const whole = tryParse(trimmed);
  if (whole !== undefined) return whole;
  const lines = trimmed.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length < 2 || !/^[[{]/.test(trimmed)) return undefined;
  const values: Value[] = [];
  for (const line of lines) {
    const value = tryParse(line);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function tryParse(text: string): Value | undefined {
  try {
    return JSON.parse(text, /\d{16}/.test(text) ? keepLongNumber : undefined) as Value;
  } catch {
    return undefined;
  }
}

/** Keeps a number that is too long for a double as written: parsing could lose the digits that changed. */
function keepLongNumber(_: string, value: Value, context?: { source?: string }): Value {
  return typeof value === "number" && !Number.isSafeInteger(value) ? (context?.source ?? value) : value;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 92) i++;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 125 || code === 93) depth--;
  }
  return false;
}

/** Prints one value per line. */
const print = (value: Value): string[] => printSorted(value, 2).split("\n");

import { decide, decidedBy } from "../../noise-rules/noise-rule.ts";
import { valueRules } from "../../noise-rules/value-rules.ts";
import type { Difference } from "../content-difference.ts";
import { matchItems } from "./match-items.ts";
import { isRecord, type Signatures, type Value } from "./signatures.ts";

export type Walk = {
  signatures: Signatures;
  found: Difference[];
  /** Number of values in differences that are not noise, counted on the larger side. */
  lost: number;
  /** In XML one child is parsed as a value and two as a list: both are then compared as lists. */
  isXml: boolean;
  /** Describes a value that was added or removed as a whole; undefined for the usual description. */
  tell: (value: Value, name: string) => string | undefined;
};

/** Walks two values together and collects where they differ. */
export function compareValues(walk: Walk, a: Value, b: Value, path: string, name: string): void {
  if (walk.signatures.of(a) === walk.signatures.of(b)) return;
  if (Array.isArray(a) && Array.isArray(b)) compareItems(walk, a, b, path, name);
  else if (walk.isXml && Array.isArray(a) !== Array.isArray(b)) {
    compareItems(walk, Array.isArray(a) ? a : [a], Array.isArray(b) ? b : [b], path, name);
  } else if (isRecord(a) && isRecord(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const childPath = path === "" ? key : `${path}.${key}`;
      if (!Object.hasOwn(b, key)) recordDifference(walk, childPath, key, a[key]!, undefined);
      else if (!Object.hasOwn(a, key)) recordDifference(walk, childPath, key, undefined, b[key]!);
      else compareValues(walk, a[key]!, b[key]!, childPath, key);
    }
  } else recordDifference(walk, path, name, a, b);
}

function compareItems(walk: Walk, a: Value[], b: Value[], path: string, name: string): void {
  const { pairs, removed, added, isReordered } = matchItems(a, b, walk.signatures);
  if (isReordered)
    walk.found.push({
      place: path,
      before: null,
      after: null,
      noise: decidedBy("order.values"),
      moved: true,
    });
  for (const { from, to, label } of pairs) compareValues(walk, from, to, `${path}[${label}]`, name);
  for (const { item, label } of removed) recordDifference(walk, `${path}[${label}]`, name, item, undefined);
  for (const { item, label } of added) recordDifference(walk, `${path}[${label}]`, name, undefined, item);
}

function recordDifference(
  walk: Walk,
  place: string,
  name: string,
  before: Value | undefined,
  after: Value | undefined,
): void {
  const isWhole = before === undefined || after === undefined;
  const noise = isWhole ? null : decide(valueRules, { name: wordsOf(name), before, after });
  const size = (value: Value | undefined): number => (value === undefined ? 0 : walk.signatures.size(value));
  if (noise === null) walk.lost += Math.max(size(before), size(after));
  const text = isWhole ? walk.tell((before ?? after)!, name) : undefined;
  const entry: Difference = { place, before: show(before, text), after: show(after, text), noise };
  if (text !== undefined) entry.isItem = true;
  if (isWhole && place.endsWith("]") && scopePath.test(place)) entry.isImportant = true;
  walk.found.push(entry);
}

/** The words of a value's name: "lastBuildDate" and "last_build_date" are "last build date". */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z\d]+/g, " ")
    .toLowerCase();

// Bug bounty hunters watch for what enters or leaves the scope of a program.
const scopePath = /(?:^|[._-])(?:in_?|out_?(?:of_?)?)?(?:scopes?|targets?)(?![a-z])/i;

function show(value: Value | undefined, text: string | undefined): string | null {
  if (value === undefined) return null;
  return text ?? (typeof value === "string" ? value : JSON.stringify(value));
}

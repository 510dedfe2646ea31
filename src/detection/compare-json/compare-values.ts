import type { Difference } from "../content-difference.ts";
import { matchItems } from "./match-items.ts";
import { isRecord, type Signatures, type Value } from "./signatures.ts";
import { valueNoise } from "./value-noise.ts";

export type Walk = {
  signatures: Signatures;
  found: Difference[];
  /** Values that are news, on the larger side. */
  lost: number;
  /** In XML one child is a value, two are a list: both are lists then. */
  isXml: boolean;
  /** How a value that came or went whole is told of; undefined for the usual way. */
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
      const place = path === "" ? key : `${path}.${key}`;
      if (!Object.hasOwn(b, key)) note(walk, place, key, a[key]!, undefined);
      else if (!Object.hasOwn(a, key)) note(walk, place, key, undefined, b[key]!);
      else compareValues(walk, a[key]!, b[key]!, place, key);
    }
  } else note(walk, path, name, a, b);
}

function compareItems(walk: Walk, a: Value[], b: Value[], path: string, name: string): void {
  const { pairs, removed, added, isReordered } = matchItems(a, b, walk.signatures);
  if (isReordered) walk.found.push({ place: path, before: null, after: null, noise: "order", moved: true });
  for (const { from, to, label } of pairs) compareValues(walk, from, to, `${path}[${label}]`, name);
  for (const { item, label } of removed) note(walk, `${path}[${label}]`, name, item, undefined);
  for (const { item, label } of added) note(walk, `${path}[${label}]`, name, undefined, item);
}

function note(
  walk: Walk,
  place: string,
  name: string,
  before: Value | undefined,
  after: Value | undefined,
): void {
  const isWhole = before === undefined || after === undefined;
  const noise = isWhole ? null : valueNoise(name, before, after);
  const size = (value: Value | undefined): number => (value === undefined ? 0 : walk.signatures.size(value));
  if (noise === null) walk.lost += Math.max(size(before), size(after));
  const told = isWhole ? walk.tell((before ?? after)!, name) : undefined;
  const found: Difference = { place, before: show(before, told), after: show(after, told), noise };
  if (told !== undefined) found.isItem = true;
  if (isWhole && place.endsWith("]") && scoped.test(place)) found.isImportant = true;
  walk.found.push(found);
}

// What comes into or leaves the scope of a bug-bounty programme is what its hunters watch for.
const scoped = /(?:^|[._-])(?:in_?|out_?(?:of_?)?)?(?:scopes?|targets?)(?![a-z])/i;

function show(value: Value | undefined, told: string | undefined): string | null {
  if (value === undefined) return null;
  return told ?? (typeof value === "string" ? value : JSON.stringify(value));
}

import type { Difference } from "../content-difference.ts";
import { matchItems } from "./match-items.ts";
import { isRecord, type Signatures, type Value } from "./signatures.ts";
import { valueNoise } from "./value-noise.ts";

const MAX_SHOWN = 300;

export type Walk = {
  signatures: Signatures;
  found: Difference[];
  /** Values that are news, on the larger side. */
  lost: number;
  /** In XML one child is a value, two are a list: both are lists then. */
  isXml: boolean;
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
      if (!Object.hasOwn(b, key)) note(walk, place, a[key]!, undefined);
      else if (!Object.hasOwn(a, key)) note(walk, place, undefined, b[key]!);
      else compareValues(walk, a[key]!, b[key]!, place, key);
    }
  } else note(walk, path, a, b, name);
}

function compareItems(walk: Walk, a: Value[], b: Value[], path: string, name: string): void {
  const { pairs, removed, added } = matchItems(a, b, walk.signatures);
  if (pairs.length === 0 && removed.length === 0 && added.length === 0) {
    walk.found.push({ place: path, before: null, after: null, noise: "order", moved: true });
  }
  for (const { from, to, label } of pairs) compareValues(walk, from, to, `${path}[${label}]`, name);
  for (const { item, label } of removed) note(walk, `${path}[${label}]`, item, undefined);
  for (const { item, label } of added) note(walk, `${path}[${label}]`, undefined, item);
}

function note(
  walk: Walk,
  place: string,
  before: Value | undefined,
  after: Value | undefined,
  name = "",
): void {
  const noise = before === undefined || after === undefined ? null : valueNoise(name, before, after);
  const size = (value: Value | undefined): number => (value === undefined ? 0 : walk.signatures.size(value));
  if (noise === null) walk.lost += Math.max(size(before), size(after));
  walk.found.push({ place, before: show(before), after: show(after), noise });
}

function show(value: Value | undefined): string | null {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

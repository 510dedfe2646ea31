import { isRecord, type Signatures, type Value } from "./signatures.ts";

type Item = { item: Value; index: number };
export type ItemMatch = {
  /** Items that are the same thing but differ; the label identifies them by a key or by their index. */
  pairs: { from: Value; to: Value; label: string }[];
  removed: { item: Value; label: string }[];
  added: { item: Value; label: string }[];
  /** Whether items that are equal on both sides are in another order. */
  isReordered: boolean;
};

const identifying =
  /^(?:_?id|@?id|uuid|guid|key|slug|handle|identifier|name|url|href|link|loc|path|email|code|sku|title|label|domain|host|target|.*[_-]id|.*Id|.*[_-]identifier|.*Identifier|.*[_-](?:name|url|key|slug))$/;
// Comparing all remaining items with each other is only affordable for a few.
const MAX_SIMILAR = 40;
const MIN_SIMILARITY = 0.5;

/** Finds which items of two lists are the same thing: equal ones first, then by key, by similarity, by index. */
export function matchItems(a: Value[], b: Value[], signatures: Signatures): ItemMatch {
  const match: ItemMatch = { pairs: [], removed: [], added: [], isReordered: false };
  const key = identityKey(a, b);
  const labelOf = ({ item, index }: Item): string => label(item, key) ?? `${index}`;
  let [left, right] = [withoutEqual(a, b, signatures), withoutEqual(b, a, signatures)];
  match.isReordered = isReordered(withoutDropped(a, left), withoutDropped(b, right), signatures);
  const pair = (one: Item, other: Item): void => {
    match.pairs.push({ from: one.item, to: other.item, label: labelOf(other) });
  };
  if (key !== undefined) [left, right] = pairUp(left, right, pair, (item) => labelOf(item));
  if (left.length > 0 && right.length > 0 && left.length <= MAX_SIMILAR && right.length <= MAX_SIMILAR) {
    [left, right] = pairAlike(left, right, pair, signatures);
  }
  // Without a key, another value at the same index is an edit, not a removal and an addition.
  if (key === undefined && a.length === b.length)
    [left, right] = pairUp(left, right, pair, ({ index }) => `${index}`);
  const name = ({ item, index }: Item): string => label(item, key ?? identifyingKeys(item)[0]) ?? `${index}`;
  match.removed = left.map((one) => ({ item: one.item, label: name(one) }));
  match.added = right.map((one) => ({ item: one.item, label: name(one) }));
  return match;
}

/** The items that the other list doesn't have, counting how often each occurs. */
function withoutEqual(items: Value[], others: Value[], signatures: Signatures): Item[] {
  const left = new Map<number, number>();
  const count = (id: number, by: number) => left.set(id, (left.get(id) ?? 0) + by);
  for (const other of others) count(signatures.of(other), 1);
  return items.flatMap((item, index) => {
    const id = signatures.of(item);
    if ((left.get(id) ?? 0) === 0) return [{ item, index }];
    count(id, -1);
    return [];
  });
}

function withoutDropped(items: Value[], dropped: Item[]): Value[] {
  const droppedIndexes = new Set(dropped.map(({ index }) => index));
  return items.filter((_, index) => !droppedIndexes.has(index));
}

function isReordered(a: Value[], b: Value[], signatures: Signatures): boolean {
  return a.some((item, at) => signatures.of(item) !== signatures.of(b[at]!));
}

/** The key under which every item of both lists has a distinct value. */
function identityKey(a: Value[], b: Value[]): string | undefined {
  const first = a.find(isRecord) ?? b.find(isRecord);
  if (!first || !a.every(isRecord) || !b.every(isRecord)) return undefined;
  return identifyingKeys(first).find((key) => isDistinct(a, key) && isDistinct(b, key));
}

function identifyingKeys(item: Value): string[] {
  if (!isRecord(item)) return [];
  return Object.keys(item)
    .filter((key) => identifying.test(key))
    .sort((p, q) => rank(p) - rank(q));
}

function label(item: Value, key: string | undefined): string | undefined {
  const value = key !== undefined && isRecord(item) && Object.hasOwn(item, key) ? item[key] : null;
  return value === null || typeof value === "object" ? undefined : `${key}=${String(value).slice(0, 80)}`;
}

function rank(key: string): number {
  return /^(?:_?id|@?id|uuid|guid)$/.test(key) ? 0 : /id$|identifier$|key$|slug$|handle$/i.test(key) ? 1 : 2;
}

function isDistinct(items: Value[], key: string): boolean {
  const seen = new Set<Value>();
  for (const item of items) {
    const value = isRecord(item) ? item[key] : undefined;
    if (value === undefined || value === null || typeof value === "object" || seen.has(value)) return false;
    seen.add(value);
  }
  return true;
}

function pairUp(
  left: Item[],
  right: Item[],
  pair: (one: Item, other: Item) => void,
  nameOf: (item: Item) => string,
): [Item[], Item[]] {
  const byName = new Map(right.map((item) => [nameOf(item), item]));
  const unpairedLeft = left.filter((one) => {
    const other = byName.get(nameOf(one));
    if (!other) return true;
    byName.delete(nameOf(one));
    pair(one, other);
    return false;
  });
  const unpaired = new Set(byName.values());
  return [unpairedLeft, right.filter((item) => unpaired.has(item))];
}

/** Pairs records that share most of their fields, the most similar first. */
function pairAlike(
  left: Item[],
  right: Item[],
  pair: (one: Item, other: Item) => void,
  signatures: Signatures,
): [Item[], Item[]] {
  const candidates: { one: Item; other: Item; score: number }[] = [];
  for (const one of left) {
    for (const other of right) {
      const score = similarityOf(one.item, other.item, signatures);
      if (score > MIN_SIMILARITY) candidates.push({ one, other, score });
    }
  }
  candidates.sort(
    (p, q) =>
      q.score - p.score || Math.abs(p.one.index - p.other.index) - Math.abs(q.one.index - q.other.index),
  );
  const used = new Set<Item>();
  for (const { one, other } of candidates) {
    if (used.has(one) || used.has(other)) continue;
    used.add(one);
    used.add(other);
    pair(one, other);
  }
  return [left.filter((item) => !used.has(item)), right.filter((item) => !used.has(item))];
}

/** The share of fields that two records have in common; an identifying field counts as much as all fields together. */
function similarityOf(a: Value, b: Value, signatures: Signatures): number {
  if (!isRecord(a) || !isRecord(b)) return 0;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  let equal = 0;
  let total = 0;
  for (const key of keys) {
    const weight = identifying.test(key) ? keys.size : 1;
    total += weight;
    if (Object.hasOwn(a, key) && Object.hasOwn(b, key) && signatures.of(a[key]!) === signatures.of(b[key]!))
      equal += weight;
  }
  return total === 0 ? 0 : equal / total;
}

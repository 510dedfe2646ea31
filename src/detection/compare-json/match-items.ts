import { isRecord, type Signatures, type Value } from "./signatures.ts";

type Item = { item: Value; index: number };
export type ItemMatch = {
  /** Items that are the same thing and differ; the label says which, by a key or by its place. */
  pairs: { from: Value; to: Value; label: string }[];
  removed: { item: Value; label: string }[];
  added: { item: Value; label: string }[];
  /** Whether items that are the same on both sides stand in another order. */
  isReordered: boolean;
};

const identifying =
  /^(?:_?id|@?id|uuid|guid|key|slug|handle|identifier|name|url|href|link|loc|path|email|code|sku|title|label|domain|host|target|.*[_-]id|.*Id|.*[_-]identifier|.*Identifier|.*[_-](?:name|url|key|slug))$/;
// Comparing everything left with everything else is only affordable for a few.
const MAX_SIMILAR = 40;
const MIN_ALIKE = 0.5;

/** Tells which items of two lists are the same thing: equal ones first, then by key, by likeness, by place. */
export function matchItems(a: Value[], b: Value[], signatures: Signatures): ItemMatch {
  const match: ItemMatch = { pairs: [], removed: [], added: [], isReordered: false };
  const key = identityKey(a, b);
  const labelOf = ({ item, index }: Item): string => label(item, key) ?? `${index}`;
  let [left, right] = dropEqual(a, b, signatures);
  match.isReordered = isReordered(without(a, left), without(b, right), signatures);
  const pair = (one: Item, other: Item): void => {
    match.pairs.push({ from: one.item, to: other.item, label: labelOf(other) });
  };
  if (key !== undefined) [left, right] = pairUp(left, right, pair, (item) => labelOf(item));
  if (left.length > 0 && right.length > 0 && left.length <= MAX_SIMILAR && right.length <= MAX_SIMILAR) {
    [left, right] = pairAlike(left, right, pair, signatures);
  }
  // Without a key an item at the same place that changed its value is an edit, not a removal and an addition.
  if (key === undefined && a.length === b.length)
    [left, right] = pairUp(left, right, pair, ({ index }) => `${index}`);
  const name = ({ item, index }: Item): string => label(item, key ?? identifyingKeys(item)[0]) ?? `${index}`;
  match.removed = left.map((one) => ({ item: one.item, label: name(one) }));
  match.added = right.map((one) => ({ item: one.item, label: name(one) }));
  return match;
}

function dropEqual(a: Value[], b: Value[], signatures: Signatures): [Item[], Item[]] {
  const waiting = new Map<number, number>();
  for (const item of b) {
    const id = signatures.of(item);
    waiting.set(id, (waiting.get(id) ?? 0) + 1);
  }
  const take = (items: Value[], stock: Map<number, number>): Item[] =>
    items.flatMap((item, index) => {
      const id = signatures.of(item);
      const left = stock.get(id) ?? 0;
      if (left === 0) return [{ item, index }];
      stock.set(id, left - 1);
      return [];
    });
  const stock = new Map(waiting);
  const left = take(a, stock);
  for (const [id, count] of stock) waiting.set(id, (waiting.get(id) ?? 0) - count);
  return [left, take(b, waiting)];
}

function without(items: Value[], dropped: Item[]): Value[] {
  const gone = new Set(dropped.map(({ index }) => index));
  return items.filter((_, index) => !gone.has(index));
}

function isReordered(a: Value[], b: Value[], signatures: Signatures): boolean {
  return a.some((item, at) => signatures.of(item) !== signatures.of(b[at]!));
}

/** The name under which every item of both lists holds a value of its own. */
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
  const own = key !== undefined && isRecord(item) && Object.hasOwn(item, key) ? item[key] : null;
  return own === null || typeof own === "object" ? undefined : `${key}=${String(own).slice(0, 80)}`;
}

function rank(key: string): number {
  return /^(?:_?id|@?id|uuid|guid)$/.test(key) ? 0 : /id$|identifier$|key$|slug$|handle$/i.test(key) ? 1 : 2;
}

function isDistinct(items: Value[], key: string): boolean {
  const seen = new Set<Value>();
  for (const item of items) {
    const own = isRecord(item) ? item[key] : undefined;
    if (own === undefined || own === null || typeof own === "object" || seen.has(own)) return false;
    seen.add(own);
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
  const restLeft = left.filter((one) => {
    const other = byName.get(nameOf(one));
    if (!other) return true;
    byName.delete(nameOf(one));
    pair(one, other);
    return false;
  });
  const unpaired = new Set(byName.values());
  return [restLeft, right.filter((item) => unpaired.has(item))];
}

/** Pairs records that share most of their fields, the most alike first. */
function pairAlike(
  left: Item[],
  right: Item[],
  pair: (one: Item, other: Item) => void,
  signatures: Signatures,
): [Item[], Item[]] {
  const candidates: { one: Item; other: Item; alike: number }[] = [];
  for (const one of left) {
    for (const other of right) {
      const alike = likeness(one.item, other.item, signatures);
      if (alike > MIN_ALIKE) candidates.push({ one, other, alike });
    }
  }
  candidates.sort(
    (p, q) =>
      q.alike - p.alike || Math.abs(p.one.index - p.other.index) - Math.abs(q.one.index - q.other.index),
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

/** The share of fields two records have in common; what identifies them counts as much as all the rest. */
function likeness(a: Value, b: Value, signatures: Signatures): number {
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

/** How often each text occurs. */
export function countEach(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** The items that others lack, one for one: if three have a key that two of the others have, the last is left. */
export function subtract<Item>(items: Item[], others: Item[], keyOf: (item: Item) => string): Item[] {
  const counts = countEach(others.map(keyOf));
  return items.filter((item) => {
    const available = counts.get(keyOf(item)) ?? 0;
    counts.set(keyOf(item), available - 1);
    return available <= 0;
  });
}

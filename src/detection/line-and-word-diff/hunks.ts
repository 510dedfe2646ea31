/** A section where two sequences differ: `oldCount` items at `oldStart` became `newCount` items at `newStart`. */
export type LineHunk = { oldStart: number; oldCount: number; newStart: number; newCount: number };

/** The items that a pure insertion or removal adds or removes; undefined for other hunks. */
export function gapOf<Items>({ oldStart, oldCount, newStart, newCount }: LineHunk, a: Items, b: Items) {
  if ((oldCount === 0) === (newCount === 0)) return undefined;
  return oldCount === 0
    ? { items: b, start: newStart, count: newCount }
    : { items: a, start: oldStart, count: oldCount };
}

/** The items of both sides in a hunk. */
export const itemsIn = <Item>(
  { oldStart, oldCount, newStart, newCount }: LineHunk,
  a: readonly Item[],
  b: readonly Item[],
): [Item[], Item[]] => [a.slice(oldStart, oldStart + oldCount), b.slice(newStart, newStart + newCount)];

/** How many items two sequences have in common at their start and, without those, at their end. */
export function commonEnds(
  oldLength: number,
  newLength: number,
  isSame: (oldIndex: number, newIndex: number) => boolean,
): [start: number, end: number] {
  const shorter = Math.min(oldLength, newLength);
  let start = 0;
  while (start < shorter && isSame(start, start)) start++;
  let end = 0;
  while (end < shorter - start && isSame(oldLength - 1 - end, newLength - 1 - end)) end++;
  return [start, end];
}

import { commonEnds, type LineHunk } from "./hunks.ts";

// Steps of the inner loops that one alignment may take, about 40 ms of work; hunks in the remainder are coarse.
const BUDGET = 3_000_000;
// Edits searched for before a section is cut at the furthest point reached; this keeps the total time linear.
const MAX_EDITS = 256;
const MIN_EDITS = 32;
const FAR = 0x7fffffff;

/**
 * Aligns two sequences of interned items (ids below `idCount`) and returns the sections that differ, in order.
 * Items on one side only are dropped, items that are unique on both sides are anchors, a capped Myers search fills the
 * gaps. Memory and time are linear; a pair that is too different for the budget gets fewer, larger hunks.
 */
export function alignIds(a: Uint32Array, b: Uint32Array, idCount: number, budget = BUDGET): LineHunk[] {
  const [start, same] = commonEnds(a.length, b.length, (x, y) => a[x] === b[y]);
  const [oldEnd, newEnd] = [a.length - same, b.length - same];
  if (start === oldEnd && start === newEnd) return [];
  const whole = { oldStart: start, oldCount: oldEnd - start, newStart: start, newCount: newEnd - start };
  if (start === oldEnd || start === newEnd) return [whole];

  const counts = countSides(a, b, start, oldEnd, newEnd, idCount);
  const oldShared = keepShared(a, start, oldEnd, counts.inNew);
  const newShared = keepShared(b, start, newEnd, counts.inOld);
  if (oldShared.length === 0 || newShared.length === 0) return [whole];

  const matcher = new Matcher(pickItems(a, oldShared), pickItems(b, newShared), budget);
  const anchors = uniqueAnchors(matcher.a, matcher.b, counts, idCount);
  let x = 0;
  let y = 0;
  for (const [anchorX, anchorY] of anchors) {
    matcher.match(x, anchorX, y, anchorY);
    matcher.pair[anchorX] = anchorY;
    x = anchorX + 1;
    y = anchorY + 1;
  }
  matcher.match(x, oldShared.length, y, newShared.length);
  return toHunks(matcher.pair, oldShared, newShared, start, oldEnd, newEnd);
}

/** The same for items of any kind. */
export function alignItems<Item>(a: Iterable<Item>, b: Iterable<Item>): LineHunk[] {
  const ids = new Map<Item, number>();
  const toIds = (items: Iterable<Item>) =>
    Uint32Array.from(items, (item) => {
      const id = ids.get(item) ?? ids.size;
      ids.set(item, id);
      return id;
    });
  const [old, now] = [toIds(a), toIds(b)];
  return alignIds(old, now, ids.size);
}

type Counts = { inOld: Uint32Array; inNew: Uint32Array };

function countSides(
  a: Uint32Array,
  b: Uint32Array,
  start: number,
  oldEnd: number,
  newEnd: number,
  idCount: number,
): Counts {
  const inOld = new Uint32Array(idCount);
  const inNew = new Uint32Array(idCount);
  for (let i = start; i < oldEnd; i++) inOld[a[i]!]!++;
  for (let i = start; i < newEnd; i++) inNew[b[i]!]!++;
  return { inOld, inNew };
}

function keepShared(ids: Uint32Array, start: number, end: number, other: Uint32Array): Uint32Array {
  const shared = new Uint32Array(end - start);
  let length = 0;
  for (let i = start; i < end; i++) if (other[ids[i]!]! > 0) shared[length++] = i;
  return shared.subarray(0, length);
}

function pickItems(ids: Uint32Array, indexes: Uint32Array): Uint32Array {
  const picked = new Uint32Array(indexes.length);
  for (let i = 0; i < indexes.length; i++) picked[i] = ids[indexes[i]!]!;
  return picked;
}

/** The longest chain of items that occur once on each side and are in the same order (patience diff). */
function uniqueAnchors(a: Uint32Array, b: Uint32Array, counts: Counts, idCount: number): [number, number][] {
  const positions = new Int32Array(idCount).fill(-1);
  for (let j = 0; j < b.length; j++) {
    const id = b[j]!;
    if (counts.inOld[id] === 1 && counts.inNew[id] === 1) positions[id] = j;
  }
  const xs = new Uint32Array(a.length);
  const ys = new Uint32Array(a.length);
  let found = 0;
  for (let i = 0; i < a.length; i++) {
    const j = positions[a[i]!]!;
    if (j < 0) continue;
    xs[found] = i;
    ys[found++] = j;
  }
  // Longest increasing subsequence of ys; tails[k] ends the best chain of length k + 1.
  const tails = new Uint32Array(found);
  const previous = new Int32Array(found);
  let length = 0;
  for (let i = 0; i < found; i++) {
    let low = length > 0 && ys[tails[length - 1]!]! < ys[i]! ? length : 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ys[tails[middle]!]! < ys[i]!) low = middle + 1;
      else high = middle;
    }
    previous[i] = low === 0 ? -1 : tails[low - 1]!;
    tails[low] = i;
    if (low === length) length++;
  }
  const chain: [number, number][] = [];
  for (let i = length === 0 ? -1 : tails[length - 1]!; i >= 0; i = previous[i]!) chain.push([xs[i]!, ys[i]!]);
  return chain.reverse();
}

class Matcher {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  /** For each item of `a` the index of the matching item of `b`, or -1. */
  readonly pair: Int32Array;
  #budget: number;
  readonly #cap: number;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;

  constructor(a: Uint32Array, b: Uint32Array, budget: number) {
    this.#budget = budget;
    this.a = a;
    this.b = b;
    this.pair = new Int32Array(a.length).fill(-1);
    const affordable = Math.floor(budget / (a.length + b.length + 1) / 2);
    this.#cap = Math.min(Math.max(MIN_EDITS, Math.min(MAX_EDITS, affordable)), a.length + b.length);
    this.#forward = new Int32Array(2 * this.#cap + 5);
    this.#backward = new Int32Array(2 * this.#cap + 5);
  }

  /** Pairs equal items of a[fromX, toX) and b[fromY, toY) in order. */
  match(fromX: number, toX: number, fromY: number, toY: number): void {
    const { a, b, pair } = this;
    const stack = [fromX, toX, fromY, toY];
    while (stack.length > 0) {
      let y1 = stack.pop()!;
      let y0 = stack.pop()!;
      let x1 = stack.pop()!;
      let x0 = stack.pop()!;
      while (x0 < x1 && y0 < y1 && a[x0] === b[y0]) pair[x0++] = y0++;
      while (x0 < x1 && y0 < y1 && a[x1 - 1] === b[y1 - 1]) pair[--x1] = --y1;
      if (x0 === x1 || y0 === y1 || this.#budget <= 0) continue;
      if (x1 - x0 === 1 || y1 - y0 === 1) {
        this.#matchSingle(x0, x1, y0, y1);
        continue;
      }
      const [x, y] = this.#split(x0, x1, y0, y1);
      if ((x === x0 && y === y0) || (x === x1 && y === y1)) continue;
      stack.push(x0, x, y0, y, x, x1, y, y1);
    }
  }

  #matchSingle(x0: number, x1: number, y0: number, y1: number): void {
    this.#budget -= x1 - x0 + y1 - y0;
    if (x1 - x0 === 1) {
      const y = this.b.indexOf(this.a[x0]!, y0);
      if (y >= 0 && y < y1) this.pair[x0] = y;
    } else {
      const x = this.a.indexOf(this.b[y0]!, x0);
      if (x >= 0 && x < x1) this.pair[x] = y0;
    }
  }

  /** A point that a shortest edit path passes; beyond the cap, the furthest point reached from either end. */
  #split(x0: number, x1: number, y0: number, y1: number): [number, number] {
    const { a, b } = this;
    const forward = this.#forward;
    const backward = this.#backward;
    const n = x1 - x0;
    const m = y1 - y0;
    const shift = n - m;
    const odd = (shift & 1) !== 0;
    // Diagonals are x - y; forward ones are stored around 0, backward ones around `shift`.
    const f = this.#cap + 2;
    const r = f - shift;
    let fMin = 0;
    let fMax = 0;
    let rMin = shift;
    let rMax = shift;
    forward[f] = 0;
    backward[r + shift] = n;
    let steps = 0;
    for (let edits = 1; edits <= this.#cap; edits++) {
      if (fMin > -m) forward[f + --fMin - 1] = -1;
      else fMin++;
      if (fMax < n) forward[f + ++fMax + 1] = -1;
      else fMax--;
      for (let k = fMax; k >= fMin; k -= 2) {
        let x = Math.max(forward[f + k - 1]! + 1, forward[f + k + 1]!);
        const from = x;
        while (x < n && x - k < m && a[x0 + x] === b[y0 + x - k]) x++;
        steps += x - from + 1;
        forward[f + k] = x;
        if (odd && k >= rMin && k <= rMax && backward[r + k]! <= x) {
          this.#budget -= steps;
          return [x0 + x, y0 + x - k];
        }
      }
      if (rMin > -m) backward[r + --rMin - 1] = FAR;
      else rMin++;
      if (rMax < n) backward[r + ++rMax + 1] = FAR;
      else rMax--;
      for (let k = rMax; k >= rMin; k -= 2) {
        let x = Math.min(backward[r + k - 1]!, backward[r + k + 1]! - 1);
        const from = x;
        while (x > 0 && x - k > 0 && a[x0 + x - 1] === b[y0 + x - k - 1]) x--;
        steps += from - x + 1;
        backward[r + k] = x;
        if (!odd && k >= fMin && k <= fMax && forward[f + k]! >= x) {
          this.#budget -= steps;
          return [x0 + x, y0 + x - k];
        }
      }
    }
    this.#budget -= steps;
    let best = -1;
    let point: [number, number] = [x0, y0];
    for (let k = fMax; k >= fMin; k -= 2) {
      const x = Math.min(forward[f + k]!, n, m + k);
      if (x + x - k > best) {
        best = x + x - k;
        point = [x0 + x, y0 + x - k];
      }
    }
    for (let k = rMax; k >= rMin; k -= 2) {
      const x = Math.max(backward[r + k]!, 0, k);
      if (n + m - (x + x - k) > best) {
        best = n + m - (x + x - k);
        point = [x0 + x, y0 + x - k];
      }
    }
    return point;
  }
}

function toHunks(
  pair: Int32Array,
  oldShared: Uint32Array,
  newShared: Uint32Array,
  start: number,
  oldEnd: number,
  newEnd: number,
): LineHunk[] {
  const hunks: LineHunk[] = [];
  let x = start;
  let y = start;
  for (let i = 0; i <= pair.length; i++) {
    if (i < pair.length && pair[i]! < 0) continue;
    const nextX = i < pair.length ? oldShared[i]! : oldEnd;
    const nextY = i < pair.length ? newShared[pair[i]!]! : newEnd;
    if (nextX > x || nextY > y) {
      hunks.push({ oldStart: x, oldCount: nextX - x, newStart: y, newCount: nextY - y });
    }
    x = nextX + 1;
    y = nextY + 1;
  }
  return hunks;
}

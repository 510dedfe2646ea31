import { alignIds, alignItems } from "../../line-and-word-diff/align-ids.ts";
import { commonEnds, gapOf, type LineHunk } from "../../line-and-word-diff/hunks.ts";
import { BANDS } from "../picture.ts";
import { findMoves } from "./find-moves.ts";

/**
 * How rows that differ correspond: as many on both sides are paired or moved; those on one side only were added or
 * removed. Rows in no piece are the same on both sides.
 */
export type Piece = LineHunk & { isMoved: boolean };

// A row that occurs more often than this in one picture is blank, a rule or a border: it proves nothing about position.
const COMMON = 4;
// Hunks with this few plain rows between them are joined: blank rows between two lines of changed text align by chance.
const PLAIN_RUN = 8;
const PLAIN_RUN_EVEN = 64;
const PAIR_GAP = 16;

/** Aligns two pictures by their rows' hashes; `rowsNear` says whether two rows differ at most by dithering. */
export function alignRows(
  a: Uint32Array,
  b: Uint32Array,
  rowsNear: (oldY: number, newY: number) => boolean,
): Piece[] {
  const simple = tryOneGap(a.length / BANDS, b.length / BANDS, rowsNear);
  if (simple) return simple;
  const rows = internRows(a, b);
  const plain = findPlain(rows.a, rows.b, rows.count);
  const gaps = joinGaps(slideDown(alignIds(rows.a, rows.b, rows.count), rows.a, rows.b), rows.a, rows.b);
  const hunks = joinAcrossPlain(gaps, rows.a, plain);
  const { moves, rest } = findMoves(hunks, rows.a, rows.b, plain);
  const pieces = rest.flatMap((hunk) => pairUp(hunk, a, b, rowsNear));
  return [
    ...moves.map((move): Piece => ({ ...move, isMoved: true })),
    ...joinPairs(pieces).map((piece): Piece => ({ ...piece, isMoved: false })),
  ];
}

/** Tries the simplest explanation first: rows were only inserted or removed at one position. */
function tryOneGap(
  oldHeight: number,
  newHeight: number,
  rowsNear: (oldY: number, newY: number) => boolean,
): Piece[] | undefined {
  const [top, bottom] = commonEnds(oldHeight, newHeight, rowsNear);
  return top + bottom < Math.min(oldHeight, newHeight) ? undefined : gapAt(top, oldHeight, newHeight);
}

/** The rows that only the taller of two pictures has, which begin at this row. */
export function gapAt(top: number, oldHeight: number, newHeight: number): Piece[] {
  const shorter = Math.min(oldHeight, newHeight);
  const [oldCount, newCount] = [oldHeight - shorter, newHeight - shorter];
  return oldCount + newCount === 0
    ? []
    : [{ oldStart: top, oldCount, newStart: top, newCount, isMoved: false }];
}

/** Moves each pure gap as far down as equal rows allow, so that a moved block has the same edges in both positions. */
function slideDown(hunks: LineHunk[], a: Uint32Array, b: Uint32Array): LineHunk[] {
  hunks.forEach((hunk, i) => {
    const gap = gapOf(hunk, a, b);
    if (!gap) return;
    const { items: rows, start, count } = gap;
    const next = hunks[i + 1];
    const room = (next ? next.oldStart - 1 : a.length) - hunk.oldStart - hunk.oldCount;
    let slid = 0;
    while (slid < room && rows[start + slid] === rows[start + count + slid]) slid++;
    hunk.oldStart += slid;
    hunk.newStart += slid;
  });
  return hunks;
}

/** Joins two pure gaps of one kind if equal rows let the second slide up to the first: one line changed, not two. */
function joinGaps(hunks: LineHunk[], a: Uint32Array, b: Uint32Array): LineHunk[] {
  const joined: LineHunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    const [lastGap, gap] = [last && gapOf(last, a, b), gapOf(hunk, a, b)];
    if (last && lastGap && gap && lastGap.items === gap.items) {
      const { items: rows, start, count } = gap;
      const floor = lastGap.start + lastGap.count;
      let at = start;
      while (at > floor && rows[at - 1] === rows[at - 1 + count]) at--;
      if (at === floor) {
        last.oldCount += hunk.oldCount;
        last.newCount += hunk.newCount;
        continue;
      }
    }
    joined.push(hunk);
  }
  return joined;
}

function internRows(a: Uint32Array, b: Uint32Array): { a: Uint32Array; b: Uint32Array; count: number } {
  const ids = new Map<number, number>();
  // The first row of each id, and how far below its match on the other side the current row is.
  const firstRows: number[] = [];
  let shift = 0;
  const internSide = (hashes: Uint32Array, known?: Uint32Array): Uint32Array => {
    const rowIds = new Uint32Array(hashes.length / BANDS);
    for (let row = 0; row < rowIds.length; row++) {
      // Most rows equal the row above, or follow a row that was matched: looking them up in the map is expensive.
      if (row > 0 && isSame(hashes, row, hashes, row - 1)) {
        rowIds[row] = rowIds[row - 1]!;
        continue;
      }
      const knownId = known?.[row - shift];
      if (knownId !== undefined && isSame(hashes, row, a, row - shift)) {
        rowIds[row] = knownId;
        continue;
      }
      let high = 0;
      let low = 0;
      for (let band = 0; band < BANDS; band++) {
        high = Math.imul(high ^ hashes[row * BANDS + band]!, 0x85ebca6b) ^ (high >>> 13);
        low = Math.imul(low, 0x01000193) + hashes[row * BANDS + band]!;
      }
      const key = (high >>> 11) * 2 ** 32 + (low >>> 0);
      let id = ids.get(key);
      if (id === undefined) {
        id = ids.size;
        ids.set(key, id);
        firstRows.push(row);
      } else if (known) shift = row - (firstRows[id] ?? row);
      rowIds[row] = id;
    }
    return rowIds;
  };
  const old = internSide(a);
  return { a: old, b: internSide(b, old), count: ids.size };
}

function isSame(one: Uint32Array, row: number, other: Uint32Array, otherRow: number): boolean {
  const p = row * BANDS;
  const q = otherRow * BANDS;
  for (let band = 0; band < BANDS; band++) if (one[p + band] !== other[q + band]) return false;
  return true;
}

function findPlain(a: Uint32Array, b: Uint32Array, idCount: number): Uint8Array {
  const inA = new Uint32Array(idCount);
  const inB = new Uint32Array(idCount);
  for (const id of a) inA[id]!++;
  for (const id of b) inB[id]!++;
  const plain = new Uint8Array(idCount);
  for (let id = 0; id < idCount; id++) if (inA[id]! > COMMON || inB[id]! > COMMON) plain[id] = 1;
  return plain;
}

function joinAcrossPlain(hunks: LineHunk[], a: Uint32Array, plain: Uint8Array): LineHunk[] {
  const joined: LineHunk[] = [];
  for (let i = 0; i < hunks.length; ) {
    // The end of the chain of hunks from here that are separated only by plain rows.
    let until = i + 1;
    while (until < hunks.length && plainRun(hunks[until - 1]!, hunks[until]!, a, plain) <= PLAIN_RUN_EVEN)
      until++;
    const whole = span(hunks[i]!, hunks[until - 1]!);
    if (whole.oldCount === whole.newCount) joined.push(whole);
    else {
      let first = i;
      for (let at = i + 1; at <= until; at++) {
        if (at < until && plainRun(hunks[at - 1]!, hunks[at]!, a, plain) < PLAIN_RUN) continue;
        joined.push(span(hunks[first]!, hunks[at - 1]!));
        first = at;
      }
    }
    i = until;
  }
  return joined;
}

/** Number of rows between two hunks, or Infinity if one of the rows is not plain. */
function plainRun(first: LineHunk, second: LineHunk, a: Uint32Array, plain: Uint8Array): number {
  const from = first.oldStart + first.oldCount;
  if (second.oldStart - from > PLAIN_RUN_EVEN) return Infinity;
  for (let row = from; row < second.oldStart; row++) if (plain[a[row]!] === 0) return Infinity;
  return second.oldStart - from;
}

function span(first: LineHunk, last: LineHunk): LineHunk {
  return {
    oldStart: first.oldStart,
    oldCount: last.oldStart + last.oldCount - first.oldStart,
    newStart: first.newStart,
    newCount: last.newStart + last.newCount - first.newStart,
  };
}

/** Decides which rows of a hunk to pair: by the end that fits, or by a band of columns that stayed the same. */
function pairUp(
  hunk: LineHunk,
  a: Uint32Array,
  b: Uint32Array,
  rowsNear: (oldY: number, newY: number) => boolean,
): LineHunk[] {
  let { oldStart: x, oldCount: n, newStart: y, newCount: m } = hunk;
  while (n > 0 && m > 0 && rowsNear(x, y)) {
    x++;
    y++;
    n--;
    m--;
  }
  while (n > 0 && m > 0 && rowsNear(x + n - 1, y + m - 1)) {
    n--;
    m--;
  }
  const count = Math.min(n, m);
  const top = [{ oldStart: x, newStart: y, count }];
  const bottom = [{ oldStart: x + n - count, newStart: y + m - count, count }];
  let best = score(top, a, b) >= score(bottom, a, b) ? top : bottom;
  if (count >= 16) {
    for (let band = 0; band < BANDS; band++) {
      const runs = alignBand(band, { oldStart: x, oldCount: n, newStart: y, newCount: m }, a, b);
      if (score(runs, a, b) > score(best, a, b)) best = runs;
    }
  }
  const pieces: LineHunk[] = [];
  let [oldStart, newStart] = [x, y];
  const add = (oldCount: number, newCount: number) => {
    if (oldCount + newCount > 0) pieces.push({ oldStart, oldCount, newStart, newCount });
    oldStart += oldCount;
    newStart += newCount;
  };
  for (const run of [...best, { oldStart: x + n, newStart: y + m, count: 0 }]) {
    const paired = Math.min(run.oldStart - oldStart, run.newStart - newStart);
    add(paired, paired);
    add(run.oldStart - oldStart, run.newStart - newStart);
    add(run.count, run.count);
  }
  return pieces;
}

type Run = { oldStart: number; newStart: number; count: number };

/** Number of bands in the paired rows whose hashes are equal. */
function score(runs: Run[], a: Uint32Array, b: Uint32Array): number {
  let equal = 0;
  for (const { oldStart, newStart, count } of runs) {
    for (let i = 0; i < count * BANDS; i++) {
      if (a[oldStart * BANDS + i] === b[newStart * BANDS + i]) equal++;
    }
  }
  return equal;
}

function alignBand(band: number, hunk: LineHunk, a: Uint32Array, b: Uint32Array): Run[] {
  const hashesOf = (hashes: Uint32Array, start: number, count: number): Uint32Array =>
    Uint32Array.from({ length: count }, (_, i) => hashes[(start + i) * BANDS + band]!);
  const old = hashesOf(a, hunk.oldStart, hunk.oldCount);
  const now = hashesOf(b, hunk.newStart, hunk.newCount);
  const runs: Run[] = [];
  let x = 0;
  let y = 0;
  const end = { oldStart: hunk.oldCount, oldCount: 0, newStart: hunk.newCount, newCount: 0 };
  for (const gap of [...alignItems(old, now), end]) {
    const count = gap.oldStart - x;
    if (count > 0) runs.push({ oldStart: hunk.oldStart + x, newStart: hunk.newStart + y, count });
    x = gap.oldStart + gap.oldCount;
    y = gap.newStart + gap.newCount;
  }
  return runs;
}

/** Joins pairs that are no further apart than two lines of one text and have equally many rows between them. */
function joinPairs(pieces: LineHunk[]): LineHunk[] {
  const joined: LineHunk[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const whole = last && isPaired(last) && isPaired(piece) ? span(last, piece) : undefined;
    if (last && whole && isPaired(whole) && whole.oldCount - last.oldCount - piece.oldCount <= PAIR_GAP)
      joined[joined.length - 1] = whole;
    else joined.push(piece);
  }
  return joined;
}

export const isPaired = ({ oldCount, newCount }: LineHunk) => oldCount === newCount;

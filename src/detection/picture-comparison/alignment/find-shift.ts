import { type Picture, sameWords } from "../picture.ts";

// Node compares bytes natively, several times as fast as a loop; a browser has no such function.
const native = (globalThis as { Buffer?: { compare(a: Uint8Array, b: Uint8Array): number } }).Buffer;
const BATCH = 32;
// Reading one word in this many distinguishes rows well enough for a guess; every row is compared in full afterwards.
const SAMPLE_STEP = 13;

/** How far most rows of [top, oldEnd) moved down (positive) or up (negative); 0 if no shift stands out. */
export function findShift(a: Picture, b: Picture, top: number, oldEnd: number, newEnd: number): number {
  const old = rowsByHash(a, top, oldEnd);
  const votes = new Map<number, number>();
  for (const [hash, newRow] of rowsByHash(b, top, newEnd)) {
    const oldRow = old.get(hash);
    if (newRow < 0 || oldRow === undefined || oldRow < 0) continue;
    votes.set(newRow - oldRow, (votes.get(newRow - oldRow) ?? 0) + 1);
  }
  let best = 0;
  for (const [shift, count] of votes) {
    const most = votes.get(best) ?? 0;
    if (count > most || (count === most && Math.abs(shift) < Math.abs(best))) best = shift;
  }
  return best;
}

/** The row for each hash of a row's content; -1 for hashes that several rows share. */
function rowsByHash({ words, wordsPerRow }: Picture, from: number, to: number): Map<number, number> {
  const byHash = new Map<number, number>();
  for (let row = from; row < to; row++) {
    let hash = 0;
    for (let at = row * wordsPerRow, end = at + wordsPerRow; at < end; at += SAMPLE_STEP)
      hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ words[at]!, 0x9e3779b1);
    byHash.set(hash, byHash.has(hash) ? -1 : row);
  }
  return byHash;
}

/** Marks with 1 the old rows that are `shift` rows further down in a picture of the same width; returns how many. */
export function markUnchangedRows(
  a: Picture,
  b: Picture,
  top: number,
  oldEnd: number,
  newEnd: number,
  shift: number,
  marks: Uint8Array,
): number {
  const from = Math.max(top, top - shift);
  const to = Math.min(oldEnd, newEnd - shift);
  let marked = 0;
  for (let row = from; row < to; row += BATCH) {
    const until = Math.min(to, row + BATCH);
    const isSame = native?.compare(rows(a, row, until), rows(b, row + shift, until + shift)) === 0;
    for (let y = row; y < until; y++) {
      if (isSame || sameWords(a, b, a.wordsPerRow, y, y + shift)) marked += marks[y - top] = 1;
    }
  }
  return marked;
}

function rows({ bytes, wordsPerRow }: Picture, from: number, to: number): Uint8Array {
  return bytes.subarray(from * wordsPerRow * 4, to * wordsPerRow * 4);
}

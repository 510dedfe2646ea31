import { type Picture, sameWords } from "./picture.ts";

// Node compares bytes natively, several times as fast as a loop; a browser has no such call.
const native = (globalThis as { Buffer?: { compare(a: Uint8Array, b: Uint8Array): number } }).Buffer;
const BATCH = 32;
// One word in so many tells rows apart well enough to guess by; every row is compared whole afterwards.
const SPARSE = 13;

/** How far most rows of [top, oldEnd) went down, or up; 0 when no way stands out. */
export function findShift(a: Picture, b: Picture, top: number, oldEnd: number, newEnd: number): number {
  const old = placesOf(a, top, oldEnd);
  const votes = new Map<number, number>();
  for (const [sign, place] of placesOf(b, top, newEnd)) {
    const was = old.get(sign);
    if (place < 0 || was === undefined || was < 0) continue;
    votes.set(place - was, (votes.get(place - was) ?? 0) + 1);
  }
  let best = 0;
  for (const [shift, count] of votes) {
    const most = votes.get(best) ?? 0;
    if (count > most || (count === most && Math.abs(shift) < Math.abs(best))) best = shift;
  }
  return best;
}

/** Where each row stands by a sign of its content; -1 for signs that several rows share. */
function placesOf({ words, wordsPerRow }: Picture, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let row = from; row < to; row++) {
    let sign = 0;
    for (let at = row * wordsPerRow, end = at + wordsPerRow; at < end; at += SPARSE)
      sign = Math.imul(((sign << 5) | (sign >>> 27)) ^ words[at]!, 0x9e3779b1);
    places.set(sign, places.has(sign) ? -1 : row);
  }
  return places;
}

/** Marks with 1 the old rows that stand `shift` rows further down in a picture of the same width; answers how many. */
export function markStanding(
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

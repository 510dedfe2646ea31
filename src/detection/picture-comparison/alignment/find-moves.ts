import type { LineHunk } from "../../line-and-word-diff/hunks.ts";

// Fewer rows than a line of text don't count as a moved block.
const MIN_ROWS = 12;
const MIN_DISTINCT_ROWS = 4;

/** Finds blocks of rows that moved from one hunk to another, and what is left of the hunks without them. */
export function findMoves(
  hunks: LineHunk[],
  a: Uint32Array,
  b: Uint32Array,
  plain: Uint8Array,
): { moves: LineHunk[]; rest: LineHunk[] } {
  const uniqueRows = new Map<number, { row: number; hunk: LineHunk } | null>();
  for (const hunk of hunks) {
    for (let row = hunk.oldStart; row < hunk.oldStart + hunk.oldCount; row++) {
      const id = a[row]!;
      if (plain[id] === 0) uniqueRows.set(id, uniqueRows.has(id) ? null : { row, hunk });
    }
  }
  const moves: LineHunk[] = [];
  const taken = new Uint8Array(a.length);
  for (const hunk of hunks) {
    const end = hunk.newStart + hunk.newCount;
    for (let row = hunk.newStart; row < end; row++) {
      const source = uniqueRows.get(b[row]!);
      if (!source || taken[source.row] === 1) continue;
      const move = growMove(source.row, source.hunk, row, hunk, a, b, taken, moves.at(-1));
      let distinctRows = 0;
      const oldEnd = move.oldStart + move.oldCount;
      for (let oldRow = move.oldStart; oldRow < oldEnd; oldRow++) distinctRows += 1 - plain[a[oldRow]!]!;
      if (move.oldCount < MIN_ROWS || distinctRows < MIN_DISTINCT_ROWS) continue;
      taken.fill(1, move.oldStart, oldEnd);
      moves.push(move);
      row = move.newStart + move.newCount - 1;
    }
  }
  return { moves, rest: moves.length === 0 ? hunks : hunks.flatMap((hunk) => cutOutMoves(hunk, moves)) };
}

function growMove(
  oldRow: number,
  oldHunk: LineHunk,
  newRow: number,
  newHunk: LineHunk,
  a: Uint32Array,
  b: Uint32Array,
  taken: Uint8Array,
  last: LineHunk | undefined,
): LineHunk {
  const floor = Math.max(newHunk.newStart, last ? last.newStart + last.newCount : 0);
  let up = 0;
  while (
    oldRow - up > oldHunk.oldStart &&
    newRow - up > floor &&
    a[oldRow - up - 1] === b[newRow - up - 1] &&
    taken[oldRow - up - 1] === 0
  ) {
    up++;
  }
  let down = 1;
  while (
    oldRow + down < oldHunk.oldStart + oldHunk.oldCount &&
    newRow + down < newHunk.newStart + newHunk.newCount &&
    a[oldRow + down] === b[newRow + down] &&
    taken[oldRow + down] === 0
  ) {
    down++;
  }
  const count = up + down;
  return { oldStart: oldRow - up, oldCount: count, newStart: newRow - up, newCount: count };
}

/** What is left of a hunk without its moved rows: the stretches on each side, paired in order. */
function cutOutMoves(hunk: LineHunk, moves: LineHunk[]): LineHunk[] {
  const old = stretchesBetween(
    hunk.oldStart,
    hunk.oldCount,
    moves.map((move) => [move.oldStart, move.oldCount]),
  );
  const now = stretchesBetween(
    hunk.newStart,
    hunk.newCount,
    moves.map((move) => [move.newStart, move.newCount]),
  );
  const oldEnd = hunk.oldStart + hunk.oldCount;
  const newEnd = hunk.newStart + hunk.newCount;
  return Array.from({ length: Math.max(old.length, now.length) }, (_, i) => ({
    oldStart: old[i]?.[0] ?? oldEnd,
    oldCount: old[i]?.[1] ?? 0,
    newStart: now[i]?.[0] ?? newEnd,
    newCount: now[i]?.[1] ?? 0,
  }));
}

function stretchesBetween(start: number, count: number, holes: [number, number][]): [number, number][] {
  const inside = holes.filter(([at]) => at >= start && at < start + count).sort((p, q) => p[0] - q[0]);
  const left: [number, number][] = [];
  let at = start;
  for (const [hole, size] of [...inside, [start + count, 0] as const]) {
    if (hole > at) left.push([at, hole - at]);
    at = hole + size;
  }
  return left;
}

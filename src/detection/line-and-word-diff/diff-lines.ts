import { alignHashes } from "./align-hashes.ts";
import { commonEnds, gapOf, type LineHunk } from "./hunks.ts";
import { hashLines } from "./intern.ts";

export type { LineHunk } from "./hunks.ts";

// How many repeated lines a hunk may slide over to a better position.
const MAX_SLIDE = 200;

/**
 * Finds the ranges of lines in which `a` and `b` differ, in order. Replacing the old lines of each hunk with its new
 * ones turns `a` into `b`. Linear in memory and time: very different files get fewer, larger hunks.
 */
export function diffLines(a: readonly string[], b: readonly string[]): LineHunk[] {
  const [start, end] = commonEnds(a.length, b.length, (x, y) => a[x] === b[y]);
  const aligned = alignHashes(hashLines(a, start, end), hashLines(b, start, end));
  const hunks = verifyHunks(aligned, a, b, start, end);
  for (let i = 0; i < hunks.length; i++) slideHunk(hunks, i, a, b);
  return hunks;
}

/** Lines were aligned by hash alone, so a pair of different lines with the same hash gets a hunk of its own. */
function verifyHunks(
  hunks: LineHunk[],
  a: readonly string[],
  b: readonly string[],
  start: number,
  end: number,
): LineHunk[] {
  const verified: LineHunk[] = [];
  let x = start;
  let y = start;
  const add = (hunk: LineHunk): void => {
    const last = verified.at(-1);
    if (
      last &&
      last.oldStart + last.oldCount === hunk.oldStart &&
      last.newStart + last.newCount === hunk.newStart
    ) {
      last.oldCount += hunk.oldCount;
      last.newCount += hunk.newCount;
    } else verified.push(hunk);
  };
  for (let i = 0; i <= hunks.length; i++) {
    const hunk = hunks[i];
    const until = hunk ? hunk.oldStart + start : a.length - end;
    for (; x < until; x++, y++) {
      if (a[x] !== b[y]) add({ oldStart: x, oldCount: 1, newStart: y, newCount: 1 });
    }
    if (!hunk) break;
    add({ ...hunk, oldStart: x, newStart: y });
    x += hunk.oldCount;
    y += hunk.newCount;
  }
  return verified;
}

const beforeAll: LineHunk = { oldStart: -1, oldCount: 0, newStart: -1, newCount: 0 };

/** Slides a pure insertion or removal up to where its first line is indented least, so that it has whole elements. */
function slideHunk(hunks: LineHunk[], at: number, a: readonly string[], b: readonly string[]): void {
  const hunk = hunks[at]!;
  const gap = gapOf(hunk, a, b);
  if (!gap) return;
  const { items: lines, start, count } = gap;
  const { oldStart, oldCount, newStart, newCount } = hunks[at - 1] ?? beforeAll;
  const floor = lines === b ? newStart + newCount : oldStart + oldCount;
  let best = 0;
  let least = indent(lines[start]!);
  for (let slid = 1; slid <= MAX_SLIDE && start - slid > floor; slid++) {
    if (lines[start - slid] !== lines[start + count - slid]) break;
    const depth = indent(lines[start - slid]!);
    if (depth < least) {
      least = depth;
      best = slid;
    }
  }
  hunk.oldStart -= best;
  hunk.newStart -= best;
}

function indent(line: string): number {
  let depth = 0;
  while (line.charCodeAt(depth) === 32 || line.charCodeAt(depth) === 9) depth++;
  return line === "" ? 1 : depth;
}

import { alignIds } from "./align-ids.ts";
import type { LineHunk } from "./hunks.ts";
import { intern } from "./intern.ts";

// If there are more lines than this, chunks of about sixteen lines are aligned first.
const MANY = 150_000;
// Number of lines in differing chunks that are then aligned one by one; further hunks are coarse.
const MAX_REFINED = 60_000;
// Steps that a very long pair may take: for all its chunks, and for each line of the chunks that differ.
const CHUNK_BUDGET = 1_000_000;
const LINE_BUDGET = 16;

/** Aligns two sequences of hashes; hunks of a very long pair that differs nearly everywhere are coarse. */
export function alignHashes(a: Int32Array, b: Int32Array): LineHunk[] {
  if (a.length + b.length <= MANY) return alignAll(a, b);
  const oldChunks = cutChunks(a);
  const newChunks = cutChunks(b);
  const hunks: LineHunk[] = [];
  let linesLeft = MAX_REFINED;
  for (const chunk of alignAll(oldChunks.hashes, newChunks.hashes, CHUNK_BUDGET)) {
    const oldStart = oldChunks.starts[chunk.oldStart]!;
    const newStart = newChunks.starts[chunk.newStart]!;
    const oldEnd = oldChunks.starts[chunk.oldStart + chunk.oldCount]!;
    const newEnd = newChunks.starts[chunk.newStart + chunk.newCount]!;
    const lines = oldEnd - oldStart + newEnd - newStart;
    linesLeft -= lines;
    if (linesLeft < 0) {
      hunks.push({ oldStart, oldCount: oldEnd - oldStart, newStart, newCount: newEnd - newStart });
      continue;
    }
    const [old, now] = [a.subarray(oldStart, oldEnd), b.subarray(newStart, newEnd)];
    for (const hunk of alignAll(old, now, lines * LINE_BUDGET)) {
      hunks.push({ ...hunk, oldStart: hunk.oldStart + oldStart, newStart: hunk.newStart + newStart });
    }
  }
  return hunks;
}

function alignAll(a: Int32Array, b: Int32Array, budget?: number): LineHunk[] {
  const ids = intern(a, b);
  return alignIds(ids.a, ids.b, ids.count, budget);
}

/** Cuts chunks where a hash of the last four lines says so, so that an inserted line moves only the cuts next to it. */
function cutChunks(hashes: Int32Array): { hashes: Int32Array; starts: Uint32Array } {
  const chunks = new Int32Array(hashes.length);
  const starts = new Uint32Array(hashes.length + 1);
  let count = 0;
  let sum = 0;
  let window = 0;
  for (let i = 0; i < hashes.length; i++) {
    const hash = hashes[i]!;
    sum = Math.imul(sum ^ hash, 0x01000193) ^ (sum >>> 15);
    // A rolling hash of the last four lines: adds the new one, subtracts the one that drops out (31 to the power of 4).
    window = (Math.imul(window, 31) + hash - (i < 4 ? 0 : Math.imul(hashes[i - 4]!, 923_521))) | 0;
    const isCut = Math.imul(window ^ (window >>> 15), 0x2c1b3c6d) >>> 28 === 0;
    if (!isCut && i < hashes.length - 1) continue;
    chunks[count++] = sum;
    starts[count] = i + 1;
    sum = 0;
  }
  return { hashes: chunks.subarray(0, count), starts: starts.subarray(0, count + 1) };
}

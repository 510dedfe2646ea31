import { allocatePixels } from "./pixels.ts";

/** Where a run of rows comes from: copied from the base, from the residue, or from the residue added to the base. */
export type RowRun = { kind: "copy" | "new" | "patch"; from: number; rows: number };

/** How to rebuild a picture's rows from a base, and the residue: the rows that need more than the base, in order. */
export type RowDelta = { runs: RowRun[]; residue: Uint8Array };

type Pixels = Uint8Array;

const candidateLimit = 8;
const maxChangedShare = 0.1;

/** Finds the rows that `next` shares with `base`, even if they moved. Both have `stride` bytes per row. */
export function diffRows(base: Pixels, next: Pixels, stride: number): RowDelta {
  return extractResidue(base, next, stride, diffInPlace(base, next, stride) ?? diffMoved(base, next, stride));
}

const rowOf = (pixels: Pixels, stride: number, row: number) =>
  pixels.subarray(row * stride, (row + 1) * stride);

/**
 * The runs if only a few rows differ and none moved, else undefined. Searching for moved rows costs ten times as much.
 */
function diffInPlace(base: Pixels, next: Pixels, stride: number): RowRun[] | undefined {
  if (base.length !== next.length) return undefined;
  const rows = next.length / stride;
  const runs: RowRun[] = [];
  let differing = 0;
  for (let row = 0; row < rows; row++) {
    const isSame = Buffer.compare(rowOf(base, stride, row), rowOf(next, stride, row)) === 0;
    if (!isSame && ++differing > rows * maxChangedShare) return undefined;
    const kind = isSame ? "copy" : "new";
    const last = runs.at(-1);
    if (last?.kind === kind) last.rows++;
    else runs.push({ kind, from: row, rows: 1 });
  }
  return runs;
}

function diffMoved(base: Pixels, next: Pixels, stride: number): RowRun[] {
  const baseHashes = hashRows(base, stride);
  const nextHashes = hashRows(next, stride);
  const rowsByHash = new Map<number, number[]>();
  for (let row = 0; row < baseHashes.length; row++) {
    const list = rowsByHash.get(baseHashes[row] ?? 0);
    if (!list) rowsByHash.set(baseHashes[row] ?? 0, [row]);
    else if (list.length < candidateLimit) list.push(row);
  }
  const same = (from: number, at: number) =>
    baseHashes[from] === nextHashes[at] &&
    Buffer.compare(rowOf(base, stride, from), rowOf(next, stride, at)) === 0;

  const runs: RowRun[] = [];
  let expected = 0;
  let row = 0;
  while (row < nextHashes.length) {
    let best = 0;
    let from = 0;
    // Tries the row after the last copy first, because a page usually continues there.
    for (const start of [expected, ...(rowsByHash.get(nextHashes[row] ?? 0) ?? [])]) {
      if (start >= baseHashes.length) continue;
      let length = 0;
      while (
        row + length < nextHashes.length &&
        start + length < baseHashes.length &&
        same(start + length, row + length)
      )
        length++;
      if (length > best) [best, from] = [length, start];
    }
    if (best > 0) {
      runs.push({ kind: "copy", from, rows: best });
      expected = from + best;
      row += best;
      continue;
    }
    const last = runs.at(-1);
    if (last?.kind === "new") last.rows++;
    else runs.push({ kind: "new", from: expected, rows: 1 });
    expected++;
    row++;
  }
  return runs;
}

/** Stores new rows that are similar to the base's as their difference, which compresses to almost nothing. */
function extractResidue(base: Pixels, next: Pixels, stride: number, runs: RowRun[]): RowDelta {
  const split = runs.flatMap((run) => {
    if (run.kind === "copy") return [run];
    const known = Math.max(0, Math.min(run.rows, base.length / stride - run.from));
    return [
      { kind: "new" as const, from: run.from, rows: known },
      { kind: "new" as const, from: 0, rows: run.rows - known },
    ].filter((part) => part.rows > 0);
  });
  const residue = allocatePixels(
    split.reduce((sum, run) => sum + (run.kind === "copy" ? 0 : run.rows), 0) * stride,
  );
  let at = 0;
  let filled = 0;
  for (const [index, run] of split.entries()) {
    const length = run.rows * stride;
    if (run.kind === "new") {
      const part = next.subarray(at, at + length);
      const old = base.subarray(run.from * stride, run.from * stride + length);
      if (old.length === length && mostlyEqual(old, part)) {
        split[index] = { ...run, kind: "patch" };
        for (let i = 0; i < length; i++) residue[filled + i] = (part[i] ?? 0) - (old[i] ?? 0);
      } else {
        residue.set(part, filled);
      }
      filled += length;
    }
    at += length;
  }
  return { runs: split, residue };
}

function mostlyEqual(a: Pixels, b: Pixels): boolean {
  let equal = 0;
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) equal++;
  return equal * 2 > a.length;
}

/** One hash per row; different rows may share it, so equality is always checked on the bytes. */
function hashRows(pixels: Pixels, stride: number): Float64Array {
  const hashes = new Float64Array(pixels.length / stride);
  const aligned = stride % 4 === 0 && pixels.byteOffset % 4 === 0;
  const words = aligned ? new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4) : pixels;
  const perRow = aligned ? stride / 4 : stride;
  for (let row = 0; row < hashes.length; row++) {
    let high = 0x811c9dc5 | 0;
    let low = 0x2545f491 | 0;
    for (let i = row * perRow, end = i + perRow; i < end; i++) {
      const word = words[i] ?? 0;
      high = Math.imul(high ^ word, 0x01000193);
      low = Math.imul(low ^ word, 0x85ebca6b) ^ (low >>> 15);
    }
    hashes[row] = (high >>> 0) * 0x100000 + (low >>> 12);
  }
  return hashes;
}

/** Rebuilds a picture's rows from a chain of deltas, newest first, ending in a delta without a base. */
export function rebuildRows(chain: RowDelta[], height: number, stride: number): Pixels {
  const pixels = allocatePixels(height * stride);
  // The row of the current delta that each row of the picture still needs; -1 once it is complete.
  const wanted = Int32Array.from({ length: height }, (_, row) => row);
  const isStarted = new Uint8Array(height);
  for (const { runs, residue } of chain) {
    const total = runs.reduce((sum, run) => sum + run.rows, 0);
    const residueRows = new Int32Array(total).fill(-1);
    const baseRows = new Int32Array(total).fill(-1);
    let at = 0;
    let residueCount = 0;
    for (const run of runs) {
      for (let i = 0; i < run.rows; i++, at++) {
        if (run.kind !== "copy") residueRows[at] = residueCount++;
        if (run.kind !== "new") baseRows[at] = run.from + i;
      }
    }
    for (let row = 0; row < height; row++) {
      const want = wanted[row] ?? -1;
      if (want < 0) continue;
      const piece = residueRows[want] ?? -1;
      if (piece >= 0) {
        const part = residue.subarray(piece * stride, (piece + 1) * stride);
        if (isStarted[row]) addRow(pixels, row * stride, part);
        else pixels.set(part, row * stride);
        isStarted[row] = 1;
      }
      wanted[row] = baseRows[want] ?? -1;
    }
  }
  return pixels;
}

function addRow(pixels: Pixels, at: number, added: Pixels): void {
  for (let i = 0; i < added.length; i++) pixels[at + i] = (pixels[at + i] ?? 0) + (added[i] ?? 0);
}

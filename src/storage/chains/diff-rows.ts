/** Where a run of rows comes from: rows of the base as they are, the residue alone, or the residue added to rows of the base. */
export type RowRun = { kind: "copy" | "new" | "patch"; from: number; rows: number };

/** How a picture's rows can be had from those of `base`, and the rows that are left over, one after the other. */
export type RowDelta = { runs: RowRun[]; residue: Uint8Array };

type Pixels = Uint8Array;

/** Pixels that any thread may read without a copy of its own: a screenshot has thirty megabytes of them. */
export function sharedPixels(length: number): Pixels {
  return new Uint8Array(new SharedArrayBuffer(length));
}

const candidateLimit = 8;
const fewRows = 0.1;

/** Says which rows `next` shares with `base`, wherever they moved to. Both have `stride` bytes a row. */
export function diffRows(base: Pixels, next: Pixels, stride: number): RowDelta {
  return subtract(base, next, stride, standing(base, next, stride) ?? moved(base, next, stride));
}

const rowOf = (pixels: Pixels, stride: number, row: number) =>
  pixels.subarray(row * stride, (row + 1) * stride);

/** The runs of a picture that stands where it stood but for a few rows: to look where rows went to costs ten times as much. */
function standing(base: Pixels, next: Pixels, stride: number): RowRun[] | undefined {
  if (base.length !== next.length) return undefined;
  const rows = next.length / stride;
  const runs: RowRun[] = [];
  let differing = 0;
  for (let row = 0; row < rows; row++) {
    const isSame = Buffer.compare(rowOf(base, stride, row), rowOf(next, stride, row)) === 0;
    if (!isSame && ++differing > rows * fewRows) return undefined;
    const kind = isSame ? "copy" : "new";
    const last = runs.at(-1);
    if (last?.kind === kind) last.rows++;
    else runs.push({ kind, from: row, rows: 1 });
  }
  return runs;
}

function moved(base: Pixels, next: Pixels, stride: number): RowRun[] {
  const baseHashes = hashRows(base, stride);
  const nextHashes = hashRows(next, stride);
  const places = new Map<number, number[]>();
  for (let row = 0; row < baseHashes.length; row++) {
    const list = places.get(baseHashes[row] ?? 0);
    if (!list) places.set(baseHashes[row] ?? 0, [row]);
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
    // The row that follows the last copy first: a page mostly goes on where it was.
    for (const start of [expected, ...(places.get(nextHashes[row] ?? 0) ?? [])]) {
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

/** New rows that stand where similar ones stood are kept as their difference, which packs to next to nothing. */
function subtract(base: Pixels, next: Pixels, stride: number, runs: RowRun[]): RowDelta {
  const split = runs.flatMap((run) => {
    if (run.kind === "copy") return [run];
    const known = Math.max(0, Math.min(run.rows, base.length / stride - run.from));
    return [
      { kind: "new" as const, from: run.from, rows: known },
      { kind: "new" as const, from: 0, rows: run.rows - known },
    ].filter((part) => part.rows > 0);
  });
  const residue = sharedPixels(
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

/** One number a row; rows that differ may share it, so equality is always checked on the bytes. */
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

/** Lays out a picture's rows from a chain of deltas, newest first, ending in a delta without a base. */
export function layRows(chain: RowDelta[], height: number, stride: number): Pixels {
  const pixels = sharedPixels(height * stride);
  // Which row of the current link each row of the picture still waits for; -1 once it is complete.
  const wanted = Int32Array.from({ length: height }, (_, row) => row);
  const begun = new Uint8Array(height);
  for (const { runs, residue } of chain) {
    const total = runs.reduce((sum, run) => sum + run.rows, 0);
    const source = new Int32Array(total).fill(-1);
    const below = new Int32Array(total).fill(-1);
    let at = 0;
    let kept = 0;
    for (const run of runs) {
      for (let i = 0; i < run.rows; i++, at++) {
        if (run.kind !== "copy") source[at] = kept++;
        if (run.kind !== "new") below[at] = run.from + i;
      }
    }
    for (let row = 0; row < height; row++) {
      const want = wanted[row] ?? -1;
      if (want < 0) continue;
      const piece = source[want] ?? -1;
      if (piece >= 0) {
        const rest = residue.subarray(piece * stride, (piece + 1) * stride);
        if (begun[row]) addRow(pixels, row * stride, rest);
        else pixels.set(rest, row * stride);
        begun[row] = 1;
      }
      wanted[row] = below[want] ?? -1;
    }
  }
  return pixels;
}

function addRow(pixels: Pixels, at: number, rest: Pixels): void {
  for (let i = 0; i < rest.length; i++) pixels[at + i] = (pixels[at + i] ?? 0) + (rest[i] ?? 0);
}

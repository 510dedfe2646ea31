import type { Region } from "#detection/verdict/verdict.ts";

/** A band of pixel rows: of both pictures, or of one where the other has a gap. */
export type Band = { at: number; height: number; oldY: number | null; newY: number | null };

type Gap = { y: number; height: number };

/** Aligns two pictures so that unchanged rows are level: an inserted banner leaves a gap instead of a shift. */
export function alignBands(regions: readonly Region[], oldHeight: number, newHeight: number): Band[] {
  const bands: Band[] = [];
  const removed = gapsOf(regions, "old");
  const added = gapsOf(regions, "new");
  let at = 0;
  let oldY = 0;
  let newY = 0;
  const push = (height: number, old: boolean, fresh: boolean) => {
    if (height <= 0) return;
    bands.push({ at, height, oldY: old ? oldY : null, newY: fresh ? newY : null });
    at += height;
    if (old) oldY += height;
    if (fresh) newY += height;
  };
  for (;;) {
    while (removed[0] && removed[0].y + removed[0].height <= oldY) removed.shift();
    while (added[0] && added[0].y + added[0].height <= newY) added.shift();
    const toRemoved = (removed[0]?.y ?? oldHeight) - oldY;
    const toAdded = (added[0]?.y ?? newHeight) - newY;
    push(Math.min(toRemoved, toAdded, oldHeight - oldY, newHeight - newY), true, true);
    const [gone] = removed;
    const [come] = added;
    if (gone && gone.y <= oldY) push(Math.min(gone.y + gone.height, oldHeight) - oldY, true, false);
    else if (come && come.y <= newY) push(Math.min(come.y + come.height, newHeight) - newY, false, true);
    else {
      push(oldHeight - oldY, true, false);
      push(newHeight - newY, false, true);
      return bands;
    }
  }
}

/** Returns the full rows that only one side has; a strip next to the other picture's edge is not a gap in its rows. */
function gapsOf(regions: readonly Region[], side: "old" | "new"): Gap[] {
  const only = side === "old" ? "removed" : "added";
  return regions
    .filter(({ kind }) => kind === only || kind === "moved")
    .flatMap((region) => region[side] ?? [])
    .filter(({ x }) => x === 0)
    .map(({ y, height }) => ({ y, height }))
    .sort((a, b) => a.y - b.y);
}

/** Converts a row of one picture to its position on the aligned sheet. */
export function toSheet(bands: readonly Band[], side: "oldY" | "newY", y: number): number {
  for (const band of bands) {
    const start = band[side];
    if (start !== null && y >= start && y < start + band.height) return band.at + y - start;
  }
  const last = bands.findLast((band) => band[side] !== null);
  return last ? last.at + last.height : 0;
}

export function sheetHeight(bands: readonly Band[]): number {
  const last = bands.at(-1);
  return last ? last.at + last.height : 0;
}

import type { LineHunk } from "../line-and-word-diff/hunks.ts";
import type { Box } from "../verdict/verdict.ts";
import { near, visiblyDiffers } from "./compare-pixels.ts";
import { TILE } from "./measure-content.ts";
import { BANDS, bandWidth, type Picture, pixelAt } from "./picture.ts";

// Tiles at most this far apart belong to one region: the gap between two words or two lines.
const GAP = 2;
// More boxes than this in one stretch are less useful than fewer, wider ones.
const MAX_BOXES = 40;

/** Hashes of both sides' rows, BANDS per row, from row `first` on: bands with equal hashes need no comparison. */
export type Bands = { a: Uint32Array; b: Uint32Array; first: number };

/** How to compare the two pictures: the width that both have, their backgrounds, and how exactly. */
export type Look = {
  width: number;
  backgrounds: readonly [number | undefined, number | undefined];
  isExact: boolean;
};

/**
 * Compares rows paired one to one. Boxes are in the new picture, `area` is the number of pixels in changed tiles,
 * `blank` how many of them are background, added up over both sides.
 */
export function findBoxes(
  a: Picture,
  b: Picture,
  options: Look,
  stretch: LineHunk,
  bands: Bands,
): { boxes: Box[]; area: number; blank: number } {
  const { width, backgrounds } = options;
  const columns = Math.ceil(width / TILE);
  const rows = Math.ceil(stretch.oldCount / TILE);
  const tiles = new Uint8Array(columns * rows);
  let area = 0;
  let blank = 0;
  const band = bandWidth(width);
  for (let row = 0; row < rows; row++) {
    const top = row * TILE;
    const dirty = bandsThatDiffer(stretch, bands, top);
    if (dirty === 0) continue;
    for (let column = 0; column < columns; column++) {
      const left = column * TILE;
      if (((dirty >>> Math.floor(left / band)) & 1) === 0) continue;
      if (!tileDiffers(a, b, options, stretch, bands, left, top)) continue;
      tiles[row * columns + column] = 1;
      const right = Math.min(left + TILE, width);
      const height = Math.min(TILE, stretch.oldCount - top);
      const size = (right - left) * height;
      area += size;
      if (isBlank(a, backgrounds[0], left, right, stretch.oldStart + top, height)) blank += size;
      if (isBlank(b, backgrounds[1], left, right, stretch.newStart + top, height)) blank += size;
    }
  }
  if (area === 0) return { boxes: [], area, blank };
  let boxes = groupTiles(tiles, columns, rows, GAP);
  for (let gap = GAP * 2; boxes.length > MAX_BOXES; gap *= 2) boxes = groupTiles(tiles, columns, rows, gap);
  return { boxes: boxes.map((box) => tighten(a, b, width, stretch, box)), area, blank };
}

function isBlank(
  picture: Picture,
  background: number | undefined,
  left: number,
  right: number,
  top: number,
  height: number,
): boolean {
  for (let y = top; y < top + height; y++) {
    for (let x = left; x < right; x++) if (pixelAt(picture, x, y) !== background) return false;
  }
  return true;
}

/** A bit mask of the bands in which a row of tiles may differ. */
function bandsThatDiffer({ oldStart, newStart, oldCount }: LineHunk, { a, b, first }: Bands, top: number) {
  let dirty = 0;
  for (let row = top; row < Math.min(top + TILE, oldCount); row++) {
    const p = (oldStart + row - first) * BANDS;
    const q = (newStart + row - first) * BANDS;
    for (let band = 0; band < BANDS; band++) if (a[p + band] !== b[q + band]) dirty |= 1 << band;
  }
  return dirty;
}

function tileDiffers(
  a: Picture,
  b: Picture,
  { width, isExact }: Look,
  { oldStart, newStart, oldCount }: LineHunk,
  bands: Bands,
  left: number,
  top: number,
): boolean {
  const band = Math.floor(left / bandWidth(width));
  const right = Math.min(left + TILE, width);
  const bottom = Math.min(top + TILE, oldCount);
  for (let row = top; row < bottom; row++) {
    const hashA = bands.a[(oldStart + row - bands.first) * BANDS + band];
    if (hashA === bands.b[(newStart + row - bands.first) * BANDS + band]) continue;
    for (let x = left; x < right; x++) {
      if (visiblyDiffers(a, b, x, oldStart + row, newStart + row, isExact)) return true;
    }
  }
  return false;
}

/** Boxes, in tiles, around groups of marked tiles no more than `gap` tiles apart. */
function groupTiles(tiles: Uint8Array, columns: number, rows: number, gap: number): Box[] {
  const seen = new Uint8Array(tiles.length);
  const boxes: Box[] = [];
  const queue: number[] = [];
  for (let first = 0; first < tiles.length; first++) {
    if (tiles[first] === 0 || seen[first] === 1) continue;
    let left = columns;
    let right = 0;
    let top = rows;
    let bottom = 0;
    queue.push(first);
    seen[first] = 1;
    while (queue.length > 0) {
      const tile = queue.pop()!;
      const x = tile % columns;
      const y = (tile - x) / columns;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      for (let v = Math.max(0, y - gap); v <= Math.min(rows - 1, y + gap); v++) {
        for (let u = Math.max(0, x - gap); u <= Math.min(columns - 1, x + gap); u++) {
          const next = v * columns + u;
          if (tiles[next] === 0 || seen[next] === 1) continue;
          seen[next] = 1;
          queue.push(next);
        }
      }
    }
    boxes.push({ x: left, y: top, width: right - left + 1, height: bottom - top + 1 });
  }
  return boxes;
}

/** Converts a box from tiles to pixels and trims the edges in which nothing differs. */
function tighten(
  a: Picture,
  b: Picture,
  width: number,
  { oldStart, newStart, oldCount }: LineHunk,
  box: Box,
): Box {
  let left = box.x * TILE;
  let top = box.y * TILE;
  let right = Math.min(width, (box.x + box.width) * TILE);
  let bottom = Math.min(oldCount, (box.y + box.height) * TILE);
  const same = (x: number, y: number): boolean =>
    near(pixelAt(a, x, oldStart + y), pixelAt(b, x, newStart + y));
  const rowSame = (y: number): boolean => {
    for (let x = left; x < right; x++) if (!same(x, y)) return false;
    return true;
  };
  const columnSame = (x: number): boolean => {
    for (let y = top; y < bottom; y++) if (!same(x, y)) return false;
    return true;
  };
  while (top < bottom - 1 && rowSame(top)) top++;
  while (bottom > top + 1 && rowSame(bottom - 1)) bottom--;
  while (left < right - 1 && columnSame(left)) left++;
  while (right > left + 1 && columnSame(right - 1)) right--;
  return { x: left, y: newStart + top, width: right - left, height: bottom - top };
}

import { commonEnds, gapOf } from "../line-and-word-diff/hunks.ts";
import type { Box, Region } from "../verdict/verdict.ts";
import { alignRows, gapAt, isPaired, type Piece } from "./alignment/align-rows.ts";
import { findShift, markUnchangedRows } from "./alignment/find-shift.ts";
import { areaOf, boxOf } from "./boxes.ts";
import { near } from "./compare-pixels.ts";
import { findBoxes, type Look } from "./find-boxes.ts";
import { joinRegions } from "./join-regions.ts";
import { type Content, contentIn, measureContent } from "./measure-content.ts";
import {
  BANDS,
  bandWidth,
  hashRows,
  type Image,
  type Picture,
  pixelAt,
  sameWords,
  toPictures,
} from "./picture.ts";

export type { Image } from "./picture.ts";

export type ImageComparison = {
  /** Share of both pictures' content, without background, that is unchanged: 0 to 100; 100 if nothing differs. */
  similarity: number;
  regions: Region[];
  /** Indexes of regions that show the same as before at other places; only known where rules left something out. */
  layoutOnly?: number[];
};

// A block that only moved counts as half unchanged.
const MOVED = 0.5;
const MAX_REGIONS = 200;
// Equal rows below the last difference that take part in the alignment, because a gap may slide into them.
const CONTEXT = 64;
// If this share of the rows is equal, in place or shifted as one, the alignment starts from those rows.
const IN_PLACE = 0.85;
const SAMPLE_STEP = 16;
const SAME: ImageComparison = { similarity: 100, regions: [] };

/**
 * Aligns the rows of two pictures and finds which parts were added, removed, moved or changed.
 * `isExact` is for an image file, which a browser draws the same every time.
 */
export function compareImage(before: Image, after: Image, isExact = false): ImageComparison {
  const [a, b] = toPictures(before, after);
  const width = Math.min(a.width, b.width);
  const words = Math.min(a.wordsPerRow, b.wordsPerRow);
  const [top, bottom] = commonEnds(a.height, b.height, (y, z) => sameWords(a, b, words, y, z));
  if (top === a.height && top === b.height && a.width === b.width) return SAME;
  if (top + bottom === Math.min(a.height, b.height)) {
    const pieces = gapAt(top, a.height, b.height);
    const contents = weighBoth(a, b, width, (row) => row < top);
    return summarize(a, b, contents, isExact ? pieces : dropEmptyEnd(pieces, a, b, contents), noChange);
  }
  const [oldRows, newRows] = hashMiddle(a, b, width, top, Math.max(0, bottom - CONTEXT));
  // A fixed order of the sides breaks ties in the alignment the same way, whichever picture is passed first.
  return comesFirst(oldRows, newRows)
    ? compareAligned(a, b, { width, isExact }, top, oldRows, newRows)
    : mirrorComparison(compareAligned(b, a, { width, isExact }, top, newRows, oldRows));
}

/** Hashes the rows between the equal ends. If nearly all are equal, in place or shifted as one, those need no hash. */
function hashMiddle(
  a: Picture,
  b: Picture,
  width: number,
  top: number,
  bottom: number,
): [Uint32Array, Uint32Array] {
  const oldEnd = a.height - bottom;
  const newEnd = b.height - bottom;
  const commonShift = a.width === b.width ? findCommonShift(a, b, top, oldEnd, newEnd) : undefined;
  if (!commonShift) return [hashRows(a, width, top, oldEnd), hashRows(b, width, top, newEnd)];
  const { marks, shift } = commonShift;
  const oldRows = hashRows(a, width, top, oldEnd, (row) => marks[row - top] !== 1);
  const newRows = hashRows(b, width, top, newEnd, (row) => marks[row - top - shift] !== 1);
  for (let row = 0; row < marks.length; row++) {
    if (marks[row] === 0) continue;
    // Any value works that both sides share and no other row has.
    const value = Math.imul(row + 1, 0x9e3779b1);
    for (let band = 0; band < BANDS; band++) {
      oldRows[row * BANDS + band] = value;
      newRows[(row + shift) * BANDS + band] = value;
    }
  }
  return [oldRows, newRows];
}

/** Whether most of the sampled rows are equal and in place. */
function seemsInPlace(a: Picture, b: Picture, top: number, end: number): boolean {
  if (a.height !== b.height) return false;
  let equal = 0;
  let sampled = 0;
  for (let row = top; row < end; row += SAMPLE_STEP) {
    if (sameWords(a, b, a.wordsPerRow, row, row)) equal++;
    sampled++;
  }
  return equal > sampled / 2;
}

/** Finds the shift that nearly all rows have in common, and marks those old rows; undefined if there is none. */
function findCommonShift(
  a: Picture,
  b: Picture,
  top: number,
  oldEnd: number,
  newEnd: number,
): { marks: Uint8Array; shift: number } | undefined {
  const wanted = IN_PLACE * Math.max(oldEnd - top, newEnd - top);
  const marks = new Uint8Array(oldEnd - top);
  const shift = seemsInPlace(a, b, top, oldEnd) ? 0 : findShift(a, b, top, oldEnd, newEnd);
  return markUnchangedRows(a, b, top, oldEnd, newEnd, shift, marks) >= wanted ? { marks, shift } : undefined;
}

function comesFirst(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return a.length < b.length;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return true;
}

function mirrorComparison({ similarity, regions }: ImageComparison): ImageComparison {
  const kinds = { added: "removed", removed: "added", changed: "changed", moved: "moved" } as const;
  return {
    similarity,
    regions: sortRegions(
      regions.map((region) => ({ kind: kinds[region.kind], old: region.new, new: region.old })),
    ),
  };
}

function compareAligned(
  a: Picture,
  b: Picture,
  { width, isExact }: Pick<Look, "width" | "isExact">,
  top: number,
  oldRows: Uint32Array,
  newRows: Uint32Array,
): ImageComparison {
  const band = bandWidth(width);
  const rowsNear = (oldY: number, newY: number): boolean => {
    for (let i = 0; i < BANDS; i++) {
      if (oldRows[oldY * BANDS + i] === newRows[newY * BANDS + i]) continue;
      for (let x = i * band; x < Math.min(width, (i + 1) * band); x++) {
        if (!near(pixelAt(a, x, oldY + top), pixelAt(b, x, newY + top))) return false;
      }
    }
    return true;
  };
  const pieces = alignRows(oldRows, newRows, rowsNear).map((piece) => ({
    ...piece,
    oldStart: piece.oldStart + top,
    newStart: piece.newStart + top,
  }));
  const contents = weighBoth(a, b, width, (row) => {
    if (row < top) return true;
    const [from, until] = [(row - top) * BANDS, (row - top + 1) * BANDS];
    for (let i = from; i < until; i++) if (oldRows[i] !== newRows[i]) return false;
    return true;
  });
  const look = { width, isExact, backgrounds: [contents[0].background, contents[1].background] as const };
  const changed: Changed = { regions: [], area: 0, blank: 0 };
  for (const piece of pieces) {
    if (piece.isMoved || !isPaired(piece)) continue;
    const found = findBoxes(a, b, look, piece, { a: oldRows, b: newRows, first: top });
    changed.area += found.area;
    changed.blank += found.blank;
    for (const box of found.boxes) {
      changed.regions.push({
        kind: "changed",
        old: { ...box, y: box.y - piece.newStart + piece.oldStart },
        new: box,
      });
    }
  }
  return summarize(a, b, contents, isExact ? pieces : dropEmptyEnd(pieces, a, b, contents), changed);
}

/** An empty end of the page that became longer or shorter shows nothing, so it is no region. */
function dropEmptyEnd(
  pieces: Piece[],
  a: Picture,
  b: Picture,
  [old, now]: readonly [Content, Content],
): Piece[] {
  return pieces.filter((piece) => {
    const gap = gapOf(piece, { content: old, height: a.height }, { content: now, height: b.height });
    if (!gap) return true;
    const { items: picture, start, count } = gap;
    return start + count < picture.height || contentIn(picture.content, start, count) > 0;
  });
}

/** Weighs both contents; rows that two pictures of equal size have in common are read once. */
function weighBoth(
  a: Picture,
  b: Picture,
  width: number,
  isUnmoved: (row: number) => boolean,
): readonly [Content, Content] {
  const content = measureContent(a, width);
  const isSameSize = a.width === b.width && a.height === b.height;
  return [content, measureContent(b, width, isSameSize ? { content, isUnmoved } : undefined)];
}

/** Differences in aligned rows. `area`: pixels of the changed tiles. `blank`: how many are background, on each side. */
type Changed = { regions: Region[]; area: number; blank: number };
const noChange: Changed = { regions: [], area: 0, blank: 0 };

function summarize(
  a: Picture,
  b: Picture,
  [old, now]: readonly [Content, Content],
  pieces: Piece[],
  changed: Changed,
): ImageComparison {
  const regions = joinRegions(changed.regions);
  const width = Math.min(a.width, b.width);
  let lost = 2 * changed.area + old.beyond + now.beyond;
  for (const piece of pieces) {
    const { oldStart, oldCount, newStart, newCount, isMoved } = piece;
    // What differs in paired rows is in `changed`.
    if (!isMoved && isPaired(piece)) continue;
    regions.push({
      kind: isMoved ? "moved" : oldCount === 0 ? "added" : "removed",
      old: rowsOf(a, oldStart, oldCount),
      new: rowsOf(b, newStart, newCount),
    });
    lost += (isMoved ? MOVED : 1) * (contentIn(old, oldStart, oldCount) + contentIn(now, newStart, newCount));
  }
  if (a.width > b.width) regions.push({ kind: "removed", old: beyond(a, width), new: null });
  if (b.width > a.width) regions.push({ kind: "added", old: null, new: beyond(b, width) });
  // Pictures that differ only by an empty end have no region, but aren't the same.
  if (regions.length === 0) return a.height === b.height ? SAME : { similarity: 99.99, regions };
  const shown = contentIn(old, 0, a.height) + contentIn(now, 0, b.height) + old.beyond + now.beyond;
  const whole = shown + changed.blank || 1;
  const similarity = Math.min(99.99, Math.max(0, Math.floor((1 - lost / whole) * 10_000) / 100));
  return { similarity, regions: sortRegions(regions) };
}

const rowsOf = ({ width }: Picture, y: number, height: number): Box | null =>
  height === 0 ? null : { x: 0, y, width, height };

/** The columns that only the wider picture has. */
const beyond = ({ width, height }: Picture, x: number): Box => ({ x, y: 0, width: width - x, height });

/** Sorts regions from top to bottom; if there are too many, keeps the largest. */
export function sortRegions(regions: Region[]): Region[] {
  const size = (region: Region): number => areaOf(boxOf(region));
  const largest =
    regions.length > MAX_REGIONS
      ? regions.toSorted((p, q) => size(q) - size(p)).slice(0, MAX_REGIONS)
      : regions;
  return largest.toSorted((p, q) => boxOf(p).y - boxOf(q).y || boxOf(p).x - boxOf(q).x);
}

import { alignRows, type Piece } from "./compare-image/align-rows.ts";
import { near } from "./compare-image/compare-pixels.ts";
import { findBoxes } from "./compare-image/find-boxes.ts";
import { hashRows, type Image, type Picture, toPicture } from "./compare-image/picture.ts";
import type { Region } from "./verdict.ts";

export type { Image } from "./compare-image/picture.ts";

export type ImageComparison = {
  /** Share of both pictures that stands, 0 to 100; 100 only when nothing visible differs. */
  similarity: number;
  regions: Region[];
};

/** What of a picture can be kept beside it: enough to see what changed in rows without decoding it again. */
export type RowHashes = { width: number; height: number; hashes: Uint32Array };

/** A picture that need not be decoded: `hash` is of its encoded bytes, `rows` what an earlier comparison gave. */
export type PictureSource = { hash: string; rows?: RowHashes | undefined; decode: () => Promise<Image> };

// A block that only went elsewhere half stands.
const MOVED = 0.5;
const MAX_REGIONS = 200;
// Equal rows below the last difference that take part in the alignment: a gap may slide into them.
const CONTEXT = 64;
const SAME: ImageComparison = { similarity: 100, regions: [] };

/**
 * Compares two pictures by the cheapest step that can tell: equal bytes need no decoding, known rows of the
 * old one spare its decoding unless pixels must be weighed. `rows` are the new picture's, to be kept.
 */
export async function comparePictures(
  before: PictureSource,
  after: PictureSource,
): Promise<ImageComparison & { rows: RowHashes | undefined }> {
  if (before.hash === after.hash) return { ...SAME, rows: after.rows ?? before.rows };
  if (!before.rows) {
    const [a, b] = await Promise.all([before.decode(), after.decode()]);
    return { ...compareImage(a, b), rows: hashImage(b) };
  }
  const b = await after.decode();
  const rows = hashImage(b);
  if (rows.width === before.rows.width) {
    const pieces = alignRows(before.rows.hashes, rows.hashes, () => false);
    if (pieces.every((piece) => piece.kind === "added" || piece.kind === "removed")) {
      return { ...summarise(before.rows, rows, pieces, [], 0), rows };
    }
  }
  return { ...compareImage(await before.decode(), b), rows };
}

/** The rows of a picture as `comparePictures` keeps them. */
function hashImage(image: Image): RowHashes {
  const { width, height } = image;
  return { width, height, hashes: hashRows(toPicture(image), width, 0, height) };
}

/** Says which parts of a picture were added, removed, moved or changed, once its rows are laid on each other. */
export function compareImage(before: Image, after: Image): ImageComparison {
  const a = toPicture(before);
  const b = toPicture(after);
  const width = Math.min(a.width, b.width);
  const shorter = Math.min(a.height, b.height);
  let top = 0;
  while (top < shorter && sameRow(a, b, width, top, top)) top++;
  let bottom = 0;
  while (bottom < shorter - top && sameRow(a, b, width, a.height - 1 - bottom, b.height - 1 - bottom)) {
    bottom++;
  }
  if (top === a.height && top === b.height && a.width === b.width) return SAME;
  bottom = Math.max(0, bottom - CONTEXT);
  const oldRows = hashRows(a, width, top, a.height - bottom);
  const newRows = hashRows(b, width, top, b.height - bottom);
  // Ties in the alignment fall alike whichever side comes first only if the same side always does.
  return comesFirst(oldRows, newRows)
    ? compareAligned(a, b, width, top, oldRows, newRows)
    : mirrored(compareAligned(b, a, width, top, newRows, oldRows));
}

function sameRow(a: Picture, b: Picture, width: number, oldY: number, newY: number): boolean {
  const p = oldY * a.width;
  const q = newY * b.width;
  for (let x = 0; x < width; x++) if (a.pixels[p + x] !== b.pixels[q + x]) return false;
  return true;
}

function comesFirst(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return a.length < b.length;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return true;
}

function mirrored({ similarity, regions }: ImageComparison): ImageComparison {
  const kinds = { added: "removed", removed: "added", changed: "changed", moved: "moved" } as const;
  return {
    similarity,
    regions: sorted(
      regions.map((region) => ({ kind: kinds[region.kind], old: region.new, new: region.old })),
    ),
  };
}

function compareAligned(
  a: Picture,
  b: Picture,
  width: number,
  top: number,
  oldRows: Uint32Array,
  newRows: Uint32Array,
): ImageComparison {
  const rowsNear = (oldY: number, newY: number): boolean => {
    const p = (oldY + top) * a.width;
    const q = (newY + top) * b.width;
    for (let x = 0; x < width; x++) if (!near(a.pixels[p + x]!, b.pixels[q + x]!)) return false;
    return true;
  };
  const pieces = alignRows(oldRows, newRows, rowsNear).map((piece) => shifted(piece, top));
  const changed: Region[] = [];
  let area = 0;
  for (const piece of pieces) {
    if (piece.kind !== "paired") continue;
    const found = findBoxes(a, b, width, piece, { a: oldRows, b: newRows, first: top });
    area += found.area;
    for (const box of found.boxes) {
      changed.push({ kind: "changed", old: { ...box, y: box.y - piece.newY + piece.oldY }, new: box });
    }
  }
  return summarise(a, b, pieces, changed, area);
}

function shifted(piece: Piece, by: number): Piece {
  if (piece.kind === "added") return { ...piece, newY: piece.newY + by };
  if (piece.kind === "removed") return { ...piece, oldY: piece.oldY + by };
  return { ...piece, oldY: piece.oldY + by, newY: piece.newY + by };
}

type Size = { width: number; height: number };

function summarise(
  a: Size,
  b: Size,
  pieces: Piece[],
  changed: Region[],
  changedArea: number,
): ImageComparison {
  const regions = [...changed];
  const width = Math.min(a.width, b.width);
  let lost = 2 * changedArea;
  const band = (x: number, y: number, size: number, height: number): Region["new"] => ({
    x,
    y,
    width: size,
    height,
  });
  for (const piece of pieces) {
    if (piece.kind === "added") {
      regions.push({ kind: "added", old: null, new: band(0, piece.newY, b.width, piece.count) });
      lost += width * piece.count;
    } else if (piece.kind === "removed") {
      regions.push({ kind: "removed", old: band(0, piece.oldY, a.width, piece.count), new: null });
      lost += width * piece.count;
    } else if (piece.kind === "moved") {
      const { oldY, newY, count } = piece;
      regions.push({ kind: "moved", old: band(0, oldY, a.width, count), new: band(0, newY, b.width, count) });
      lost += 2 * MOVED * width * count;
    }
  }
  if (a.width > b.width) {
    regions.push({ kind: "removed", old: band(width, 0, a.width - width, a.height), new: null });
    lost += (a.width - width) * a.height;
  } else if (b.width > a.width) {
    regions.push({ kind: "added", old: null, new: band(width, 0, b.width - width, b.height) });
    lost += (b.width - width) * b.height;
  }
  const whole = a.width * a.height + b.width * b.height || 1;
  const similarity = Math.max(0, Math.floor((1 - lost / whole) * 10_000) / 100);
  return { similarity, regions: sorted(regions) };
}

/** From top to bottom; of very many regions the largest. */
function sorted(regions: Region[]): Region[] {
  const place = ({ old, new: now }: Region): { x: number; y: number; width: number; height: number } =>
    now ?? old ?? { x: 0, y: 0, width: 0, height: 0 };
  const size = (region: Region): number => place(region).width * place(region).height;
  const kept =
    regions.length > MAX_REGIONS
      ? regions.toSorted((p, q) => size(q) - size(p)).slice(0, MAX_REGIONS)
      : regions;
  return kept.toSorted((p, q) => place(p).y - place(q).y || place(p).x - place(q).x);
}

import type { Box } from "../../verdict/verdict.ts";
import { contains, hasSameSize, overlaps, wholeOf } from "../boxes.ts";
import type { Image } from "../compare-image.ts";
import { channelsOf, type PicturePart, paintOver } from "../crop-area.ts";
import type { Words } from "../mask-same-words.ts";
import type { Photo } from "../photo.ts";

type Side = Pick<PicturePart, "image" | "hidden"> & { photos: Photo[]; words: Words[] };

// A scaled photo keeps the average color of each part of it; another photo differs in many.
const GRID = 8;
const TOLERANCE = 16;
const MIN_COMPARED = 0.5;
const MAX_PHOTOS = 200;

/** Paints over photos that show the same in another size, because the layout around them left them more or less room. */
export function maskScaledPhotos(old: Side, now: Side): void {
  const left = now.photos.slice(0, MAX_PHOTOS);
  const [oldCovered, newCovered] = [coveredIn(old), coveredIn(now)];
  for (const photo of old.photos.slice(0, MAX_PHOTOS)) {
    const at = left.findIndex(({ src, box }) => src === photo.src && !hasSameSize(box, photo.box));
    const partner = left[at];
    const isSame =
      partner && isSameScaled([old.image, photo.box, oldCovered], [now.image, partner.box, newCovered]);
    if (!isSame) continue;
    left.splice(at, 1);
    paintOver(old.image, photo.box);
    paintOver(now.image, partner.box);
  }
}

/** What lies over the photos. */
const coveredIn = ({ hidden, words }: Side): Box[] => [...hidden, ...words.map(({ box }) => box)];

type PhotoIn = [image: Image, box: Box, covered: Box[]];

function isSameScaled([old, oldBox, oldCovered]: PhotoIn, [now, newBox, newCovered]: PhotoIn): boolean {
  if (!contains(wholeOf(old), oldBox) || !contains(wholeOf(now), newBox)) return false;
  let compared = 0;
  for (let cell = 0; cell < GRID * GRID; cell++) {
    const [a, b] = [cellOf(oldBox, cell), cellOf(newBox, cell)];
    if (a.width < 1 || a.height < 1 || b.width < 1 || b.height < 1) return false;
    if (oldCovered.some((box) => overlaps(box, a)) || newCovered.some((box) => overlaps(box, b))) continue;
    compared++;
    const [one, other] = [averageOf(old, a), averageOf(now, b)];
    if (one.some((value, channel) => Math.abs(value - (other[channel] ?? 0)) > TOLERANCE)) return false;
  }
  return compared >= MIN_COMPARED * GRID * GRID;
}

function cellOf({ x, y, width, height }: Box, cell: number): Box {
  const [column, row] = [cell % GRID, Math.floor(cell / GRID)];
  const edge = (size: number, at: number) => Math.floor((size * at) / GRID);
  const [left, top] = [edge(width, column), edge(height, row)];
  return {
    x: x + left,
    y: y + top,
    width: edge(width, column + 1) - left,
    height: edge(height, row + 1) - top,
  };
}

function averageOf(image: Image, { x, y, width, height }: Box): [number, number, number] {
  const channels = channelsOf(image);
  const sum: [number, number, number] = [0, 0, 0];
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) {
      const at = (row * image.width + column) * channels;
      for (const channel of [0, 1, 2] as const) sum[channel] += image.data[at + channel] ?? 0;
    }
  const pixels = width * height;
  return [sum[0] / pixels, sum[1] / pixels, sum[2] / pixels];
}

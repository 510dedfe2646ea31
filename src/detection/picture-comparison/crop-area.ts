import type { Box, ComparedArea } from "../verdict/verdict.ts";
import { areaOf, clip, contains, intersect, overlaps, placeIn, shiftBox, wholeOf } from "./boxes.ts";
import type { Image } from "./compare-image.ts";

/** A part of a picture: its corner, and the hidden boxes by their positions in it. */
export type PicturePart = { image: Image; corner: { x: number; y: number }; hidden: Box[] };

/** Where a part is in the whole picture. */
export const boxOfPart = ({ corner, image }: PicturePart): Box => shiftBox(wholeOf(image), corner);

export const channelsOf = ({ data, width, height }: Image) => data.length / (width * height);

/** Crops a picture to the area of the `only` boxes; paints what is outside them or hidden with what is around it. */
export function see(image: Image, { only, hidden }: ComparedArea): PicturePart {
  const frame = only ? spanOf(only, image) : wholeOf(image);
  const channels = channelsOf(image);
  const part: Image = {
    width: frame.width,
    height: frame.height,
    data: new Uint8Array(frame.width * frame.height * channels),
  };
  const copy = (box: Box) => {
    const shared = intersect(box, frame);
    if (!shared) return;
    const { x, y, width, height } = shared;
    for (let row = y; row < y + height; row++) {
      const from = (row * image.width + x) * channels;
      const bytes = image.data.subarray(from, from + width * channels);
      part.data.set(bytes, ((row - frame.y) * frame.width + x - frame.x) * channels);
    }
  };
  if (only && only.length > 1) part.data.fill(255);
  for (const box of only ?? [frame]) copy(box);
  const inPart = hidden.map((box) => placeIn(frame, box));
  for (const box of inPart) paintOver(part, box);
  return { image: part, corner: frame, hidden: inPart };
}

export function colorAt({ width, height, data }: Image, pixel: number): number {
  const at = pixel * (data.length / (width * height));
  return ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
}

function spanOf(boxes: Box[], { width, height }: Image): Box {
  const clamp = (value: number, most: number) => Math.min(Math.max(0, value), most);
  const x = clamp(Math.min(...boxes.map((box) => box.x)), width - 1);
  const y = clamp(Math.min(...boxes.map((box) => box.y)), height - 1);
  const right = clamp(Math.max(...boxes.map((box) => box.x + box.width)), width);
  const bottom = clamp(Math.max(...boxes.map((box) => box.y + box.height)), height);
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}

/** The most frequent color next to a box: what is hidden leaves no trace then, whatever it is drawn on. */
export function colorAround(image: Image, box: Box): Uint8Array {
  const channels = channelsOf(image);
  const counts = new Map<number, { pixel: number; count: number }>();
  const count = (x: number, y: number) => {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    const pixel = y * image.width + x;
    const color = colorAt(image, pixel);
    const known = counts.get(color);
    if (known) known.count++;
    else counts.set(color, { pixel, count: 1 });
  };
  for (let x = box.x; x < box.x + box.width; x++)
    for (const y of [box.y - 1, box.y + box.height]) count(x, y);
  for (let y = box.y; y < box.y + box.height; y++)
    for (const x of [box.x - 1, box.x + box.width]) count(x, y);
  const [first] = [...counts.values()].sort((a, b) => b.count - a.count);
  const at = (first?.pixel ?? 0) * channels;
  return first ? image.data.slice(at, at + channels) : new Uint8Array(channels).fill(255);
}

/** Paints over what a box shows of a picture, in the color around it. */
export function paintOver(image: Image, box: Box): void {
  const visible = clip(box, image);
  if (!visible) return;
  const { x, y: top, width, height } = visible;
  const color = colorAround(image, visible);
  const row = new Uint8Array(width * color.length);
  for (let at = 0; at < row.length; at += color.length) row.set(color, at);
  for (let y = top; y < top + height; y++) image.data.set(row, (y * image.width + x) * color.length);
}

/**
 * The parts of a crop that count, one for each chosen element, so that each is compared with itself, wherever the
 * layout puts it. Elements that overlap far too much for that are one part.
 */
export function cutParts(crop: PicturePart, only: Box[] | null): PicturePart[] {
  if (!only) return [crop];
  const { image, corner, hidden } = crop;
  const outer = withoutInner(only.flatMap((box) => clip(placeIn(corner, box), image) ?? []));
  const area = outer.reduce((sum, box) => sum + areaOf(box), 0);
  const isTooMuch = area > image.width * image.height || outer.length * hidden.length > MAX_PAIRS;
  if (outer.length < 2 || isTooMuch) return [crop];
  return outer.map((box) => {
    const part = see(image, { only: [box], hidden: [] });
    const inPart = hidden.filter((one) => overlaps(one, box));
    return {
      image: part.image,
      corner: shiftBox(box, corner),
      hidden: inPart.map((one) => placeIn(box, one)),
    };
  });
}

// Of chosen and hidden boxes. Beyond it, finding out which is over which takes longer than the comparison.
const MAX_PAIRS = 4_000_000;
// With more boxes than this, finding those inside others costs more than comparing them twice.
const MAX_SEARCHED = 2000;

function withoutInner(boxes: Box[]): Box[] {
  if (boxes.length > MAX_SEARCHED) return boxes;
  return boxes.filter(
    (inner, at) =>
      !boxes.some(
        (outer, other) => other !== at && contains(outer, inner) && (!contains(inner, outer) || other < at),
      ),
  );
}

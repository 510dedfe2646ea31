import type { Box, ComparedArea, Region } from "../verdict/verdict.ts";
import { compareImage, type Image, type ImageComparison } from "./compare-image.ts";
import { measureContent } from "./measure-content.ts";
import { toPictures } from "./picture.ts";

// A region is hidden if hidden boxes cover this share of it; its edges are only as precise as the tiles.
const COVERED = 0.6;

/** Compares the parts of two pictures that count. The positions of regions refer to the whole pictures. */
export function compareVisibleAreas(
  before: Image,
  after: Image,
  [old, now]: [ComparedArea, ComparedArea],
  isExact = false,
): ImageComparison {
  if (isWhole(old) && isWhole(now)) return compareImage(before, after, isExact);
  const [oldPart, newPart] = [see(before, old), see(after, now)];
  const { similarity, regions } = compareImage(oldPart.image, newPart.image, isExact);
  const isInvisible = (box: Box | null, side: PicturePart) =>
    box === null || isCovered(box, side.hidden) || isBlank(side, box);
  const visibleRegions = regions
    .filter((region) => !isInvisible(region.old, oldPart) || !isInvisible(region.new, newPart))
    .map(
      (region): Region => ({
        ...region,
        old: region.old && shiftBox(region.old, oldPart.corner),
        new: region.new && shiftBox(region.new, newPart.corner),
      }),
    );
  return { similarity: visibleRegions.length === 0 ? 100 : similarity, regions: visibleRegions };
}

const isWhole = ({ only, hidden }: ComparedArea) => only === null && hidden.length === 0;

type PicturePart = { image: Image; corner: { x: number; y: number }; hidden: Box[]; paint: Uint8Array };

/** Crops a picture to the area of the `only` boxes; paints what is outside them or hidden with the background. */
export function see(image: Image, { only, hidden }: ComparedArea): PicturePart {
  const frame = only ? spanOf(only, image) : { x: 0, y: 0, width: image.width, height: image.height };
  const channels = image.data.length / (image.width * image.height);
  const part: Image = {
    width: frame.width,
    height: frame.height,
    data: new Uint8Array(frame.width * frame.height * channels),
  };
  const paint = backgroundOf(image, channels);
  const copy = (box: Box) => {
    const left = Math.max(box.x, frame.x);
    const right = Math.min(box.x + box.width, frame.x + frame.width);
    const end = Math.min(box.y + box.height, frame.y + frame.height);
    if (right <= left) return;
    for (let y = Math.max(box.y, frame.y); y < end; y++) {
      const from = (y * image.width + left) * channels;
      const bytes = image.data.subarray(from, from + (right - left) * channels);
      part.data.set(bytes, ((y - frame.y) * frame.width + left - frame.x) * channels);
    }
  };
  if (only) fill(part, channels, paint, { x: 0, y: 0, width: part.width, height: part.height });
  for (const box of only ?? [frame]) copy(box);
  const inPart = hidden.map((box) => shiftBox(box, { x: -frame.x, y: -frame.y }));
  for (const box of inPart) fill(part, channels, paint, box);
  return { image: part, corner: frame, hidden: inPart, paint };
}

function spanOf(boxes: Box[], { width, height }: Image): Box {
  const clamp = (value: number, most: number) => Math.min(Math.max(0, value), most);
  const x = clamp(Math.min(...boxes.map((box) => box.x)), width - 1);
  const y = clamp(Math.min(...boxes.map((box) => box.y)), height - 1);
  const right = clamp(Math.max(...boxes.map((box) => box.x + box.width)), width);
  const bottom = clamp(Math.max(...boxes.map((box) => box.y + box.height)), height);
  return { x, y, width: Math.max(1, right - x), height: Math.max(1, bottom - y) };
}

function backgroundOf(image: Image, channels: number): Uint8Array {
  const [picture] = toPictures(image, image);
  const color = measureContent(picture, picture.width).background ?? 0xffffffff;
  return Uint8Array.from({ length: channels }, (_, at) => (color >>> (8 * at)) & 255);
}

function fill(image: Image, channels: number, paint: Uint8Array, box: Box): void {
  const left = Math.max(0, box.x);
  const right = Math.min(image.width, box.x + box.width);
  const top = Math.max(0, box.y);
  const end = Math.min(image.height, box.y + box.height);
  if (right <= left || end <= top) return;
  const row = new Uint8Array((right - left) * channels);
  for (let at = 0; at < row.length; at += channels) row.set(paint, at);
  for (let y = top; y < end; y++) image.data.set(row, (y * image.width + left) * channels);
}

function isCovered(box: Box, hidden: Box[]): boolean {
  let area = 0;
  for (const other of hidden) {
    const width = Math.min(box.x + box.width, other.x + other.width) - Math.max(box.x, other.x);
    const height = Math.min(box.y + box.height, other.y + other.height) - Math.max(box.y, other.y);
    if (width > 0 && height > 0) area += width * height;
  }
  return area >= COVERED * box.width * box.height;
}

/** Whether a box shows only the background, for example where something was painted over. */
function isBlank({ image, paint }: PicturePart, box: Box): boolean {
  const { width, height, data } = image;
  const end = Math.min(height, box.y + box.height);
  const right = Math.min(width, box.x + box.width);
  for (let y = Math.max(0, box.y); y < end; y++) {
    for (let x = Math.max(0, box.x); x < right; x++) {
      const at = (y * width + x) * paint.length;
      for (let i = 0; i < paint.length; i++) if (data[at + i] !== paint[i]) return false;
    }
  }
  return true;
}

function shiftBox(box: Box, { x, y }: { x: number; y: number }): Box {
  return { ...box, x: box.x + x, y: box.y + y };
}

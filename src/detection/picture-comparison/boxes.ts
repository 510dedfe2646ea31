import type { Box, Region } from "../verdict/verdict.ts";

type Point = { x: number; y: number };
type Size = { width: number; height: number };

export const areaOf = ({ width, height }: Box) => width * height;

/** The area that two boxes share. */
export function sharedArea(a: Box, b: Box): number {
  const shared = intersect(a, b);
  return shared ? areaOf(shared) : 0;
}

/** What two boxes have in common; null if that is nothing. */
export function intersect(a: Box, b: Box): Box | null {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** The part of a box that lies in a picture; null if none does. */
export const clip = (box: Box, image: Size) => intersect(box, wholeOf(image));

export const wholeOf = ({ width, height }: Size): Box => ({ x: 0, y: 0, width, height });

/** The smallest box around two others. */
export function unionOf(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

export const contains = (outer: Box, inner: Box) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

export const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

export const hasSameSize = (a: Size, b: Size) => a.width === b.width && a.height === b.height;

export const shiftBox = (box: Box, { x, y }: Point): Box => ({ ...box, x: box.x + x, y: box.y + y });

/** The place of a box in a part of the picture that begins at this corner. */
export const placeIn = (corner: Point, box: Box): Box => shiftBox(box, { x: -corner.x, y: -corner.y });

/** Where a region is: in the new picture, or in the old one if it is gone. */
export const boxOf = ({ old, new: now }: Region): Box => now ?? old ?? { x: 0, y: 0, width: 0, height: 0 };

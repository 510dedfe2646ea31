import type { Box } from "../../verdict/verdict.ts";
import { areaOf, contains, hasSameSize, intersect, shiftBox } from "../boxes.ts";
import type { Image } from "../compare-image.ts";
import { near } from "../compare-pixels.ts";
import { boxOfPart, colorAt, type PicturePart } from "../crop-area.ts";
import type { Photo } from "../photo.ts";

/** A whole picture, and the images in it. */
export type Whole = { image: Image; photos: Photo[] };
type Point = { x: number; y: number };
/** A part, and the boxes of its words in it. */
type WithWords = [part: PicturePart, words: Box[]];

// Share of the pixels that must show what is behind; other elements may lie over some of it.
const SEEN = 0.8;
// Share of a part that must be free of words to tell what is behind it.
const MIN_FREE = 0.05;
// Width of the frame around a part that shows whether the photo behind it is another one.
const FRAME = 12;
const REPLACED = 0.5;

/** Whether every difference between two boxes of the same size lies under one of the given boxes of either side. */
export function differsOnlyUnder(
  [old, oldBox, oldOver]: [PicturePart, Box, Box[]],
  [now, newBox, newOver]: [PicturePart, Box, Box[]],
): boolean {
  if (!hasSameSize(oldBox, newBox)) return false;
  const isUnder = markUnder(oldBox, oldOver, markUnder(newBox, newOver));
  for (let at = 0; at < isUnder.length; at++) {
    if (isUnder[at]) continue;
    const [x, y] = [at % oldBox.width, Math.floor(at / oldBox.width)];
    const [one, other] = [pixelOf(old.image, oldBox, x, y), pixelOf(now.image, newBox, x, y)];
    if (one !== null && other !== null ? !near(one, other) : one !== other) return false;
  }
  return true;
}

/**
 * Whether a chosen part only shows a picture that lies behind it and isn't chosen: it has moved over that picture, or
 * the picture was replaced or scaled. The boxes are words of the part, which are compared by themselves.
 */
export function seesThrough(
  [old, oldWords]: WithWords,
  [now, newWords]: WithWords,
  before: Whole,
  after: Whole,
): boolean {
  const [oldBox, newBox] = [boxOfPart(old), boxOfPart(now)];
  const moved = { x: newBox.x - oldBox.x, y: newBox.y - oldBox.y };
  const [oldPhoto, newPhoto] = [photoBehind(before, oldBox), photoBehind(after, newBox)];
  const isKnown = oldPhoto !== null && newPhoto !== null;
  if (isKnown && !hasSameSize(oldPhoto, newPhoto)) return true;
  const shift = isKnown ? { x: newPhoto.x - oldPhoto.x, y: newPhoto.y - oldPhoto.y } : { x: 0, y: 0 };
  if (shift.x !== moved.x || shift.y !== moved.y)
    return (
      shows([old, oldWords], after.image, shift) &&
      shows([now, newWords], before.image, { x: -shift.x, y: -shift.y })
    );
  return isKnown && isReplacedAround(before.image, oldBox, after.image, newBox);
}

/** The smallest image behind a box that isn't chosen itself. */
function photoBehind({ photos }: Whole, box: Box): Box | null {
  const behind = photos.filter((photo) => !photo.isLeft && contains(photo.box, box));
  return behind.sort((a, b) => areaOf(a.box) - areaOf(b.box))[0]?.box ?? null;
}

/** Whether a part without its words looks like the other picture at its place, shifted. */
function shows([part, words]: WithWords, other: Image, shift: Point): boolean {
  const box = boxOfPart(part);
  const isUnder = markUnder({ ...box, x: 0, y: 0 }, [...words, ...part.hidden]);
  let [free, same] = [0, 0];
  const there = shiftBox(box, shift);
  for (let at = 0; at < isUnder.length; at++) {
    if (isUnder[at]) continue;
    free++;
    const [x, y] = [at % box.width, Math.floor(at / box.width)];
    const [one, behind] = [pixelOf(part.image, { ...box, x: 0, y: 0 }, x, y), pixelOf(other, there, x, y)];
    if (one !== null && behind !== null && near(one, behind)) same++;
  }
  return free >= MIN_FREE * isUnder.length && same >= SEEN * free;
}

/** Whether most of what is around a box differs from what is around the other. */
function isReplacedAround(before: Image, oldBox: Box, after: Image, newBox: Box): boolean {
  let [all, different] = [0, 0];
  for (let y = -FRAME; y < oldBox.height + FRAME; y++)
    for (let x = -FRAME; x < oldBox.width + FRAME; x++) {
      if (x >= 0 && y >= 0 && x < oldBox.width && y < oldBox.height) continue;
      const [one, other] = [pixelOf(before, oldBox, x, y), pixelOf(after, newBox, x, y)];
      if (one === null || other === null) continue;
      all++;
      if (!near(one, other)) different++;
    }
  return all > 0 && different >= REPLACED * all;
}

function pixelOf(image: Image, { x, y }: Box, column: number, row: number): number | null {
  const [left, top] = [x + column, y + row];
  const isInside = left >= 0 && top >= 0 && left < image.width && top < image.height;
  return isInside ? colorAt(image, top * image.width + left) : null;
}

/** Marks the pixels of a box that lie under others. */
function markUnder(box: Box, others: Box[], marks = new Uint8Array(box.width * box.height)) {
  for (const other of others) {
    const under = intersect(other, box);
    if (!under) continue;
    for (let y = under.y; y < under.y + under.height; y++) {
      const from = (y - box.y) * box.width + under.x - box.x;
      marks.fill(1, from, from + under.width);
    }
  }
  return marks;
}

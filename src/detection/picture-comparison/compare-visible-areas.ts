import type { Box, ComparedArea, Region } from "../verdict/verdict.ts";
import { areaOf, clip, hasSameSize, overlaps, placeIn, sharedArea, shiftBox } from "./boxes.ts";
import { compareImage, type Image, type ImageComparison, sortRegions } from "./compare-image.ts";
import { boxOfPart, colorAt, cutParts, type PicturePart, see } from "./crop-area.ts";
import { maskSameWords, type SameWords, type Words } from "./mask-same-words.ts";
import type { Photo } from "./photo.ts";
import { maskScaledPhotos } from "./photos/mask-scaled-photos.ts";
import { differsOnlyUnder, seesThrough, type Whole } from "./photos/see-through.ts";
import { toPictures } from "./picture.ts";
import { findNewPieces, type NewPieces } from "./pieces/find-new-pieces.ts";
import { splitPicture } from "./pieces/split-picture.ts";

// A region is hidden if hidden boxes cover this share of it; its edges are only as precise as the tiles.
const COVERED = 0.6;

/** The part of a picture that counts, with the words and photos in it. */
export type Side = ComparedArea & { words?: Words[]; photos?: Photo[] };

/**
 * Compares the parts of two pictures that count. The positions of regions refer to the whole pictures. Where rules left
 * something out, a region in which the same words and images are only at other places, or over another photo, is
 * marked as layout.
 */
export function compareVisibleAreas(
  before: Image,
  after: Image,
  [old, now]: [Side, Side],
  isExact = false,
): ImageComparison {
  if (isWhole(old) && isWhole(now)) return compareImage(before, after, isExact);
  const [oldCrop, newCrop] = [see(before, old), see(after, now)];
  // Most checks end here, since measuring words reads every pixel of them.
  if (
    hasSameSize(oldCrop.image, newCrop.image) &&
    compareImage(oldCrop.image, newCrop.image).regions.length === 0
  )
    return { similarity: 100, regions: [] };
  const [oldContents, newContents] = [withContents(oldCrop, old), withContents(newCrop, now)];
  const onPhotos = maskSameWords(oldContents, newContents);
  maskScaledPhotos(oldContents, newContents);
  const context: Context = {
    before: { image: before, photos: old.photos ?? [] },
    after: { image: after, photos: now.photos ?? [] },
    words: [(old.words ?? []).map(({ box }) => box), (now.words ?? []).map(({ box }) => box)],
    moved: findMovedWords(onPhotos, oldCrop, newCrop),
    isChosen: old.only !== null && now.only !== null,
    isExact,
  };
  const pairs = pairParts(cutParts(oldCrop, old.only), cutParts(newCrop, now.only));
  const compared = pairs.map((pair) => ({ area: areaOfPair(pair), ...comparePair(pair, context) }));
  const found = compared.flatMap(({ differences }) => differences);
  const regions = sortRegions(found.map(({ region }) => region));
  if (regions.length === 0) return { similarity: 100, regions };
  const layout = new Set(found.filter(({ isLayout }) => isLayout).map(({ region }) => region));
  const layoutOnly = regions.flatMap((region, index) => (layout.has(region) ? [index] : []));
  const whole = compared.reduce((sum, { area }) => sum + area, 0);
  const same = compared.reduce((sum, { area, similarity }) => sum + area * similarity, 0);
  const isLayoutOnly = layoutOnly.length === regions.length;
  const similarity = isLayoutOnly ? 100 : Math.min(99.99, Math.floor((same / whole) * 100) / 100);
  return { similarity, regions, ...(layoutOnly.length > 0 && { layoutOnly }) };
}

const isWhole = ({ only, hidden }: ComparedArea) => only === null && hidden.length === 0;

/** A part with its words and photos, by their places in it. */
function withContents(part: PicturePart, { words = [], photos = [] }: Side) {
  const move = <Item extends { box: Box }>(item: Item): Item => ({
    ...item,
    box: placeIn(part.corner, item.box),
  });
  return { ...part, words: words.map(move), photos: photos.map(move) };
}

type Context = {
  before: Whole;
  after: Whole;
  /** Where words are in both whole pictures, and where the same words on photos are at another place. */
  words: [old: Box[], now: Box[]];
  moved: [old: Box[], now: Box[]];
  /** Whether only chosen elements are compared. */
  isChosen: boolean;
  isExact: boolean;
};

/** The words on photos that moved, or may have: what is ignored lies between them. In positions of the whole pictures. */
function findMovedWords(same: SameWords[], old: PicturePart, now: PicturePart): Context["moved"] {
  const mayHaveMoved = same.filter(
    ({ old: a, now: b }) =>
      a.x !== b.x ||
      a.y !== b.y ||
      !hasSameSize(a, b) ||
      old.hidden.some((box) => overlaps(box, a)) ||
      now.hidden.some((box) => overlaps(box, b)),
  );
  return [
    mayHaveMoved.map((words) => shiftBox(words.old, old.corner)),
    mayHaveMoved.map((words) => shiftBox(words.now, now.corner)),
  ];
}

type Pair =
  | { old: PicturePart; now: PicturePart }
  | { old: PicturePart; now: null }
  | { old: null; now: PicturePart };
type Difference = { region: Region; isLayout: boolean };

/** Pairs the chosen elements of both pictures: those that look the same first, in any order, the others in theirs. */
function pairParts(old: PicturePart[], now: PicturePart[]): Pair[] {
  if (old.length === 1 && now.length === 1)
    return [{ old: old[0] as PicturePart, now: now[0] as PicturePart }];
  const pairs: Pair[] = [];
  let [oldLeft, newLeft] = [old, now];
  for (const nameLook of [pixelsOf, piecesOf]) {
    const byLook = Map.groupBy(newLeft, nameLook);
    oldLeft = oldLeft.filter((part) => {
      const partner = byLook.get(nameLook(part))?.shift();
      if (partner) pairs.push({ old: part, now: partner });
      return !partner;
    });
    const unpaired = new Set([...byLook.values()].flat());
    newLeft = newLeft.filter((part) => unpaired.has(part));
    if (oldLeft.length === 0 || newLeft.length === 0) break;
  }
  for (let at = 0; at < Math.max(oldLeft.length, newLeft.length); at++)
    pairs.push({ old: oldLeft[at] ?? null, now: newLeft[at] ?? null } as Pair);
  return pairs;
}

function pixelsOf({ image: { width, height, data } }: PicturePart): string {
  let [one, other] = [width, height];
  for (const byte of data) {
    one = Math.imul(one ^ byte, 0x01000193);
    other = Math.imul(((other << 5) | (other >>> 27)) ^ byte, 0x9e3779b1);
  }
  return `${width} ${height} ${one} ${other}`;
}

/** Names the words and images of a part in their order, whatever their places; unique if it has too many. */
function piecesOf(part: PicturePart): string {
  const [picture] = toPictures(part.image, part.image);
  const found = splitPicture(picture);
  if (!found) return pixelsOf(part);
  return [
    ...found.pieces.map(({ look }) => look),
    "on",
    ...[...found.backgrounds.keys()].sort((a, b) => a - b),
  ].join(" ");
}

function areaOfPair({ old, now }: Pair): number {
  return (old ? areaOf(boxOfPart(old)) : 0) + (now ? areaOf(boxOfPart(now)) : 0);
}

function comparePair(
  { old, now }: Pair,
  context: Context,
): { similarity: number; differences: Difference[] } {
  if (!old || !now) {
    const region: Region = old
      ? { kind: "removed", old: boxOfPart(old), new: null }
      : { kind: "added", old: null, new: boxOfPart(now as PicturePart) };
    return { similarity: 0, differences: [{ region, isLayout: false }] };
  }
  const { similarity, regions } = compareImage(old.image, now.image, context.isExact);
  const isUnder = (region: Region, oldOver: Box[], newOver: Box[]) =>
    region.old !== null &&
    region.new !== null &&
    differsOnlyUnder([old, region.old, oldOver], [now, region.new, newOver]);
  const visible = regions.filter(
    (region) => isVisible(region.old, old, region.new, now) && !isUnder(region, old.hidden, now.hidden),
  );
  if (visible.length === 0) return { similarity: 100, differences: [] };
  const [oldMoved, newMoved] = [boxesIn(old, context.moved[0]), boxesIn(now, context.moved[1])];
  const isOnlyBehind =
    context.isChosen &&
    seesThrough(
      [old, boxesIn(old, context.words[0])],
      [now, boxesIn(now, context.words[1])],
      context.before,
      context.after,
    );
  const news = findNews(old.image, now.image, visible);
  const isNews = (box: Box | null, found: Box[]) => box !== null && found.some((one) => overlaps(one, box));
  const differences = visible.map(
    (region): Difference => ({
      region: {
        ...region,
        old: region.old && shiftBox(region.old, old.corner),
        new: region.new && shiftBox(region.new, now.corner),
      },
      // The rows may be aligned by the pieces that stayed, or by those that moved.
      isLayout:
        isOnlyBehind ||
        isUnder(region, [...old.hidden, ...oldMoved], [...now.hidden, ...newMoved]) ||
        (news !== null &&
          !news.isReordered &&
          !isNews(region.old, news.old) &&
          !isNews(region.new, news.now)),
    }),
  );
  return { similarity: 100 - (100 - similarity) * (news?.share ?? 1), differences };
}

/** The boxes that lie over a part, by their positions in it. */
const boxesIn = (part: PicturePart, boxes: Box[]): Box[] =>
  boxes.filter((box) => overlaps(box, boxOfPart(part))).map((box) => placeIn(part.corner, box));

// Below this number of pixels all rows are split, which shows that unchanged rows changed their order.
const SMALL_PART = 500_000;

/** What is new in the rows of these regions, whatever its place; null if that can't be found out. */
function findNews(before: Image, after: Image, regions: Region[]): NewPieces | null {
  const [a, b] = toPictures(before, after);
  const isSmall = Math.max(a.width * a.height, b.width * b.height) <= SMALL_PART;
  const touches = (side: "old" | "new") => (from: number, to: number) =>
    isSmall || regions.some(({ [side]: box }) => box !== null && box.y < to && box.y + box.height > from);
  const old = splitPicture(a, touches("old"));
  const now = old && splitPicture(b, touches("new"));
  return now && findNewPieces(old, now);
}

/** Whether a region shows anything: on either side it may be hidden, or without anything in it. */
function isVisible(oldBox: Box | null, old: PicturePart, newBox: Box | null, now: PicturePart): boolean {
  if (!oldBox) return newBox !== null && showsMoreThanBackground(newBox, now);
  if (!newBox) return showsMoreThanBackground(oldBox, old);
  const [oldColor, newColor] = [plainColorOf(oldBox, old), plainColorOf(newBox, now)];
  const isEmpty = (box: Box, part: PicturePart, color: number | null) =>
    color !== null || isCovered(box, part.hidden);
  if (!isEmpty(oldBox, old, oldColor) || !isEmpty(newBox, now, newColor)) return true;
  return oldColor !== null && newColor !== null && oldColor !== newColor;
}

function showsMoreThanBackground(box: Box, part: PicturePart): boolean {
  return !isCovered(box, part.hidden) && plainColorOf(box, part) !== backgroundOf(part);
}

/** The most frequent color among pixels that are spread over a part. */
function backgroundOf({ image }: PicturePart): number {
  const counts = new Map<number, number>();
  const step = Math.max(1, Math.floor((image.width * image.height) / 10_007));
  for (let at = 0; at < image.width * image.height; at += step) {
    const color = colorAt(image, at);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [-1, 0])[0] as number;
}

/** The color of a box; null if it has several, as where something is drawn in it. */
function plainColorOf(box: Box, { image }: PicturePart): number | null {
  const visible = clip(box, image);
  if (!visible) return null;
  const { x: left, y: top, width, height } = visible;
  const color = colorAt(image, top * image.width + left);
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++) if (colorAt(image, y * image.width + x) !== color) return null;
  return color;
}

function isCovered(box: Box, hidden: Box[]): boolean {
  const area = hidden.reduce((sum, other) => sum + sharedArea(box, other), 0);
  return area >= COVERED * areaOf(box);
}

import type { Box } from "../verdict/verdict.ts";
import { clip } from "./boxes.ts";
import type { Image } from "./compare-image.ts";
import { channelsOf, colorAround, paintOver } from "./crop-area.ts";

/** A block of text at its place in a picture. */
export type Words = { text: string; box: Box };

type Side = { image: Image; words: Words[] };

// How much the ink of the same words may differ: a browser draws letters at fractions of pixels.
const INK_TOLERANCE = 0.08;
const INK_SLACK = 1_500;
// Share of a text's box that must have one color. Where words lie on a photo, nothing is known about them alone.
const MIN_PLAIN = 0.4;
const MAX_BLOCKS = 20_000;

/** Boxes of the same words in both pictures. */
export type SameWords = { old: Box; now: Box };

/**
 * Paints over blocks of text that say the same in both pictures with the same amount of ink in the same colors, so that
 * neither their places nor where their lines break make a difference. Words in another color or size stay. Returns the
 * words on photos, of which only the text is known.
 */
export function maskSameWords(old: Side, now: Side): SameWords[] {
  if (old.words.length > MAX_BLOCKS || now.words.length > MAX_BLOCKS) return [];
  const byText = Map.groupBy(now.words, ({ text }) => normalize(text));
  const masks: [Image, Box][] = [];
  const onPhotos: SameWords[] = [];
  for (const { text, box } of old.words) {
    const others = byText.get(normalize(text));
    if (!others) continue;
    const ink = measureInk(old.image, box);
    const isPartner = (other: Words) => {
      const otherInk = measureInk(now.image, other.box);
      return ink ? isSameInk(ink, otherInk) : otherInk === null;
    };
    const at = others.findIndex(isPartner);
    const [partner] = at < 0 ? [] : others.splice(at, 1);
    if (!partner) continue;
    if (ink) masks.push([old.image, box], [now.image, partner.box]);
    else onPhotos.push({ old: box, now: partner.box });
  }
  // Painted at the end, because blocks may overlap.
  for (const [image, box] of masks) paintOver(image, box);
  return onPhotos;
}

const normalize = (text: string) => text.replace(/\s+/g, " ").trim();

/** What is drawn in a box, whatever its place in it: the color behind it, and how much differs from that. */
type Ink = { behind: number; sum: [number, number, number]; amount: number };

function measureInk(image: Image, box: Box): Ink | null {
  const visible = clip(box, image);
  if (!visible) return null;
  const channels = channelsOf(image);
  const [red = 0, green = 0, blue = 0] = colorAround(image, visible);
  const ink: Ink = { behind: (red << 16) | (green << 8) | blue, sum: [0, 0, 0], amount: 0 };
  let plain = 0;
  for (let y = visible.y; y < visible.y + visible.height; y++) {
    for (let x = visible.x; x < visible.x + visible.width; x++) {
      const at = (y * image.width + x) * channels;
      const difference = [
        (image.data[at] ?? 0) - red,
        (image.data[at + 1] ?? 0) - green,
        (image.data[at + 2] ?? 0) - blue,
      ] as const;
      const amount = Math.abs(difference[0]) + Math.abs(difference[1]) + Math.abs(difference[2]);
      if (amount === 0) plain++;
      ink.amount += amount;
      for (const channel of [0, 1, 2] as const) ink.sum[channel] += difference[channel];
    }
  }
  return plain >= MIN_PLAIN * visible.width * visible.height ? ink : null;
}

function isSameInk(one: Ink, other: Ink | null): boolean {
  if (!other || one.behind !== other.behind) return false;
  const slack = INK_SLACK + INK_TOLERANCE * Math.max(one.amount, other.amount);
  const isNear = (a: number, b: number) => Math.abs(a - b) <= slack;
  return (
    isNear(one.amount, other.amount) &&
    one.sum.every((value, channel) => isNear(value, other.sum[channel] ?? 0))
  );
}

import { type Picture, pixelAt } from "./picture.ts";

// Skia dithers gradients by device row: the same gradient, shifted, differs by one step in a channel.
const TOLERANCE = 2;
// A tenth of the maximum YIQ distance, squared: what pixelmatch and odiff consider visible.
const VISIBLE = 35215 * 0.1 * 0.1;
// For image files, which are drawn the same each time: there even a faint digit counts.
const FAINT = 35215 * 0.03 * 0.03;

/** Whether no channel differs by more than dithering does. */
export function near(p: number, q: number): boolean {
  if (p === q) return true;
  return (
    Math.abs((p & 255) - (q & 255)) <= TOLERANCE &&
    Math.abs(((p >>> 8) & 255) - ((q >>> 8) & 255)) <= TOLERANCE &&
    Math.abs(((p >>> 16) & 255) - ((q >>> 16) & 255)) <= TOLERANCE &&
    Math.abs((p >>> 24) - (q >>> 24)) <= TOLERANCE
  );
}

/**
 * Whether a person would see that the pixel changed: more than dithering, visible to the eye, and not anti-aliasing.
 * An image file is drawn the same each time, so every visible difference counts there (`isExact`).
 */
export function visiblyDiffers(
  a: Picture,
  b: Picture,
  x: number,
  oldY: number,
  newY: number,
  isExact: boolean,
): boolean {
  const p = pixelAt(a, x, oldY);
  const q = pixelAt(b, x, newY);
  if (near(p, q) || distance(p, q) <= (isExact ? FAINT : VISIBLE)) return false;
  if (isExact) return true;
  return !isAntiAliased(a, x, oldY, b, newY) && !isAntiAliased(b, x, newY, a, oldY);
}

/** Squared YIQ distance (Kotsarenko and Ramos), transparent pixels over white. */
function distance(p: number, q: number): number {
  const r = blendOnWhite(p & 255, p) - blendOnWhite(q & 255, q);
  const g = blendOnWhite((p >>> 8) & 255, p) - blendOnWhite((q >>> 8) & 255, q);
  const b = blendOnWhite((p >>> 16) & 255, p) - blendOnWhite((q >>> 16) & 255, q);
  const y = r * 0.29889531 + g * 0.58662247 + b * 0.11448223;
  const i = r * 0.59597799 - g * 0.2741761 - b * 0.32180189;
  const u = r * 0.21147017 - g * 0.52261711 + b * 0.31114694;
  return 0.5053 * y * y + 0.299 * i * i + 0.1957 * u * u;
}

function blendOnWhite(channel: number, pixel: number): number {
  const alpha = pixel >>> 24;
  return alpha === 255 ? channel : 255 + ((channel - 255) * alpha) / 255;
}

function brightness(p: number): number {
  return (p & 255) * 0.29889531 + ((p >>> 8) & 255) * 0.58662247 + ((p >>> 16) & 255) * 0.11448223;
}

/** Detects anti-aliasing (Vysniauskas 2009, as in pixelmatch): a slope between two flat neighbors in both pictures. */
function isAntiAliased(image: Picture, x: number, y: number, other: Picture, otherY: number): boolean {
  const { width, height } = image;
  const center = pixelAt(image, x, y);
  const centerBrightness = brightness(center);
  let equal = x === 0 || y === 0 || x === width - 1 || y === height - 1 ? 1 : 0;
  let low = 0;
  let high = 0;
  let lowX = 0;
  let lowY = 0;
  let highX = 0;
  let highY = 0;
  for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, height - 1); row++) {
    for (let column = Math.max(x - 1, 0); column <= Math.min(x + 1, width - 1); column++) {
      if (column === x && row === y) continue;
      const pixel = pixelAt(image, column, row);
      const slope = pixel === center ? 0 : centerBrightness - brightness(pixel);
      if (slope === 0) {
        if (++equal > 2) return false;
      } else if (slope < low) {
        low = slope;
        lowX = column;
        lowY = row;
      } else if (slope > high) {
        high = slope;
        highX = column;
        highY = row;
      }
    }
  }
  if (low === 0 || high === 0) return false;
  const shift = otherY - y;
  return (
    (isFlat(image, lowX, lowY) && isFlat(other, lowX, lowY + shift)) ||
    (isFlat(image, highX, highY) && isFlat(other, highX, highY + shift))
  );
}

/** Whether at least three neighbors have exactly the color of this pixel. */
function isFlat(image: Picture, x: number, y: number): boolean {
  const { width, height } = image;
  if (x < 0 || y < 0 || x >= width || y >= height) return false;
  const center = pixelAt(image, x, y);
  let equal = x === 0 || y === 0 || x === width - 1 || y === height - 1 ? 1 : 0;
  for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, height - 1); row++) {
    for (let column = Math.max(x - 1, 0); column <= Math.min(x + 1, width - 1); column++) {
      if ((column !== x || row !== y) && pixelAt(image, column, row) === center && ++equal > 2) return true;
    }
  }
  return false;
}

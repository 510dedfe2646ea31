/** A decoded picture: rows of RGB or RGBA bytes, three or four per pixel. */
export type Image = { width: number; height: number; data: Uint8Array };

/** The same, with rows that can also be read four bytes at a time. */
export type Picture = {
  width: number;
  height: number;
  channels: 3 | 4;
  bytes: Uint8Array;
  words: Uint32Array;
  wordsPerRow: number;
};

/** Number of column bands that each row is hashed in, so that a rotating sidebar doesn't make every row new. */
export const BANDS = 8;

/** Converts both pictures to one layout. RGB is only widened to RGBA if its rows would not start on whole words. */
export function toPictures(a: Image, b: Image): [Picture, Picture] {
  const channels = [a, b].every((image) => channelsOf(image) === 3 && image.width % 4 === 0) ? 3 : 4;
  return [toPicture(a, channels), toPicture(b, channels)];
}

function toPicture(image: Image, channels: 3 | 4): Picture {
  const { width, height } = image;
  const data = channelsOf(image) === channels ? image.data : widen(image);
  const bytes = data.byteOffset % 4 === 0 ? data : data.slice();
  const wordsPerRow = (width * channels) / 4;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, wordsPerRow * height);
  return { width, height, channels, bytes, words, wordsPerRow };
}

/** Three or four channels, by the number of bytes; anything else is not a picture. */
function channelsOf({ width, height, data }: Image): 3 | 4 {
  const size = width * height;
  if (data.length === size * 4) return 4;
  if (data.length === size * 3) return 3;
  throw new RangeError(`A picture of ${width}×${height} cannot have ${data.length} bytes`);
}

function widen({ width, height, data }: Image): Uint8Array {
  const wide = new Uint8Array(width * height * 4).fill(255);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 4) {
    wide[to] = data[from]!;
    wide[to + 1] = data[from + 1]!;
    wide[to + 2] = data[from + 2]!;
  }
  return wide;
}

/** A pixel as one number: alpha, blue, green, red from the highest byte down. */
export function pixelAt({ width, channels, bytes, words }: Picture, x: number, y: number): number {
  if (channels === 4) return words[y * width + x]!;
  const at = (y * width + x) * 3;
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | 0xff000000) >>> 0;
}

/** Number of pixels in one band of a row this wide: a multiple of 8, so that no tile crosses a band's edge. */
export function bandWidth(width: number): number {
  return Math.max(8, Math.ceil(width / BANDS / 8) * 8);
}

/** BANDS hashes for each row of [from, to) that `isWanted` accepts, over the first `width` columns. */
export function hashRows(
  { channels, words, wordsPerRow }: Picture,
  width: number,
  from: number,
  to: number,
  isWanted?: (row: number) => boolean,
): Uint32Array {
  // The last band may end inside a word if the other picture is narrower: the whole word is hashed then.
  const band = (bandWidth(width) * channels) / 4;
  const until = Math.min(wordsPerRow, Math.ceil((width * channels) / 4));
  const hashes = new Uint32Array((to - from) * BANDS);
  for (let row = from; row < to; row++) {
    if (isWanted && !isWanted(row)) continue;
    const start = row * wordsPerRow;
    for (let i = 0; i < BANDS; i++) {
      hashes[(row - from) * BANDS + i] = hashWords(
        words,
        start + Math.min(until, i * band),
        start + Math.min(until, (i + 1) * band),
      );
    }
  }
  return hashes;
}

function hashWords(words: Uint32Array, from: number, to: number): number {
  let at = from;
  // Four chains, so that multiplications don't have to wait for each other.
  let a = 0x9e3779b9 | 0;
  let b = 0x85ebca6b | 0;
  let c = 0x27d4eb2f;
  let d = 0x165667b1;
  for (; at + 3 < to; at += 4) {
    a = Math.imul(((a << 5) | (a >>> 27)) ^ words[at]!, 0xcc9e2d51);
    b = Math.imul(((b << 5) | (b >>> 27)) ^ words[at + 1]!, 0x1b873593);
    c = Math.imul(((c << 5) | (c >>> 27)) ^ words[at + 2]!, 0xcc9e2d51);
    d = Math.imul(((d << 5) | (d >>> 27)) ^ words[at + 3]!, 0x1b873593);
  }
  for (; at < to; at++) a = Math.imul(((a << 5) | (a >>> 27)) ^ words[at]!, 0xcc9e2d51);
  let mixed = a ^ ((b << 7) | (b >>> 25)) ^ ((c << 13) | (c >>> 19)) ^ ((d << 19) | (d >>> 13));
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Whether the first `count` words of two rows are equal. */
export function sameWords(a: Picture, b: Picture, count: number, oldY: number, newY: number): boolean {
  const old = a.words;
  const now = b.words;
  let p = oldY * a.wordsPerRow;
  let q = newY * b.wordsPerRow;
  const end = p + count;
  for (; p + 3 < end; p += 4, q += 4) {
    const differs =
      (old[p]! ^ now[q]!) |
      (old[p + 1]! ^ now[q + 1]!) |
      (old[p + 2]! ^ now[q + 2]!) |
      (old[p + 3]! ^ now[q + 3]!);
    if (differs !== 0) return false;
  }
  for (; p < end; p++, q++) if (old[p] !== now[q]) return false;
  return true;
}

/** A decoded picture: rows of RGB or RGBA bytes, three or four a pixel. */
export type Image = { width: number; height: number; data: Uint8Array };

/** One 32-bit number a pixel: alpha, blue, green, red from the highest byte down. */
export type Picture = { width: number; height: number; pixels: Uint32Array };

/** Column bands a row is hashed in, so that one rotating sidebar does not make every row a new one. */
export const BANDS = 8;

export function toPicture({ width, height, data }: Image): Picture {
  const size = width * height;
  if (data.length === size * 4) {
    const aligned = data.byteOffset % 4 === 0 ? data : data.slice();
    return { width, height, pixels: new Uint32Array(aligned.buffer, aligned.byteOffset, size) };
  }
  if (data.length !== size * 3) {
    throw new RangeError(`A picture of ${width}×${height} cannot have ${data.length} bytes`);
  }
  const pixels = new Uint32Array(size);
  for (let i = 0, at = 0; i < size; i++, at += 3) {
    pixels[i] = data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | 0xff000000;
  }
  return { width, height, pixels };
}

/** Pixels in one band of a row this wide: a multiple of 8, so that no tile crosses a band's edge. */
export function bandWidth(width: number): number {
  return Math.max(8, Math.ceil(width / BANDS / 8) * 8);
}

/** BANDS hashes for each row of [from, to), over the first `width` columns. */
export function hashRows(
  { width: stride, pixels }: Picture,
  width: number,
  from: number,
  to: number,
): Uint32Array {
  const band = bandWidth(width);
  const hashes = new Uint32Array((to - from) * BANDS);
  let at = 0;
  for (let row = from; row < to; row++) {
    const start = row * stride;
    for (let i = 0; i < BANDS; i++) {
      const until = start + Math.min(width, (i + 1) * band);
      let x = start + i * band;
      // Two chains, so that one multiplication need not wait for the other.
      let even = 0x9e3779b9;
      let odd = 0x85ebca6b;
      for (; x + 1 < until; x += 2) {
        even = Math.imul(((even << 5) | (even >>> 27)) ^ pixels[x]!, 0xcc9e2d51);
        odd = Math.imul(((odd << 5) | (odd >>> 27)) ^ pixels[x + 1]!, 0x1b873593);
      }
      if (x < until) even = Math.imul(((even << 5) | (even >>> 27)) ^ pixels[x]!, 0xcc9e2d51);
      const mixed = Math.imul(even ^ (even >>> 16) ^ ((odd << 13) | (odd >>> 19)), 0x2c1b3c6d);
      hashes[at++] = mixed ^ (mixed >>> 15);
    }
  }
  return hashes;
}

import { createHash } from "node:crypto";

/** Rows of 8-bit RGB, or RGBA if anything is transparent. */
export type Pixels = { width: number; height: number; channels: 3 | 4; data: Uint8Array };

/** Pictures with more pixels are refused, as they would take hundreds of megabytes of memory. */
export const pixelLimit = 64_000_000;

/** Allocates pixels that all threads can read without copying: a screenshot has thirty megabytes of them. */
export function allocatePixels(length: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(length));
}

/** A hash of size and pixels: the same for equal pictures, however their files were compressed. */
export function hashPixels({ width, height, channels, data }: Pixels): Buffer {
  return createHash("sha256").update(`${width}x${height}x${channels}\n`).update(data).digest();
}

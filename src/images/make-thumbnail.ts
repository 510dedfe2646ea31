import sharp from "sharp";
import type { Pixels } from "./pixels.ts";

const size = { width: 480, height: 320 };

/** The top of a screenshot as WebP, small enough for a list. */
export async function makeThumbnail({ width, height, channels, data }: Pixels): Promise<Uint8Array> {
  const rows = Math.max(1, Math.min(height, Math.round((width * size.height) / size.width)));
  const top = data.subarray(0, rows * width * channels);
  return sharp(top, { raw: { width, height: rows, channels } })
    .resize({ width: Math.min(width, size.width) })
    .webp({ quality: 70, effort: 1 })
    .toBuffer();
}

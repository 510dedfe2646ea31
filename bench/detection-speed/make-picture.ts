import sharp from "sharp";
import { seeded } from "./measure.ts";

export const WIDTH = 1280;

/** Draws a page as tall as real ones: lines of words that look like text, for `photo` with rows of photos between. */
export function drawPage(kind: "text" | "photo", height: number): Buffer {
  const data = Buffer.alloc(WIDTH * height * 3, 255);
  const random = seeded(kind === "text" ? 3 : 4);
  for (let top = 40; top + 24 < height; top += 24) {
    if (kind === "photo" && Math.floor(top / 480) % 2 === 1) continue;
    for (let x = 80; x < 1100; ) {
      const width = 12 + random(70);
      if (random(30) === 0) break;
      drawWord(data, x, top, Math.min(width, 1190 - x), random);
      x += width + 6;
    }
  }
  if (kind === "photo") drawPhotos(data, height, random);
  return data;
}

/** Draws strokes with soft edges, a letter every eight pixels. */
function drawWord(
  data: Buffer,
  left: number,
  top: number,
  width: number,
  random: (below: number) => number,
): void {
  for (let x = left; x < left + width - 8; x += 8) {
    const shape = random(512);
    const ink = 20 + random(6) * 9;
    for (let y = 0; y < 14; y++) {
      for (let column = 0; column < 6; column++) {
        const stroke = (shape >> ((y >> 2) + (column >> 1))) & 1;
        if (stroke === 0) continue;
        const shade = column % 2 === 0 ? ink : ink + 70 + (y % 3) * 15;
        data.fill(shade, ((top + y) * WIDTH + x + column) * 3, ((top + y) * WIDTH + x + column) * 3 + 3);
      }
    }
  }
}

function drawPhotos(data: Buffer, height: number, random: (below: number) => number): void {
  for (let y = 480; y < height; y++) {
    if (Math.floor(y / 480) % 2 === 0 || y % 480 > 440) continue;
    for (let x = 80; x < 1200; x++) {
      const at = (y * WIDTH + x) * 3;
      const grain = random(4);
      data[at] = 128 + 100 * Math.sin(x / 97 + y / 151) + grain;
      data[at + 1] = 128 + 90 * Math.sin(x / 53 - y / 87) + grain;
      data[at + 2] = 128 + 80 * Math.cos(x / 131 + y / 71) + grain;
    }
  }
}

/** Paints over about one percent of the picture, in twenty places. */
export function paintOver(data: Buffer, height: number): Buffer {
  const copy = Buffer.from(data);
  for (let i = 0; i < 20; i++) {
    const top = Math.floor(((i + 0.5) * height) / 20);
    for (let y = top; y < top + 16; y++) copy.fill(i * 12, (y * WIDTH + 200) * 3, (y * WIDTH + 600) * 3);
  }
  return copy;
}

/** Inserts rows of another color at the top. */
export function pushDown(data: Buffer, rows: number): Buffer {
  return Buffer.concat([Buffer.alloc(rows * WIDTH * 3, 77), data]);
}

/** Encodes as Chromium does when it optimizes screenshots for speed. */
export async function encode(data: Buffer): Promise<Buffer> {
  const height = data.length / WIDTH / 3;
  return sharp(data, { raw: { width: WIDTH, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

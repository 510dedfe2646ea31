import { type Picture, pixelAt } from "./picture.ts";

/** Pixels on each side of a tile, the unit in which a picture is said to stand or not. */
export const TILE = 8;
// Two rows of a tile tell whether anything is drawn in it: text is taller than the gap between them.
const SAMPLED = [2, 5];

/** What of a picture is more than its background: the colour that most of its plain tiles have. */
export type Content = {
  background: number | undefined;
  /** Pixels of content in each row of tiles, in the columns that both pictures have. */
  rows: Uint32Array;
  /** Pixels of content in the columns beyond. */
  beyond: number;
};

export function weighContent(picture: Picture, width: number): Content {
  const columns = Math.ceil(picture.width / TILE);
  const tileRows = Math.ceil(picture.height / TILE);
  const colours = new Uint32Array(columns * tileRows);
  const plain = new Uint8Array(columns * tileRows);
  const counts = new Map<number, number>();
  // Neighbours mostly have one colour: its run is counted before the map is asked.
  let colour = 0;
  let run = 0;
  const count = () => counts.set(colour, (counts.get(colour) ?? 0) + run);
  for (let row = 0, tile = 0; row < tileRows; row++) {
    const [first, second] = SAMPLED.map((offset) => Math.min(row * TILE + offset, picture.height - 1));
    for (let column = 0; column < columns; column++, tile++) {
      const left = column * TILE;
      const pixel = pixelAt(picture, left, first!);
      if (!isPlain(picture, left, first!, pixel) || !isPlain(picture, left, second!, pixel)) continue;
      plain[tile] = 1;
      colours[tile] = pixel;
      if (pixel !== colour) {
        count();
        colour = pixel;
        run = 0;
      }
      run++;
    }
  }
  count();
  const background = mostOf(counts);
  const rows = new Uint32Array(tileRows);
  let beyond = 0;
  for (let row = 0, tile = 0; row < tileRows; row++) {
    const height = Math.min(TILE, picture.height - row * TILE);
    for (let left = 0; left < picture.width; left += TILE, tile++) {
      if (plain[tile] === 1 && colours[tile] === background) continue;
      const right = Math.min(left + TILE, picture.width);
      rows[row]! += Math.max(0, Math.min(right, width) - left);
      beyond += Math.max(0, right - Math.max(left, width)) * height;
    }
  }
  return { background, rows, beyond };
}

/** Whether a row of a tile has one colour all through. Whole tiles start on a whole word and are read by words. */
function isPlain(picture: Picture, left: number, y: number, pixel: number): boolean {
  const { words, wordsPerRow, channels } = picture;
  if (left + TILE > picture.width) {
    for (let x = left; x < picture.width; x++) if (pixelAt(picture, x, y) !== pixel) return false;
    return true;
  }
  const at = y * wordsPerRow + (left * channels) / 4;
  if (channels === 4) {
    for (let i = 0; i < TILE; i++) if (words[at + i] !== pixel) return false;
    return true;
  }
  const [red, green, blue] = [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
  const one = (red | (green << 8) | (blue << 16) | (red << 24)) >>> 0;
  const two = (green | (blue << 8) | (red << 16) | (green << 24)) >>> 0;
  const three = (blue | (red << 8) | (green << 16) | (blue << 24)) >>> 0;
  return (
    words[at] === one &&
    words[at + 1] === two &&
    words[at + 2] === three &&
    words[at + 3] === one &&
    words[at + 4] === two &&
    words[at + 5] === three
  );
}

function mostOf(counts: Map<number, number>): number | undefined {
  let best: number | undefined;
  for (const [colour, count] of counts) {
    const most = best === undefined ? 0 : (counts.get(best) ?? 0);
    if (count > most || (count === most && best !== undefined && colour < best)) best = colour;
  }
  return best;
}

/** Pixels of content in rows [from, from + count), in the columns that both pictures have. */
export function contentIn({ rows }: Content, from: number, count: number): number {
  let pixels = 0;
  for (let y = from; y < from + count; y++) pixels += rows[Math.floor(y / TILE)] ?? 0;
  return pixels;
}

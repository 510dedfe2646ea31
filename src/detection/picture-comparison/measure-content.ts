import { type Picture, pixelAt } from "./picture.ts";

/** Side of a tile in pixels; a tile is the unit that is either changed or unchanged. */
export const TILE = 8;
// Two rows of a tile are enough to see whether anything is drawn in it: text is taller than the gap between them.
const SAMPLED_ROWS = [2, 5] as const;
// Number of rows of tiles that are sampled to find the background color.
const BACKGROUND_SAMPLES = 64;
// In a picture with more rows of tiles than this, every second row is measured and also used for the next.
const TALL = 512;

/** How much of a picture is more than its background, which is the color of most of its plain tiles. */
export type Content = {
  background: number | undefined;
  /** Pixels of content per row of pixels, for each row of tiles, in the columns that both pictures have. */
  rows: Uint32Array;
  /** Pixels of content in all columns that only this picture has. */
  beyond: number;
};

/** A picture of the same size that was already measured, and which rows are the same in both. */
type Other = { content: Content; isUnmoved: (row: number) => boolean };

export function measureContent(picture: Picture, width: number, other?: Other): Content {
  const tileRows = Math.ceil(picture.height / TILE);
  const background = findBackground(picture, tileRows);
  const known = other?.content.background === background ? other : undefined;
  const rows = new Uint32Array(tileRows);
  const isWhole = width === picture.width && width % TILE === 0;
  let beyond = 0;
  for (let row = 0; row < tileRows; row++) {
    const [first, second] = sampledIn(picture, row);
    if (isWhole && tileRows > TALL && row % 2 === 1) {
      rows[row] = rows[row - 1]!;
      continue;
    }
    if (isWhole) {
      if (known?.isUnmoved(first) && known.isUnmoved(second)) rows[row] = known.content.rows[row]!;
      else rows[row] = TILE * countDrawnTiles(picture, first, second, background);
      continue;
    }
    const height = Math.min(TILE, picture.height - row * TILE);
    for (let left = 0; left < picture.width; left += TILE) {
      const right = Math.min(left + TILE, picture.width);
      const color = colorOf(picture, left, right, first, second);
      if (color !== undefined && color === background) continue;
      rows[row]! += Math.max(0, Math.min(right, width) - left);
      beyond += Math.max(0, right - Math.max(left, width)) * height;
    }
  }
  return { background, rows, beyond };
}

function sampledIn({ height }: Picture, row: number): [number, number] {
  const at = row * TILE;
  return [Math.min(at + SAMPLED_ROWS[0], height - 1), Math.min(at + SAMPLED_ROWS[1], height - 1)];
}

/** The most frequent color of the tiles in sampled rows; in a tie the lowest value, so that order doesn't matter. */
function findBackground(picture: Picture, tileRows: number): number | undefined {
  const counts = new Map<number, number>();
  // Neighbors mostly have the same color: a run of it is counted before the map is updated.
  let color: number | undefined;
  let run = 0;
  const count = () => {
    if (color !== undefined) counts.set(color, (counts.get(color) ?? 0) + run);
    run = 0;
  };
  for (let row = 0; row < tileRows; row += Math.ceil(tileRows / BACKGROUND_SAMPLES)) {
    const [first, second] = sampledIn(picture, row);
    for (let left = 0; left < picture.width; left += TILE) {
      const plain = colorOf(picture, left, Math.min(left + TILE, picture.width), first, second);
      if (plain !== color) count();
      color = plain;
      run++;
    }
  }
  count();
  let best: number | undefined;
  for (const [one, times] of counts) {
    const most = best === undefined ? 0 : (counts.get(best) ?? 0);
    if (times > most || (times === most && best !== undefined && one < best)) best = one;
  }
  return best;
}

/** The color of a tile, undefined if it has several. */
function colorOf(
  picture: Picture,
  left: number,
  right: number,
  first: number,
  second: number,
): number | undefined {
  const pixel = pixelAt(picture, left, first);
  for (let x = left; x < right; x++) {
    if (pixelAt(picture, x, first) !== pixel || pixelAt(picture, x, second) !== pixel) return undefined;
  }
  return pixel;
}

/** Number of tiles in a row with more than background. Whole tiles start on a whole word and are read word by word. */
function countDrawnTiles(picture: Picture, first: number, second: number, background = 0): number {
  const { words, wordsPerRow, channels } = picture;
  const [red, green, blue] = [background & 255, (background >>> 8) & 255, (background >>> 16) & 255];
  // Eight pixels of one color are eight equal words, or in RGB the same three words twice.
  const is3 = channels === 3;
  const one = is3 ? red | (green << 8) | (blue << 16) | (red << 24) : background;
  const two = is3 ? green | (blue << 8) | (red << 16) | (green << 24) : background;
  const three = is3 ? blue | (red << 8) | (green << 16) | (blue << 24) : background;
  let drawn = 0;
  let q = second * wordsPerRow;
  const end = (first + 1) * wordsPerRow;
  for (let p = first * wordsPerRow; p < end; ) {
    let differs =
      (words[p]! ^ one) |
      (words[p + 1]! ^ two) |
      (words[p + 2]! ^ three) |
      (words[p + 3]! ^ one) |
      (words[p + 4]! ^ two) |
      (words[p + 5]! ^ three) |
      (words[q]! ^ one) |
      (words[q + 1]! ^ two) |
      (words[q + 2]! ^ three) |
      (words[q + 3]! ^ one) |
      (words[q + 4]! ^ two) |
      (words[q + 5]! ^ three);
    if (!is3) {
      differs |=
        (words[p + 6]! ^ one) | (words[p + 7]! ^ one) | (words[q + 6]! ^ one) | (words[q + 7]! ^ one);
      p += 2;
      q += 2;
    }
    if (differs !== 0) drawn++;
    p += 6;
    q += 6;
  }
  return drawn;
}

/** Pixels of content in rows [from, from + count), in the columns that both pictures have. */
export function contentIn({ rows }: Content, from: number, count: number): number {
  let pixels = 0;
  for (let y = from; y < from + count; y++) pixels += rows[Math.floor(y / TILE)] ?? 0;
  return pixels;
}

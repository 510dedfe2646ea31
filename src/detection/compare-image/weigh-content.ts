import { type Picture, pixelAt } from "./picture.ts";

/** Pixels on each side of a tile, the unit in which a picture is said to stand or not. */
export const TILE = 8;
// Two rows of a tile tell whether anything is drawn in it: text is taller than the gap between them.
const SAMPLED = [2, 5] as const;
// So many rows of tiles tell what colour the background has.
const TELLING = 64;
// In a picture of more rows of tiles than this every second one speaks for the next.
const TALL = 512;

/** What of a picture is more than its background: the colour that most of its plain tiles have. */
export type Content = {
  background: number | undefined;
  /** Pixels of content in each row of tiles, in the columns that both pictures have. */
  rows: Uint32Array;
  /** Pixels of content in the columns beyond. */
  beyond: number;
};

/** A picture of the same size that was weighed already, and which rows it has in common with this one. */
type Other = { content: Content; stands: (row: number) => boolean };

export function weighContent(picture: Picture, width: number, other?: Other): Content {
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
      if (known?.stands(first) && known.stands(second)) rows[row] = known.content.rows[row]!;
      else rows[row] = TILE * drawnIn(picture, first, second, background);
      continue;
    }
    const height = Math.min(TILE, picture.height - row * TILE);
    for (let left = 0; left < picture.width; left += TILE) {
      const right = Math.min(left + TILE, picture.width);
      const colour = colourOf(picture, left, right, first, second);
      if (colour !== undefined && colour === background) continue;
      rows[row]! += Math.max(0, Math.min(right, width) - left);
      beyond += Math.max(0, right - Math.max(left, width)) * height;
    }
  }
  return { background, rows, beyond };
}

function sampledIn({ height }: Picture, row: number): [number, number] {
  const at = row * TILE;
  return [Math.min(at + SAMPLED[0], height - 1), Math.min(at + SAMPLED[1], height - 1)];
}

/** The colour that most tiles of some rows have; of several the least, so that it is the same whichever comes first. */
function findBackground(picture: Picture, tileRows: number): number | undefined {
  const counts = new Map<number, number>();
  // Neighbours mostly have one colour: its run is counted before the map is asked.
  let colour: number | undefined;
  let run = 0;
  const count = () => {
    if (colour !== undefined) counts.set(colour, (counts.get(colour) ?? 0) + run);
    run = 0;
  };
  for (let row = 0; row < tileRows; row += Math.ceil(tileRows / TELLING)) {
    const [first, second] = sampledIn(picture, row);
    for (let left = 0; left < picture.width; left += TILE) {
      const plain = colourOf(picture, left, Math.min(left + TILE, picture.width), first, second);
      if (plain !== colour) count();
      colour = plain;
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

/** The one colour of a tile, undefined where it has several. */
function colourOf(
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

/** How many tiles of a row hold more than background. Whole tiles start on a whole word and are read by words. */
function drawnIn(picture: Picture, first: number, second: number, background = 0): number {
  const { words, wordsPerRow, channels } = picture;
  const [red, green, blue] = [background & 255, (background >>> 8) & 255, (background >>> 16) & 255];
  // Eight pixels of one colour are eight words, or three words twice and over again.
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

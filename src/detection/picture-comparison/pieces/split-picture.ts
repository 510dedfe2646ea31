import type { Box } from "../../verdict/verdict.ts";
import { type Picture, pixelAt } from "../picture.ts";

/** A part of a picture that keeps its look wherever the layout puts it: a word, a symbol, an image, a bar. */
export type Piece = { box: Box; look: number };

export type Pieces = {
  /** In reading order. */
  pieces: Piece[];
  /** Colors behind pieces, with a box in which each is. Their areas grow and shrink with the layout. */
  backgrounds: Map<number, Box>;
};

// Pixels between two words of small text; letters of a word are closer to each other.
const MIN_GAP = 3;
const MAX_PIECES = 40_000;
// How often each pixel may be read. Usual pages need four to six readings; more are nested on purpose.
const MAX_READINGS = 16;
const MAX_DEPTH = 60;

/**
 * Splits a picture along rows and columns of one color, again and again, until nothing can be split. Rows at the top
 * level are left out unless `isWanted` accepts them. Null if that would take too long.
 */
export function splitPicture(
  picture: Picture,
  isWanted: (from: number, to: number) => boolean = () => true,
): Pieces | null {
  const splitter = new Splitter(picture);
  const { width, height } = picture;
  const whole = { x: 0, y: 0, width, height };
  const segments = splitter.segmentsOf(whole, "rows");
  const wanted = segments.filter(({ from, to }) => isWanted(from, to));
  return splitter.splitSegments(whole, "rows", wanted, 0) ? splitter : null;
}

type Direction = "rows" | "columns";
/** Neighboring rows or columns: all of one color, or each of several. */
type Segment = { from: number; to: number; color: number | null };

class Splitter implements Pieces {
  readonly pieces: Piece[] = [];
  readonly backgrounds = new Map<number, Box>();
  readonly #picture: Picture;
  #readingsLeft: number;

  constructor(picture: Picture) {
    this.#picture = picture;
    this.#readingsLeft = picture.width * picture.height * MAX_READINGS;
  }

  /** Splits a box; false if it takes too long. */
  #split(box: Box, direction: Direction, depth: number): boolean {
    if (this.#readingsLeft < 0 || this.pieces.length > MAX_PIECES || depth > MAX_DEPTH) return false;
    const segments = this.segmentsOf(box, direction);
    const isUnsplit = segments.length === 1 && segments[0]?.color === null;
    if (isUnsplit && direction === "columns") return this.#split(box, "rows", depth + 1);
    if (isUnsplit || segments.every(({ color }) => color !== null)) {
      this.pieces.push({ box, look: this.#lookOf(box) });
      return true;
    }
    return this.splitSegments(box, direction, segments, depth);
  }

  /** Splits the segments of a box further. Areas of one color are pieces, except those of the most frequent color. */
  splitSegments(box: Box, direction: Direction, segments: Segment[], depth: number): boolean {
    const behind = mostFrequentColor(segments);
    if (behind !== null && !this.backgrounds.has(behind)) this.backgrounds.set(behind, box);
    const next = direction === "rows" ? "columns" : "rows";
    return segments.every(({ from, to, color }) => {
      const inner = part(box, direction, from, to);
      if (color === null) return this.#split(inner, next, depth + 1);
      if (color !== behind) this.pieces.push({ box: inner, look: color });
      return true;
    });
  }

  /** Columns of one color inside a word don't separate what is beside them. */
  segmentsOf(box: Box, direction: Direction): Segment[] {
    const isRows = direction === "rows";
    const size = isRows ? box.height : box.width;
    const segments: Segment[] = [];
    for (let at = 0; at < size; at++) {
      const color = this.#colorOfLine(box, isRows, at);
      const mixed = color === null ? segments.findLastIndex((one) => one.color === null) : -1;
      const last = segments.at(-1);
      if (mixed >= 0 && at - (segments[mixed] as Segment).to < (isRows ? 1 : MIN_GAP)) {
        segments.length = mixed + 1;
        (segments[mixed] as Segment).to = at + 1;
      } else if (last && last.color === color) last.to = at + 1;
      else segments.push({ from: at, to: at + 1, color });
    }
    return segments;
  }

  /** The color of a row or column, rounded, so that a gradient has few of them; null if it has several. */
  #colorOfLine({ x, y, width, height }: Box, isRow: boolean, at: number): number | null {
    const picture = this.#picture;
    const length = isRow ? width : height;
    const first = isRow ? pixelAt(picture, x, y + at) : pixelAt(picture, x + at, y);
    for (let i = 1; i < length; i++) {
      const color = isRow ? pixelAt(picture, x + i, y + at) : pixelAt(picture, x + at, y + i);
      if (color !== first) {
        this.#readingsLeft -= i;
        return null;
      }
    }
    this.#readingsLeft -= length;
    return first & 0xf8f8f8;
  }

  #lookOf({ x, y, width, height }: Box): number {
    let hash = Math.imul(width, 0x9e3779b1) ^ height;
    for (let row = y; row < y + height; row++) {
      for (let column = x; column < x + width; column++)
        hash = Math.imul(((hash << 5) | (hash >>> 27)) ^ pixelAt(this.#picture, column, row), 0x9e3779b1);
    }
    this.#readingsLeft -= width * height;
    return hash >>> 0;
  }
}

function mostFrequentColor(segments: Segment[]): number | null {
  const sizes = new Map<number, number>();
  for (const { from, to, color } of segments)
    if (color !== null) sizes.set(color, (sizes.get(color) ?? 0) + to - from);
  const [first] = [...sizes].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return first?.[0] ?? null;
}

function part(box: Box, direction: Direction, from: number, to: number): Box {
  return direction === "rows"
    ? { ...box, y: box.y + from, height: to - from }
    : { ...box, x: box.x + from, width: to - from };
}

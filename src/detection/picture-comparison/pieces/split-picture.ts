import type { Box } from "../../verdict/verdict.ts";
import { type Picture, pixelAt } from "../picture.ts";

/** A part of a picture that keeps its look wherever the layout puts it: a word, a symbol, an image, a bar. */
export type Piece = { box: Box; look: number };

export type Pieces = {
  /** In reading order. */
  pieces: Piece[];
  /** Colors of the areas around pieces, with a box in which each is. The areas grow and shrink with the layout. */
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
  const { runs, colors } = splitter.runsOf(whole, "rows");
  splitter.addBackgrounds(colors, whole);
  for (const [from, to] of runs) {
    if (isWanted(from, to) && !splitter.split(part(whole, "rows", from, to), "columns", 0)) return null;
  }
  return splitter;
}

type Direction = "rows" | "columns";
type Run = [from: number, to: number];

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
  split(box: Box, direction: Direction, depth: number): boolean {
    if (this.#readingsLeft < 0 || this.pieces.length > MAX_PIECES || depth > MAX_DEPTH) return false;
    const { runs, colors } = this.runsOf(box, direction);
    const size = direction === "rows" ? box.height : box.width;
    const isUnsplit = runs.length === 1 && runs[0]?.[0] === 0 && runs[0][1] === size;
    if (runs.length === 0 || (isUnsplit && direction === "rows")) {
      this.pieces.push({ box, look: this.#lookOf(box) });
      return true;
    }
    this.addBackgrounds(colors, box);
    const next = direction === "rows" ? "columns" : "rows";
    return runs.every(([from, to]) => this.split(part(box, direction, from, to), next, depth + 1));
  }

  /**
   * Runs of rows or columns that have several colors, and the colors of those with one. Columns of one color inside a
   * word don't separate runs.
   */
  runsOf(box: Box, direction: Direction): { runs: Run[]; colors: Set<number> } {
    const isRows = direction === "rows";
    const size = isRows ? box.height : box.width;
    const runs: Run[] = [];
    const colors = new Set<number>();
    for (let at = 0; at < size; at++) {
      const color = this.#colorOfLine(box, isRows, at);
      const last = runs.at(-1);
      if (color !== null) colors.add(color);
      else if (last && at - last[1] < (isRows ? 1 : MIN_GAP)) last[1] = at + 1;
      else runs.push([at, at + 1]);
    }
    return { runs, colors };
  }

  addBackgrounds(colors: Iterable<number>, box: Box): void {
    for (const color of colors) {
      // Rounded, so that a gradient gives few colors.
      const rounded = color & 0xf8f8f8;
      if (!this.backgrounds.has(rounded)) this.backgrounds.set(rounded, box);
    }
  }

  /** The color of a row or column; null if it has several. */
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
    return first;
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

function part(box: Box, direction: Direction, from: number, to: number): Box {
  return direction === "rows"
    ? { ...box, y: box.y + from, height: to - from }
    : { ...box, x: box.x + from, width: to - from };
}

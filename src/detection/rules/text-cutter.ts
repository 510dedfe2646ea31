import { Budget } from "../rule-budget.ts";
import { foldWords, type Line } from "../rules.ts";

type Cut = [from: number, to: number];

// Most lines of a page are those of the capture before.
const MAX_KNOWN = 50_000;

// To look for words in a line takes about so many nanoseconds, and one for each of its letters.
const linePrice = 50;

/** Takes out of lines what never counts: runs that a pattern matches, whole lines that hold some words. */
export class TextCutter {
  readonly #lines: Line[];
  readonly #known = new Map<string, Cut[] | null>();
  #budget = new Budget();

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  /** What is looked at from now on is paid for from this budget. */
  payFrom(budget: Budget): void {
    this.#budget = budget;
  }

  get isIdle(): boolean {
    return this.#lines.length === 0;
  }

  /** What goes, as offsets; null where all stays. */
  cuts(line: string): Cut[] | null {
    if (this.isIdle) return null;
    let found = this.#known.get(line);
    if (found === undefined) {
      found = this.#look(line);
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(line, found);
    }
    return found;
  }

  #look(line: string): Cut[] | null {
    const folded = foldWords(line);
    if (folded === "") return null;
    const budget = this.#budget;
    const holds = (one: Line) => {
      if (one.kind !== "line") return false;
      budget.chargeTo(one.words);
      budget.spend(linePrice + folded.length);
      return folded.includes(one.words);
    };
    if (this.#lines.some(holds)) return [[0, line.length]];
    const cuts = this.#lines.flatMap((one) => (one.kind === "pattern" ? one.find(line, budget) : []));
    return cuts.length > 0 ? cuts : null;
  }

  /** The line without them. */
  cut(line: string): string {
    const cuts = this.cuts(line);
    return cuts ? without(line, cuts) : line;
  }
}

/** A text without some of its runs. */
export function without(text: string, cuts: Cut[]): string {
  let left = "";
  let at = 0;
  for (const [from, to] of cuts.toSorted((a, b) => a[0] - b[0])) {
    if (from > at) left += text.slice(at, from);
    at = Math.max(at, to);
  }
  return left + text.slice(at);
}

const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/;

/**
 * The pieces that a line was put together from, without what is cut out of the line, whose white space was folded.
 * A line that was made otherwise goes as a whole.
 */
export function spread(pieces: string[], line: string, cuts: Cut[]): string[] {
  const raw = pieces.join("");
  const places: number[] = [];
  let folded = "";
  let space = -1;
  for (let at = 0; at < raw.length; at++) {
    const sign = raw[at] as string;
    if (invisible.test(sign)) continue;
    if (/\s/.test(sign)) {
      if (space < 0) space = at;
      continue;
    }
    if (space >= 0 && folded !== "") {
      folded += " ";
      places.push(space);
    }
    space = -1;
    folded += sign;
    places.push(at);
  }
  if (folded !== line) return pieces.map(() => "");
  const gone = cuts.map(([from, to]): Cut => [places[from] ?? 0, (places[to - 1] ?? raw.length) + 1]);
  let start = 0;
  return pieces.map((piece) => {
    const from = start;
    start += piece.length;
    const own = gone
      .map(([a, b]): Cut => [Math.max(a - from, 0), Math.min(b - from, piece.length)])
      .filter(([a, b]) => b > a);
    return without(piece, own);
  });
}

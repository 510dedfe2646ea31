import { normalizeWords } from "./normalize-words.ts";
import { Budget } from "./rule-budget.ts";
import { type Line } from "./rules.ts";

type Cut = [from: number, to: number];
/** The runs of a line to remove, null for none, and the rules that remove them. */
type Found = { cuts: Cut[] | null; by: Line[] };
const nothing: Found = { cuts: null, by: [] };

// Size of the cache: most lines of a page equal those of the previous capture.
const MAX_CACHED = 50_000;

// Nanoseconds to search a line for words, in addition to one for each of its characters.
const linePrice = 50;

/** Removes ignored text from lines: runs that a pattern matches, and whole lines that contain certain words. */
export class TextCutter {
  readonly #lines: Line[];
  readonly #cache = new Map<string, Found>();
  readonly #used = new Set<Line>();
  #budget = new Budget();

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  /** Charges all work from now on to this budget. */
  payFrom(budget: Budget): void {
    this.#budget = budget;
  }

  get isIdle(): boolean {
    return this.#lines.length === 0;
  }

  /** The runs to remove, as offsets; null if the whole line stays. */
  cuts(line: string): Cut[] | null {
    if (this.isIdle) return null;
    let found = this.#cache.get(line);
    if (found === undefined) {
      found = this.#findCuts(line);
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      this.#cache.set(line, found);
    }
    for (const one of found.by) this.#used.add(one);
    return found.cuts;
  }

  /** The rules that have removed anything so far. */
  get used(): ReadonlySet<Line> {
    return this.#used;
  }

  #findCuts(line: string): Found {
    const normalized = normalizeWords(line);
    if (normalized === "") return nothing;
    const budget = this.#budget;
    const holds = (one: Line) => {
      if (one.kind !== "line") return false;
      budget.chargeTo(one.words);
      budget.spend(linePrice + normalized.length);
      return normalized.includes(one.words);
    };
    const by = this.#lines.filter(holds);
    if (by.length > 0) return { cuts: [[0, line.length]], by };
    const cuts = this.#lines.flatMap((one) => {
      const runs = one.kind === "pattern" ? one.find(line, budget) : [];
      if (runs.length > 0) by.push(one);
      return runs;
    });
    return cuts.length > 0 ? { cuts, by } : nothing;
  }

  /** The line without the runs to remove. */
  cut(line: string): string {
    const cuts = this.cuts(line);
    return cuts ? without(line, cuts) : line;
  }
}

/** Removes some runs from a text. */
export function without(text: string, cuts: Cut[]): string {
  let kept = "";
  let at = 0;
  for (const [from, to] of cuts.toSorted((a, b) => a[0] - b[0])) {
    if (from > at) kept += text.slice(at, from);
    at = Math.max(at, to);
  }
  return kept + text.slice(at);
}

const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/;

/**
 * Applies the cuts of a line, whose white space was normalized, to the pieces of text that it was put together from. If the
 * pieces don't add up to the line, all of them are emptied.
 */
export function spread(pieces: string[], line: string, cuts: Cut[]): string[] {
  const raw = pieces.join("");
  const offsets: number[] = [];
  let normalized = "";
  let space = -1;
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at] as string;
    if (invisible.test(char)) continue;
    if (/\s/.test(char)) {
      if (space < 0) space = at;
      continue;
    }
    if (space >= 0 && normalized !== "") {
      normalized += " ";
      offsets.push(space);
    }
    space = -1;
    normalized += char;
    offsets.push(at);
  }
  if (normalized !== line) return pieces.map(() => "");
  const rawCuts = cuts.map(([from, to]): Cut => [offsets[from] ?? 0, (offsets[to - 1] ?? raw.length) + 1]);
  let start = 0;
  return pieces.map((piece) => {
    const from = start;
    start += piece.length;
    const pieceCuts = rawCuts
      .map(([a, b]): Cut => [Math.max(a - from, 0), Math.min(b - from, piece.length)])
      .filter(([a, b]) => b > a);
    return without(piece, pieceCuts);
  });
}

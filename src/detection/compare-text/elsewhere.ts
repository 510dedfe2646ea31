import { timeKind } from "../noise/times.ts";
import type { Block, Page } from "../page.ts";

// Looking for a piece in both pages' whole text is linear each time; past this many characters only exact pieces count.
const MAX_SEARCHED = 60_000_000;

/** Answers whether a piece of one page still stands somewhere on the other. */
export class Elsewhere {
  readonly #oldKeys: Map<string, number>;
  readonly #newKeys: Map<string, number>;
  readonly #older: Page;
  readonly #newer: Page;
  #neighbours: Neighbours | null = null;
  #oldText: string | null = null;
  #newText: string | null = null;
  #searched = 0;

  constructor(older: Page, newer: Page, oldKeys: string[], newKeys: string[]) {
    this.#older = older;
    this.#newer = newer;
    this.#oldKeys = count(oldKeys);
    this.#newKeys = count(newKeys);
  }

  /** Whether pieces stand elsewhere on the other page: the one that went on the new, the one that came on the old. */
  isMove(before: Block | null, after: Block | null): boolean {
    return (!before || this.#inNew(before)) && (!after || this.#inOld(after));
  }

  /** Whether a removed piece stands on the new page as often as on the old one. */
  #inNew(block: Block): boolean {
    const { key } = block;
    if (!this.#keptCompany(block, "now")) return false;
    if ((this.#newKeys.get(key) ?? 0) >= (this.#oldKeys.get(key) ?? 0)) return true;
    return this.#stands(block, (old, now) => now >= old);
  }

  /** Whether an added piece stood on the old page as often as on the new one. */
  #inOld(block: Block): boolean {
    const { key } = block;
    if (!this.#keptCompany(block, "old")) return false;
    if ((this.#oldKeys.get(key) ?? 0) >= (this.#newKeys.get(key) ?? 0)) return true;
    return this.#stands(block, (old, now) => old >= now);
  }

  /** A state or a value means what stands beside it: only with that did it go elsewhere. A list's items stand alone. */
  #keptCompany(block: Block, side: "old" | "now"): boolean {
    if (block.text.length > SHORT || block.role === "item" || timeKind(block.text) !== null) return true;
    const known = (this.#neighbours ??= findNeighbours(this.#older.blocks, this.#newer.blocks));
    return known.beside.get(block)?.some((pair) => known[side].has(pair)) ?? true;
  }

  /** Pieces may be cut differently on the two sides, so their text is sought in the whole of each. */
  #stands(block: Block, enough: (old: number, now: number) => boolean): boolean {
    if (block.text.length < 20 || this.#searched > MAX_SEARCHED) return false;
    this.#oldText ??= squash(this.#older.blocks);
    this.#newText ??= squash(this.#newer.blocks);
    this.#searched += this.#oldText.length + this.#newText.length;
    const piece = squash([block]);
    return enough(occurrences(this.#oldText, piece), occurrences(this.#newText, piece));
  }
}

// States and values are of a few words: "Out of stock", "12.30 €".
const SHORT = 25;

/** Which two pieces stood one after the other, on each page, and beside which each short one did. */
type Neighbours = { old: Set<string>; now: Set<string>; beside: Map<Block, string[]> };

function findNeighbours(older: Block[], newer: Block[]): Neighbours {
  const beside = new Map<Block, string[]>();
  const pairsOf = (blocks: Block[]) => {
    const pairs = new Set<string>();
    blocks.forEach((block, at) => {
      const own = [at - 1, at].map((left) => `${blocks[left]?.key ?? ""}\n${blocks[left + 1]?.key ?? ""}`);
      if (block.text.length <= SHORT) beside.set(block, own);
      for (const pair of own) pairs.add(pair);
    });
    return pairs;
  };
  return { old: pairsOf(older), now: pairsOf(newer), beside };
}

function occurrences(text: string, piece: string): number {
  let times = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) times++;
  return times;
}

/** Text of several blocks as one, however it was cut. */
export function squash(blocks: Block[]): string {
  return blocks
    .map((block) => block.key.replace("⟨hidden⟩", ""))
    .join("")
    .replace(/\s+/g, "");
}

export function count(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

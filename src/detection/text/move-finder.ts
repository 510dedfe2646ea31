import type { Block, Page } from "../html-parsing/page.ts";
import { timeKind } from "../noise/times.ts";

// Each search in both pages' whole text takes linear time; beyond this many characters only equal blocks are found.
const MAX_SEARCHED = 60_000_000;

/** Finds out whether a block of one page is still somewhere on the other. */
export class MoveFinder {
  readonly #oldKeys: Map<string, number>;
  readonly #newKeys: Map<string, number>;
  readonly #older: Page;
  readonly #newer: Page;
  #neighbors: Neighbors | null = null;
  #oldText: string | null = null;
  #newText: string | null = null;
  #searched = 0;

  constructor(older: Page, newer: Page, oldKeys: string[], newKeys: string[]) {
    this.#older = older;
    this.#newer = newer;
    this.#oldKeys = count(oldKeys);
    this.#newKeys = count(newKeys);
  }

  /** Whether a change is only a move: the removed block is also on the new page, the added one also on the old. */
  isMove(before: Block | null, after: Block | null): boolean {
    return (!before || this.#isOnNewPage(before)) && (!after || this.#isOnOldPage(after));
  }

  /** Whether a removed block occurs on the new page as often as on the old one. */
  #isOnNewPage(block: Block): boolean {
    const { key } = block;
    if (!this.#movedWithNeighbor(block, "now")) return false;
    if ((this.#newKeys.get(key) ?? 0) >= (this.#oldKeys.get(key) ?? 0)) return true;
    return this.#textOccurs(block, (old, now) => now >= old);
  }

  /** Whether an added block occurred on the old page as often as on the new one. */
  #isOnOldPage(block: Block): boolean {
    const { key } = block;
    if (!this.#movedWithNeighbor(block, "old")) return false;
    if ((this.#oldKeys.get(key) ?? 0) >= (this.#newKeys.get(key) ?? 0)) return true;
    return this.#textOccurs(block, (old, now) => old >= now);
  }

  /** A state or a value belongs to the text next to it and moves only with it. List items are independent. */
  #movedWithNeighbor(block: Block, side: "old" | "now"): boolean {
    if (block.text.length > MAX_SHORT || block.role === "item" || timeKind(block.text) !== null) return true;
    const neighbors = (this.#neighbors ??= findNeighbors(this.#older.blocks, this.#newer.blocks));
    return neighbors.pairsByBlock.get(block)?.some((pair) => neighbors[side].has(pair)) ?? true;
  }

  /** Text may be split into blocks differently on the two sides, so it is searched in each page's whole text. */
  #textOccurs(block: Block, isEnough: (old: number, now: number) => boolean): boolean {
    if (block.text.length < 20 || this.#searched > MAX_SEARCHED) return false;
    this.#oldText ??= squash(this.#older.blocks);
    this.#newText ??= squash(this.#newer.blocks);
    this.#searched += this.#oldText.length + this.#newText.length;
    const piece = squash([block]);
    return isEnough(occurrences(this.#oldText, piece), occurrences(this.#newText, piece));
  }
}

// States and values have few characters: "Out of stock", "12.30 €".
const MAX_SHORT = 25;

/** Pairs of adjacent blocks on each page, and the pairs that each short block is part of. */
type Neighbors = { old: Set<string>; now: Set<string>; pairsByBlock: Map<Block, string[]> };

function findNeighbors(older: Block[], newer: Block[]): Neighbors {
  const pairsByBlock = new Map<Block, string[]>();
  const pairsOf = (blocks: Block[]) => {
    const pairs = new Set<string>();
    blocks.forEach((block, at) => {
      const own = [at - 1, at].map((left) => `${blocks[left]?.key ?? ""}\n${blocks[left + 1]?.key ?? ""}`);
      if (block.text.length <= MAX_SHORT) pairsByBlock.set(block, own);
      for (const pair of own) pairs.add(pair);
    });
    return pairs;
  };
  return { old: pairsOf(older), now: pairsOf(newer), pairsByBlock };
}

function occurrences(text: string, piece: string): number {
  let times = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) times++;
  return times;
}

/** Text of several blocks as one string, regardless of how it was split. */
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

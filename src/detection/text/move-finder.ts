import type { Block } from "../html-parsing/page.ts";
import { countEach } from "../multisets.ts";
import { timeKind } from "../noise/times.ts";

// Each search in both pages' whole text takes linear time; beyond this many characters only equal blocks are found.
const MAX_SEARCHED = 60_000_000;
// States and values have few characters: "Out of stock", "12.30 €".
const MAX_SHORT = 25;

/** What is searched on one page; its text and its pairs of adjacent blocks are only read if that is needed. */
type Side = {
  blocks: Block[];
  keys: Map<string, number>;
  text?: string;
  neighbors?: { pairs: Set<string>; pairsByBlock: Map<Block, string[]> };
};

/** Finds out whether a block of one page is still somewhere on the other. */
export class MoveFinder {
  readonly #old: Side;
  readonly #new: Side;
  #searched = 0;

  constructor(oldBlocks: Block[], newBlocks: Block[], oldKeys: string[], newKeys: string[]) {
    this.#old = { blocks: oldBlocks, keys: countEach(oldKeys) };
    this.#new = { blocks: newBlocks, keys: countEach(newKeys) };
  }

  /** Whether a change is only a move: the removed block is also on the new page, the added one also on the old. */
  isMove(before: Block | null, after: Block | null): boolean {
    return (
      (!before || this.#isAlsoOn(this.#new, this.#old, before)) &&
      (!after || this.#isAlsoOn(this.#old, this.#new, after))
    );
  }

  /** Whether a block occurs on the other page as often as on its own. */
  #isAlsoOn(other: Side, own: Side, block: Block): boolean {
    if (!movedWithNeighbor(other, own, block)) return false;
    if ((other.keys.get(block.key) ?? 0) >= (own.keys.get(block.key) ?? 0)) return true;
    // Text may be split into blocks differently on the two sides, so it is searched in each page's whole text.
    if (block.text.length < 20 || this.#searched > MAX_SEARCHED) return false;
    other.text ??= squash(other.blocks);
    own.text ??= squash(own.blocks);
    this.#searched += other.text.length + own.text.length;
    const piece = squash([block]);
    return occurrences(other.text, piece) >= occurrences(own.text, piece);
  }
}

/** A state or a value belongs to the text next to it and moves only with it. List items are independent. */
function movedWithNeighbor(other: Side, own: Side, block: Block): boolean {
  if (block.text.length > MAX_SHORT || block.role === "item" || timeKind(block.text) !== null) return true;
  other.neighbors ??= findNeighbors(other.blocks);
  own.neighbors ??= findNeighbors(own.blocks);
  const { pairs } = other.neighbors;
  return own.neighbors.pairsByBlock.get(block)?.some((pair) => pairs.has(pair)) ?? true;
}

/** All pairs of adjacent blocks, and those that each short block is part of. */
function findNeighbors(blocks: Block[]): NonNullable<Side["neighbors"]> {
  const pairs = new Set<string>();
  const pairsByBlock = new Map<Block, string[]>();
  blocks.forEach((block, at) => {
    const own = [at - 1, at].map((left) => `${blocks[left]?.key ?? ""}\n${blocks[left + 1]?.key ?? ""}`);
    if (block.text.length <= MAX_SHORT) pairsByBlock.set(block, own);
    for (const pair of own) pairs.add(pair);
  });
  return { pairs, pairsByBlock };
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

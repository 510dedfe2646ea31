import type { Block, Link, Page } from "../html-parsing/page.ts";
import { countEach } from "../multisets.ts";

/** Knows which words are linked in which block of text, on both pages. */
export class LinkedWords {
  readonly #older: Side;
  readonly #newer: Side;

  constructor(older: Page, newer: Page) {
    this.#older = sideOf(older);
    this.#newer = sideOf(newer);
  }

  /** Whether two links are in blocks with the same text, so that only the linked words differ. */
  areInSameText(before: Link, after: Link): boolean {
    const [old, now] = [this.#older.blockOf(before), this.#newer.blockOf(after)];
    return old !== undefined && now !== undefined && old.text === now.text;
  }

  /** Whether a link was added to words that were already there without one. */
  isAddedToText(link: Link): boolean {
    return isLinkedMoreOften(link, this.#newer, this.#older);
  }

  /** Whether a link was removed from words that are still there. */
  isRemovedFromText(link: Link): boolean {
    return isLinkedMoreOften(link, this.#older, this.#newer);
  }
}

/** Whether the link's block is equally frequent on both sides, but these words are linked more often on this side. */
function isLinkedMoreOften(link: Link, side: Side, otherSide: Side): boolean {
  const block = side.blockOf(link);
  if (!block || link.text === "") return false;
  const blockCount = side.pieces.get(block.text) ?? 0;
  if (blockCount !== otherSide.pieces.get(block.text)) return false;
  const key = `${block.text}\n${link.text}`;
  return (side.linked.get(key) ?? 0) > (otherSide.linked.get(key) ?? 0);
}

type Side = {
  blockOf: (link: Link) => Block | undefined;
  /** How often each block text occurs on the page, and how often with certain words linked. */
  pieces: Map<string, number>;
  linked: Map<string, number>;
};

function sideOf(page: Page): Side {
  const { blocks } = page;
  const blockOf = (link: Link): Block | undefined => {
    // Blocks are in document order: the link's block is the last one that starts before the link ends.
    let low = 0;
    let high = blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((blocks[middle]?.node ?? 0) < (page.nodes[link.node]?.end ?? 0)) low = middle + 1;
      else high = middle;
    }
    const block = blocks[low - 1];
    return block?.text.includes(link.text) ? block : undefined;
  };
  const linked = page.links.map((link) => `${blockOf(link)?.text}\n${link.text}`);
  return { blockOf, pieces: countEach(blocks.map(({ text }) => text)), linked: countEach(linked) };
}

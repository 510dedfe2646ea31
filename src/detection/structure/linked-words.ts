import type { Block, Link, Page } from "../page.ts";

/** Knows which words are linked in which piece of text, on both pages. */
export class LinkedWords {
  readonly #older: Side;
  readonly #newer: Side;

  constructor(older: Page, newer: Page) {
    this.#older = sideOf(older);
    this.#newer = sideOf(newer);
  }

  /** Whether two links stand in pieces that say the same, so that only the linked words differ. */
  stand(before: Link, after: Link): boolean {
    const [old, now] = [this.#older.blockOf(before), this.#newer.blockOf(after)];
    return old !== undefined && now !== undefined && old.text === now.text;
  }

  /** Whether a link came to words that stood there without one. */
  cameToWords(link: Link): boolean {
    return isAdded(link, this.#newer, this.#older);
  }

  /** Whether a link went from words that still stand. */
  leftWords(link: Link): boolean {
    return isAdded(link, this.#older, this.#newer);
  }
}

/** The same pieces stand as often on both sides, and on one more of them link these words. */
function isAdded(link: Link, here: Side, there: Side): boolean {
  const block = here.blockOf(link);
  if (!block || link.text === "") return false;
  const pieces = here.pieces.get(block.text) ?? 0;
  if (pieces !== there.pieces.get(block.text)) return false;
  const key = `${block.text}\n${link.text}`;
  return (here.linked.get(key) ?? 0) > (there.linked.get(key) ?? 0);
}

type Side = {
  blockOf: (link: Link) => Block | undefined;
  /** How often a piece of text stands on the page, and how often with these words linked. */
  pieces: Map<string, number>;
  linked: Map<string, number>;
};

function sideOf(page: Page): Side {
  const { blocks } = page;
  const blockOf = (link: Link): Block | undefined => {
    // Blocks stand in document order; the link's is the last one that begins before the link's end.
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
  const pieces = new Map<string, number>();
  for (const { text } of blocks) pieces.set(text, (pieces.get(text) ?? 0) + 1);
  const linked = new Map<string, number>();
  for (const link of page.links) {
    const block = blockOf(link);
    if (!block) continue;
    const key = `${block.text}\n${link.text}`;
    linked.set(key, (linked.get(key) ?? 0) + 1);
  }
  return { blockOf, pieces, linked };
}

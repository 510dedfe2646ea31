import type { Block } from "../page.ts";
import { inFrame } from "./in-frame.ts";

const price = /^(?:\p{Sc}\s?)?\d[\d.,]*(?:\s?\p{Sc})?$/u;
const rise = /^[+\-−–▲▼]?\s?\d+(?:[.,]\d+)?\s?%$/u;
const FEWEST = 3;
const LONGEST_NAME = 12;
// Markets never rest: of a table of fees that looks the same, a few change at a time.
const MOVING = 0.8;

/**
 * The figures of a market's tape around the content or out of sight: a price and how far it moved, again and again,
 * and nearly all of them others than before.
 */
export function tapeIn(older: Block[], newer: Block[]): Set<Block> {
  const [old, now] = [quotesIn(older), quotesIn(newer)];
  const count = Math.min(old.length, now.length);
  if (count < FEWEST) return new Set();
  let moved = 0;
  for (let at = 0; at < count; at++) if (old[at]?.figure.text !== now[at]?.figure.text) moved++;
  if (moved < MOVING * count) return new Set();
  return new Set([...old, ...now].flatMap(({ blocks }) => blocks));
}

function quotesIn(blocks: Block[]): { figure: Block; blocks: Block[] }[] {
  const quotes: { figure: Block; blocks: Block[] }[] = [];
  for (let at = 1; at < blocks.length; at++) {
    const [figure, moved] = [blocks[at - 1] as Block, blocks[at] as Block];
    if (!inFrame(moved) && moved.hidden === "") continue;
    if (!rise.test(moved.text) || !price.test(figure.text)) continue;
    const name = blocks[at - 2];
    const isNamed = name && name.text.length <= LONGEST_NAME && name.hidden === moved.hidden;
    quotes.push({ figure, blocks: isNamed ? [name, figure, moved] : [figure, moved] });
  }
  return quotes;
}

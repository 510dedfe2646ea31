import { indexedElements } from "../html-parsing/mark-rendered.ts";
import { parseHtml } from "../html-parsing/parse-html.ts";
import { readBoxes } from "../snapshot/layout.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { type Coverage, coverRules } from "./cover-rules.ts";
import { type Picked, pickSelector } from "./pick-selector.ts";
import { Budget } from "./rule-budget.ts";
import { Tree } from "./tree.ts";

/** An element on the picture: its index in the page, its parent's index in this list (-1: none), its tag, its box. */
export type Shown = [
  at: number,
  parent: number,
  tag: string,
  x: number,
  y: number,
  width: number,
  height: number,
];

const MAX_SHOWN = 20_000;

/** Lists a page's elements with their boxes on its picture, in document order; null if these weren't recorded. */
export function listElements({ kind, html, layout }: Snapshot): Shown[] | null {
  if (kind !== "html" || !layout) return null;
  const nodes = parseHtml(html);
  const elements = indexedElements(nodes);
  if (elements.length !== layout.elements) return null;
  const boxes = readBoxes(layout.boxes);
  const listIndexes = new Map<number, number>();
  const shown: Shown[] = [];
  for (let at = 0; at < elements.length && shown.length < MAX_SHOWN; at++) {
    const box = boxes[at];
    const index = elements[at] ?? -1;
    const node = nodes[index];
    if (!box || !node || box.width <= 0 || box.height <= 0) continue;
    let ancestor = node.parent;
    while (ancestor >= 0 && !listIndexes.has(ancestor)) ancestor = nodes[ancestor]?.parent ?? -1;
    listIndexes.set(index, shown.length);
    shown.push([at, listIndexes.get(ancestor) ?? -1, node.tag, box.x, box.y, box.width, box.height]);
  }
  return shown;
}

/** Returns a selector for the element with this index and what it covers; null if there is no such element. */
export function pickElement(snapshot: Snapshot, at: number): (Picked & { covers: Coverage }) | null {
  const nodes = parseHtml(snapshot.html);
  const index = indexedElements(nodes)[at];
  if (snapshot.kind !== "html" || index === undefined) return null;
  const picked = pickSelector(new Tree(nodes, new Budget()), index);
  const [covers] = coverRules(snapshot, { selector: picked.selector, ignore: [] }).selector;
  return covers ? { ...picked, covers } : null;
}

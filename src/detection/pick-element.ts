import { type Coverage, coverRules } from "./cover-rules.ts";
import { indexedElements } from "./html/mark-rendered.ts";
import { parseHtml } from "./html/parse-html.ts";
import { readBoxes } from "./layout.ts";
import { type Picked, pickSelector } from "./pick-selector.ts";
import { Budget } from "./rule-budget.ts";
import { Tree } from "./rules/tree.ts";
import type { Snapshot } from "./snapshot.ts";

/** An element on the picture: its number in the page, its place in this list's parent (-1: none), its name, its box. */
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

/** Where a page's elements stand on its picture, in document order; null where nobody looked. */
export function listElements({ kind, html, layout }: Snapshot): Shown[] | null {
  if (kind !== "html" || !layout) return null;
  const nodes = parseHtml(html);
  const elements = indexedElements(nodes);
  if (elements.length !== layout.elements) return null;
  const boxes = readBoxes(layout.boxes);
  const places = new Map<number, number>();
  const shown: Shown[] = [];
  for (let at = 0; at < elements.length && shown.length < MAX_SHOWN; at++) {
    const box = boxes[at];
    const index = elements[at] ?? -1;
    const node = nodes[index];
    if (!box || !node || box.width <= 0 || box.height <= 0) continue;
    let up = node.parent;
    while (up >= 0 && !places.has(up)) up = nodes[up]?.parent ?? -1;
    places.set(index, shown.length);
    shown.push([at, places.get(up) ?? -1, node.tag, box.x, box.y, box.width, box.height]);
  }
  return shown;
}

/** The selector for one of them, and what that covers; null where there is none of that number. */
export function pickElement(snapshot: Snapshot, at: number): (Picked & { covers: Coverage }) | null {
  const nodes = parseHtml(snapshot.html);
  const index = indexedElements(nodes)[at];
  if (snapshot.kind !== "html" || index === undefined) return null;
  const picked = pickSelector(new Tree(nodes, new Budget()), index);
  const [covers] = coverRules(snapshot, { selector: picked.selector, ignore: [] }).selector;
  return covers ? { ...picked, covers } : null;
}

import { type HtmlNode, textOf } from "../html-parsing/parse-html.ts";
import { areaOf, contains, sharedArea } from "../picture-comparison/boxes.ts";
import { readBoxes, readTextBoxes } from "../snapshot/layout.ts";
import type { Snapshot, TextBlock } from "../snapshot/snapshot.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import type { Box, ComparedArea } from "../verdict/verdict.ts";
import type { Placed } from "./filtered-capture.ts";
import type { TextCutter } from "./text-cutter.ts";

/** What rules leave of a page: `elements` are the indexes of the nodes that the picture's boxes belong to. */
export type Cut = {
  nodes: HtmlNode[];
  elements: number[];
  chosen: number[] | null;
  dropped: number[];
  keep: Uint8Array;
  lines: TextCutter;
};

/** The parts of the picture that count, and those that don't. */
export function findComparedArea(
  { layout, text }: Snapshot,
  { nodes, elements, chosen, dropped, keep, lines }: Cut,
): ComparedArea | null {
  if (layout?.elements !== elements.length) return null;
  const boxes = readBoxes(layout.boxes);
  const numbers = new Map(elements.map((index, at) => [index, at]));
  const boxOf = (index: number) => {
    const box = boxes[numbers.get(index) ?? -1];
    return box && box.width > 0 && box.height > 0 ? box : null;
  };
  const boxesIn = (root: number): Box[] => {
    const outer = boxOf(root);
    const found = outer ? [outer] : [];
    for (let index = root + 1; index < (nodes[root]?.end ?? 0); index++) {
      const box = boxOf(index);
      if (box && !(outer && contains(outer, box))) found.push(box);
    }
    return found;
  };
  const only = chosen && chosen.flatMap(boxesIn);
  if (only?.length === 0) return null;
  const texts = lines.isIdle ? [] : readTextBoxes(layout.texts);
  const words = texts.flatMap((place, at) => (place && lines.cuts(text[at]?.text ?? "") ? [place.box] : []));
  const others = only && chosen ? boxesBeside(only, nodes, keep, boxesIn) : [];
  return { only, hidden: [...dropped.flatMap(boxesIn), ...words, ...others] };
}

// With more chosen elements than this, looking for others over each of them costs more than it is worth.
const maxSearched = 200;

/**
 * The boxes of elements that weren't chosen but lie over a chosen one, such as a floating neighbor. What covers most of
 * it is left alone: it may be a transparent layer, under which a change would be missed.
 */
function boxesBeside(
  only: Box[],
  nodes: HtmlNode[],
  keep: Uint8Array,
  boxesIn: (root: number) => Box[],
): Box[] {
  if (only.length > maxSearched) return [];
  const found: Box[] = [];
  for (let index = 0; index < nodes.length; index++) {
    if (keep[index]) continue;
    for (const box of boxesIn(index)) {
      const shares = only.map((one) => sharedArea(one, box) / areaOf(one));
      if (shares.some((share) => share > 0) && shares.every((share) => share < 0.5)) found.push(box);
    }
    index = (nodes[index]?.end ?? index + 1) - 1;
  }
  return found;
}

/** Positions of the remaining lines in the picture: those in kept elements whose remaining words are compared. */
export function linePositions(
  { text, layout }: Snapshot,
  left: TextBlock[],
  { nodes, elements, keep, lines, dropped }: Cut,
): Placed[] {
  if (layout?.elements !== elements.length) return [];
  const inOrder = dropped.toSorted((a, b) => a - b);
  const squash = (line: string) => line.replace(/\s+/g, "");
  const known = new Set(left.map((block) => squash(block.text)));
  return readTextBoxes(layout.texts).flatMap((place, at) => {
    const owner = elements[place?.at ?? -1] ?? -1;
    if (!place || keep[owner] !== 1) return [];
    const all = text[at]?.text ?? "";
    const isLeft = (line: string) => line !== "" && known.has(squash(line));
    const cut = lines.cut(all).trim();
    const words = isLeft(cut) ? cut : lines.cut(withoutElements(all, nodes, owner, inOrder)).trim();
    return isLeft(words) ? [{ text: words, ...place }] : [];
  });
}

/** The words of a line without those of elements inside it that are ignored, such as a counter; in page order. */
function withoutElements(words: string, nodes: HtmlNode[], owner: number, dropped: number[]): string {
  let left = "";
  let from = 0;
  const end = nodes[owner]?.end ?? 0;
  for (let next = firstAfter(dropped, owner); (dropped[next] ?? end) < end; next++) {
    const root = dropped[next] as number;
    const inner = foldSpace(textOf(nodes, root));
    const at = inner === "" ? -1 : words.indexOf(inner, from);
    if (at < 0) continue;
    left += words.slice(from, at);
    from = at + inner.length;
  }
  return left + words.slice(from);
}

/** The position of the first number in a sorted list that is greater than the given one. */
function firstAfter(sorted: number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

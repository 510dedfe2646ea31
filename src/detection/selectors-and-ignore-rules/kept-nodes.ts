import type { HtmlNode } from "../html-parsing/parse-html.ts";
import type { Edit } from "./edit-source.ts";

/** Marks the nodes to keep: chosen ones and their ancestors, which give the location, without dropped ones. */
export function markKept(nodes: HtmlNode[], chosen: number[] | null, dropped: number[]): Uint8Array {
  const keep = new Uint8Array(nodes.length);
  if (chosen === null) keep.fill(1);
  for (const index of chosen ?? []) {
    keep.fill(1, index, nodes[index]?.end);
    for (let up = nodes[index]?.parent ?? -1; up >= 0 && !keep[up]; up = nodes[up]?.parent ?? -1)
      keep[up] = 1;
  }
  for (const index of dropped) keep.fill(0, index, nodes[index]?.end);
  return keep;
}

/** The edits that remove all nodes that aren't kept from the source. */
export function removals(nodes: HtmlNode[], keep: Uint8Array): Edit[] {
  const edits: Edit[] = [];
  for (let index = 0; index < nodes.length; index++) {
    if (keep[index]) continue;
    const { start, stop, end } = nodes[index] as HtmlNode;
    edits.push({ start, stop, text: "" });
    index = end - 1;
  }
  return edits;
}

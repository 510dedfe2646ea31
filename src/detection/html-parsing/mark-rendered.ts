import { closedTags, type Rendered } from "../snapshot/snapshot.ts";
import type { HtmlNode } from "./parse-html.ts";

/**
 * Copies onto the nodes what a browser showed of them. Returns false and marks nothing if the number of elements
 * differs, because the browser then saw another page.
 */
export function markRendered(nodes: HtmlNode[], rendered: Rendered | undefined): boolean {
  if (!rendered) return false;
  const elements = indexedElements(nodes);
  if (elements.length !== rendered.elements) return false;
  for (const visibility of ["hidden", "cloaked", "shown"] as const) {
    for (const at of rendered[visibility]) mark(nodes[elements[at] ?? -1], { rendered: visibility });
  }
  for (const { at, ...written } of rendered.written) mark(nodes[elements[at] ?? -1], { written });
  return true;
}

/** Marks the elements that a job's selector chose. */
export function markChosen(nodes: HtmlNode[], chosen: number[] | undefined): void {
  if (!chosen) return;
  const elements = indexedElements(nodes);
  for (const at of chosen) mark(nodes[elements[at] ?? -1], { chosen: true });
}

function mark(node: HtmlNode | undefined, marks: Pick<HtmlNode, "rendered" | "written" | "chosen">): void {
  if (node) Object.assign(node, marks);
}

/** Node indexes of all elements that have an element index as `Rendered` defines it, in the order of that index. */
export function indexedElements(nodes: HtmlNode[]): number[] {
  const elements: number[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as HtmlNode;
    if (node.kind !== "element") continue;
    if (node.tag !== "template" || node.attributes.shadowrootmode === undefined) elements.push(index);
    if (closedTags.has(node.tag)) index = node.end - 1;
  }
  return elements;
}

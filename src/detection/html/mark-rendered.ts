import { closedTags, type Rendered } from "../snapshot.ts";
import type { HtmlNode } from "./parse-html.ts";

/** Carries over to the nodes what a browser showed of them; nothing, and false, where they are not what it saw. */
export function markRendered(nodes: HtmlNode[], rendered: Rendered | undefined): boolean {
  if (!rendered) return false;
  const elements = indexedElements(nodes);
  if (elements.length !== rendered.elements) return false;
  for (const sight of ["hidden", "cloaked", "shown"] as const) {
    for (const at of rendered[sight]) mark(elements[at], { sight });
  }
  for (const { at, ...written } of rendered.written) mark(elements[at], { written });
  return true;
}

function mark(node: HtmlNode | undefined, marks: Pick<HtmlNode, "sight" | "written">): void {
  if (node) Object.assign(node, marks);
}

/** The elements that have an index, in its order. */
function indexedElements(nodes: HtmlNode[]): HtmlNode[] {
  const elements: HtmlNode[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as HtmlNode;
    if (node.kind !== "element") continue;
    if (node.tag !== "template" || node.attributes.shadowrootmode === undefined) elements.push(node);
    if (closedTags.has(node.tag)) index = node.end - 1;
  }
  return elements;
}

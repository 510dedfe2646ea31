import type { HtmlNode } from "./parse-html.ts";

/** Lets css-select walk a flat list of nodes. */
export function treeAdapter(nodes: HtmlNode[]) {
  const indexOf = new Map<HtmlNode, number>();
  const children = new Map<number, HtmlNode[]>();
  nodes.forEach((node, index) => {
    indexOf.set(node, index);
    const siblings = children.get(node.parent);
    if (siblings) siblings.push(node);
    else children.set(node.parent, [node]);
  });
  const isTag = (node: HtmlNode): node is HtmlNode => node.kind === "element";
  return {
    isTag,
    getAttributeValue: (node: HtmlNode, name: string) =>
      Object.hasOwn(node.attributes, name) ? node.attributes[name] : undefined,
    hasAttrib: (node: HtmlNode, name: string) => Object.hasOwn(node.attributes, name),
    getName: (node: HtmlNode) => node.tag,
    getChildren: (node: HtmlNode) => children.get(indexOf.get(node) ?? -2) ?? [],
    getParent: (node: HtmlNode) => nodes[node.parent] ?? null,
    getSiblings: (node: HtmlNode) => children.get(node.parent) ?? [],
    getText: (node: HtmlNode) => {
      const start = indexOf.get(node) ?? 0;
      let text = "";
      for (let at = start; at < node.end; at++) text += nodes[at]?.text ?? "";
      return text;
    },
    removeSubsets: (list: HtmlNode[]) => list,
  };
}

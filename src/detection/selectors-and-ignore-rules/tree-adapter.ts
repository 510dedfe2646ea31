import type { HtmlNode } from "../html-parsing/parse-html.ts";

// Number of characters that can be searched in the time of one step.
const charactersPerStep = 20;

/** Lets css-select walk a flat list of nodes; `count` is called with the number of steps that each operation takes. */
export function treeAdapter(nodes: HtmlNode[], count: (steps: number) => void) {
  const indexOf = new Map<HtmlNode, number>();
  const children = new Map<number, HtmlNode[]>();
  nodes.forEach((node, index) => {
    indexOf.set(node, index);
    const siblings = children.get(node.parent);
    if (siblings) siblings.push(node);
    else children.set(node.parent, [node]);
  });
  const counted =
    <Item, Result>(read: (item: Item) => Result) =>
    (item: Item): Result => {
      count(1);
      return read(item);
    };
  return {
    isTag: counted((node: HtmlNode) => node.kind === "element") as (node: HtmlNode) => node is HtmlNode,
    equals: (one: HtmlNode, other: HtmlNode) => {
      count(1);
      return one === other;
    },
    getAttributeValue: (node: HtmlNode, name: string) => {
      const value = Object.hasOwn(node.attributes, name) ? node.attributes[name] : undefined;
      count(1 + (value ?? "").length / charactersPerStep);
      return value;
    },
    hasAttrib: (node: HtmlNode, name: string) => {
      count(1);
      return Object.hasOwn(node.attributes, name);
    },
    getName: counted((node: HtmlNode) => node.tag),
    getChildren: counted((node: HtmlNode) => children.get(indexOf.get(node) ?? -2) ?? []),
    getParent: counted((node: HtmlNode) => nodes[node.parent] ?? null),
    getSiblings: counted((node: HtmlNode) => children.get(node.parent) ?? []),
    getText: (node: HtmlNode) => {
      const start = indexOf.get(node) ?? 0;
      let text = "";
      for (let at = start; at < node.end; at++) text += nodes[at]?.text ?? "";
      count(node.end - start + text.length / charactersPerStep);
      return text;
    },
    removeSubsets: (list: HtmlNode[]) => list,
  };
}

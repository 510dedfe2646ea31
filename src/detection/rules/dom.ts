import type { HtmlNode } from "../html/parse-html.ts";

/** A node as XPath wants to see one. `index` is its place in the flat list; an attribute has that of its element. */
export type DomNode = {
  nodeType: number;
  nodeName: string;
  localName: string;
  namespaceURI: null;
  prefix: null;
  name: string;
  target: string;
  data: string;
  value: string;
  index: number;
  parent: DomNode | null;
  /** Its place among its siblings. */
  at: number;
  children: DomNode[];
};

const types = { element: 1, text: 3, comment: 8, doctype: 10 } as const;

/** The document that a flat list of nodes makes. */
export function domOf(nodes: HtmlNode[]): DomNode {
  const document = nodeOf(9, "#document", "", -1, null);
  const made: DomNode[] = [];
  nodes.forEach((node, index) => {
    const parent = made[node.parent] ?? document;
    const one = nodeOf(types[node.kind], node.tag, node.text, index, parent);
    one.at = parent.children.length;
    parent.children.push(one);
    made.push(one);
  });
  return document;
}

function nodeOf(
  nodeType: number,
  name: string,
  data: string,
  index: number,
  parent: DomNode | null,
): DomNode {
  return {
    nodeType,
    nodeName: name,
    localName: name,
    namespaceURI: null,
    prefix: null,
    name,
    target: "",
    data,
    value: data,
    index,
    parent,
    at: 0,
    children: [],
  };
}

/** How fontoxpath goes about in such a document. */
export function facadeOf(nodes: HtmlNode[]) {
  const attributesOf = (node: DomNode): DomNode[] =>
    Object.entries(nodes[node.index]?.attributes ?? {}).map(([name, value]) =>
      nodeOf(2, name, value, node.index, node),
    );
  return {
    getAllAttributes: attributesOf,
    getAttribute: (node: DomNode, name: string) => nodes[node.index]?.attributes[name] ?? null,
    getChildNodes: (node: DomNode) => node.children,
    getData: (node: DomNode) => node.data,
    getFirstChild: (node: DomNode) => node.children[0] ?? null,
    getLastChild: (node: DomNode) => node.children.at(-1) ?? null,
    getNextSibling: (node: DomNode) => node.parent?.children[node.at + 1] ?? null,
    getPreviousSibling: (node: DomNode) =>
      node.at > 0 ? (node.parent?.children[node.at - 1] ?? null) : null,
    getParentNode: (node: DomNode) => node.parent,
  };
}

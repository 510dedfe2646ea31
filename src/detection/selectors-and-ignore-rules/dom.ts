import type { HtmlNode } from "../html-parsing/parse-html.ts";
import type { Budget } from "./rule-budget.ts";

/** A node as the XPath library needs it. `index` is that in the flat list; an attribute has its element's index. */
export type DomNode = {
  nodeType: number;
  nodeName: string;
  localName: string;
  /** The prefix itself, since rules name elements by their prefix. */
  namespaceURI: string | null;
  prefix: string | null;
  name: string;
  target: string;
  data: string;
  value: string;
  index: number;
  parent: DomNode | null;
  /** Its index among its siblings. */
  at: number;
  children: DomNode[];
};

const types = { element: 1, text: 3, comment: 8, doctype: 10 } as const;

/** Builds a document from a flat list of nodes. */
export function buildDom(nodes: HtmlNode[]): DomNode {
  const document = nodeOf(9, "#document", "", -1, null);
  const domNodes: DomNode[] = [];
  nodes.forEach((node, index) => {
    const parent = domNodes[node.parent] ?? document;
    const domNode = nodeOf(types[node.kind], node.tag, node.text, index, parent);
    domNode.at = parent.children.length;
    parent.children.push(domNode);
    domNodes.push(domNode);
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
  const colon = name.indexOf(":");
  const prefix = colon > 0 ? name.slice(0, colon) : null;
  return {
    nodeType,
    nodeName: name,
    localName: name.slice(colon > 0 ? colon + 1 : 0),
    namespaceURI: prefix,
    prefix,
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

// Nanoseconds that fontoxpath takes for each node that it requests; a child in a list costs less.
const [stepPrice, childPrice] = [200, 2];

/**
 * The interface by which fontoxpath reads such a document; each node that it requests is charged to the budget.
 *
 * To find out which of two nodes comes first, the library requests the ancestors of one, then of the other, and goes
 * through the children of their last common ancestor. It does so for each pair, thousands of times on a page with a
 * long list. So it gets only the two children that lead to the nodes, in a list that shows all children to any access
 * other than by index.
 */
export function createDomFacade(nodes: HtmlNode[], budget: Budget) {
  const attributesOf = (node: DomNode): DomNode[] =>
    Object.entries(nodes[node.index]?.attributes ?? {}).map(([name, value]) =>
      nodeOf(2, name, value, node.index, node),
    );
  const billed =
    <Rest extends unknown[], T>(read: (node: DomNode, ...rest: Rest) => T) =>
    (node: DomNode, ...rest: Rest): T => {
      budget.spend(stepPrice);
      return read(node, ...rest);
    };
  /** The last two chains of ancestors that were requested, node by node. */
  let [previousChain, latestChain]: [DomNode[], DomNode[]] = [[], []];
  let expectedNode: DomNode | null = null;
  return {
    getAllAttributes: billed(attributesOf),
    getAttribute: billed((node, name: string) => nodes[node.index]?.attributes[name] ?? null),
    getChildNodes: (node: DomNode) => {
      const { children } = node;
      budget.spend(stepPrice);
      const [one, other] = [previousChain, latestChain].map((chain) =>
        chain.find(({ parent }) => parent === node),
      );
      if (one && other && one !== other) return new ListOfTwo(one, other, children);
      budget.spend(childPrice * children.length);
      return children;
    },
    getData: billed((node) => node.data),
    getFirstChild: billed((node) => node.children[0] ?? null),
    getLastChild: billed((node) => node.children.at(-1) ?? null),
    getNextSibling: billed((node) => node.parent?.children[node.at + 1] ?? null),
    getPreviousSibling: billed((node) => (node.at > 0 ? (node.parent?.children[node.at - 1] ?? null) : null)),
    getParentNode: billed((node) => {
      if (node !== expectedNode) [previousChain, latestChain] = [latestChain, []];
      latestChain.push(node);
      expectedNode = node.parent;
      return node.parent;
    }),
  };
}

/** A list with two children by index, but with all children for any other way to go through it. */
class ListOfTwo {
  readonly length = 2;
  readonly 0: DomNode;
  readonly 1: DomNode;
  readonly #all: DomNode[];

  constructor(one: DomNode, other: DomNode, all: DomNode[]) {
    [this[0], this[1]] = one.at < other.at ? [one, other] : [other, one];
    this.#all = all;
  }

  map<T>(each: (node: DomNode, at: number) => T): T[] {
    return this.#all.map(each);
  }

  filter(each: (node: DomNode) => boolean): DomNode[] {
    return this.#all.filter(each);
  }

  forEach(each: (node: DomNode) => void): void {
    this.#all.forEach(each);
  }

  [Symbol.iterator](): Iterator<DomNode> {
    return this.#all[Symbol.iterator]();
  }
}

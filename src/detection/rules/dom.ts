import type { HtmlNode } from "../html/parse-html.ts";
import type { Budget } from "../rule-budget.ts";

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

// What fontoxpath does with a node that it asked for takes so many nanoseconds; a child in a list costs less.
const [stepPrice, childPrice] = [200, 2];

/**
 * How fontoxpath goes about in such a document; each node that it asks for is paid for.
 *
 * To learn which of two nodes comes first, the library asks for the ancestors of the one, then of the other, and goes
 * through the children of the last that they share: for each pair, thousands on a page with a long list. So it is given
 * only the two children that lead to them, in a list that shows all of them to whoever asks for more than a place.
 */
export function facadeOf(nodes: HtmlNode[], budget: Budget) {
  const attributesOf = (node: DomNode): DomNode[] =>
    Object.entries(nodes[node.index]?.attributes ?? {}).map(([name, value]) =>
      nodeOf(2, name, value, node.index, node),
    );
  const paid =
    <Rest extends unknown[], T>(look: (node: DomNode, ...rest: Rest) => T) =>
    (node: DomNode, ...rest: Rest): T => {
      budget.spend(stepPrice);
      return look(node, ...rest);
    };
  /** The last two ways up that were asked for, node by node. */
  let [former, latest]: [DomNode[], DomNode[]] = [[], []];
  let above: DomNode | null = null;
  return {
    getAllAttributes: paid(attributesOf),
    getAttribute: paid((node, name: string) => nodes[node.index]?.attributes[name] ?? null),
    getChildNodes: (node: DomNode) => {
      const { children } = node;
      budget.spend(stepPrice);
      const [one, other] = [former, latest].map((way) => way.find(({ parent }) => parent === node));
      if (one && other && one !== other) return new ListOfTwo(one, other, children);
      budget.spend(childPrice * children.length);
      return children;
    },
    getData: paid((node) => node.data),
    getFirstChild: paid((node) => node.children[0] ?? null),
    getLastChild: paid((node) => node.children.at(-1) ?? null),
    getNextSibling: paid((node) => node.parent?.children[node.at + 1] ?? null),
    getPreviousSibling: paid((node) => (node.at > 0 ? (node.parent?.children[node.at - 1] ?? null) : null)),
    getParentNode: paid((node) => {
      if (node !== above) [former, latest] = [latest, []];
      latest.push(node);
      above = node.parent;
      return node.parent;
    }),
  };
}

/** Two children by their places, all of them by any other way to go through a list. */
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

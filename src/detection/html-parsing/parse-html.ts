import { Tokenizer } from "htmlparser2";

/** One node of a page in document order; the whole page is one flat list, so that depth costs nothing. */
export type HtmlNode = {
  kind: "element" | "text" | "comment" | "doctype";
  /** Lower-case name of an element, "" otherwise. */
  tag: string;
  attributes: Record<string, string>;
  text: string;
  /** Index of the parent, -1 at the top. */
  parent: number;
  depth: number;
  /** Index after the last descendant. */
  end: number;
  /** Offsets in the source: start of the node, end of its start tag, end of the node including all its content. */
  start: number;
  inside: number;
  stop: number;
  /** Set if a browser rendered the page: how visibility changes here, and the text that style sheets add here. */
  rendered?: "hidden" | "cloaked" | "shown";
  written?: { before?: string; after?: string };
  /** A job's selector chose it. */
  chosen?: true;
};

const noAttributes: Record<string, string> = Object.freeze({});

/** Elements that have no content and no closing tag. */
export const voidTags = words(
  "area base basefont br col command embed frame hr img input link meta param source track wbr",
);
const closesParagraph = words(
  "address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul",
);
const closedByOpening = new Map([
  ["tr", words("tr th td")],
  ["th", words("th td")],
  ["td", words("th td")],
  ["body", words("head link script")],
  ["a", words("a")],
  ["li", words("li")],
  ["option", words("option")],
  ["optgroup", words("optgroup option")],
  ["dd", words("dd dt")],
  ["dt", words("dd dt")],
  ["tbody", words("thead tbody tr td th")],
  ["tfoot", words("thead tbody tr td th")],
]);
const paragraph = words("p");
// Any other tag inside an unclosed head starts the body, as HTML5 specifies.
const headTags = words(
  "base basefont bgsound head html link meta noframes noscript script style template title",
);

function words(list: string): Set<string> {
  return new Set(list.split(" "));
}

/** Adds a node inside the elements that are open, given by their indexes. */
export function addNode(
  nodes: HtmlNode[],
  open: number[],
  kind: HtmlNode["kind"],
  tag: string,
  text: string,
  start: number,
  stop: number,
): HtmlNode {
  const node: HtmlNode = {
    kind,
    tag,
    attributes: noAttributes,
    text,
    parent: open.at(-1) ?? -1,
    depth: open.length,
    end: nodes.length + 1,
    start,
    inside: stop,
    stop,
  };
  nodes.push(node);
  return node;
}

/** Parses any text as HTML in linear time; never throws. htmlparser2's own tree walk is quadratic on unclosed tags. */
// Long because the parser's callbacks share its state, and this is the hottest loop of a comparison.
export function parseHtml(source: string): HtmlNode[] {
  const nodes: HtmlNode[] = [];
  const stack: number[] = [];
  const open = new Map<string, number>();
  let element: HtmlNode | null = null;
  let attribute = "";
  let value = "";
  let tagStart = 0;
  let foreign = 0;

  const add = (kind: HtmlNode["kind"], tag: string, text: string, start: number, stop = source.length) =>
    addNode(nodes, stack, kind, tag, text, start, stop);
  const pop = (stop: number) => {
    const node = nodes[stack.pop() ?? -1];
    if (!node) return;
    node.end = nodes.length;
    node.stop = stop;
    open.set(node.tag, (open.get(node.tag) ?? 1) - 1);
    if (node.tag === "svg" || node.tag === "math") foreign--;
  };
  const top = () => nodes[stack.at(-1) ?? -1]?.tag ?? "";
  // Where the last token ended: text between two tags may arrive in several pieces, and an entity reports only its end.
  let readEnd = 0;
  const addText = (text: string, stop: number) => {
    const last = nodes.at(-1);
    if (last?.kind === "text" && last.parent === (stack.at(-1) ?? -1)) {
      last.text += text;
      last.stop = stop;
    } else add("text", "", text, readEnd, stop);
    readEnd = stop;
  };
  const endTag = (stop: number) => {
    if (element) {
      element.inside = stop;
      if (voidTags.has(element.tag)) element.stop = stop;
    }
    readEnd = stop;
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        const tag = source.slice(start, end).toLowerCase();
        const closes = closedByOpening.get(tag) ?? (closesParagraph.has(tag) ? paragraph : undefined);
        tagStart = start - 1;
        if (closes) while (closes.has(top())) pop(tagStart);
        if (top() === "head" && !headTags.has(tag)) pop(tagStart);
        element = add("element", tag, "", tagStart);
        element.attributes = {};
        if (!voidTags.has(tag)) {
          stack.push(nodes.length - 1);
          open.set(tag, (open.get(tag) ?? 0) + 1);
          if (tag === "svg" || tag === "math") foreign++;
        }
      },
      onopentagend(end) {
        endTag(end + 1);
        element = null;
      },
      onselfclosingtag(end) {
        endTag(end + 1);
        if (element && foreign > 0 && !voidTags.has(element.tag)) pop(end + 1);
        element = null;
      },
      onclosetag(start, end) {
        const tag = source.slice(start, end).toLowerCase();
        const close = source.indexOf(">", end);
        readEnd = close < 0 ? source.length : close + 1;
        if (!open.get(tag)) return;
        while (stack.length > 0 && top() !== tag) pop(start - 2);
        pop(readEnd);
      },
      onattribname(start, end) {
        attribute = source.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata(start, end) {
        value += source.slice(start, end);
      },
      onattribentity(code) {
        value += String.fromCodePoint(code);
      },
      onattribend() {
        if (element && !Object.hasOwn(element.attributes, attribute)) element.attributes[attribute] = value;
        value = "";
      },
      ontext(start, end) {
        const text = source.slice(start, end);
        readEnd = Math.max(readEnd, start);
        if (top() === "head" && /\S/.test(text)) pop(start);
        addText(text, end);
      },
      ontextentity(code, end) {
        addText(String.fromCodePoint(code), end);
      },
      oncomment(start, end, offset) {
        const from = readEnd;
        readEnd = Math.min(end + 1, source.length);
        add("comment", "", source.slice(start, end - offset), from, readEnd);
      },
      oncdata(start, end, offset) {
        const stop = Math.min(end + 1, source.length);
        if (foreign > 0) addText(source.slice(start, end - offset), stop);
        else add("comment", "", source.slice(start, end - offset), readEnd, stop);
        readEnd = stop;
      },
      ondeclaration(start, end) {
        const from = readEnd;
        readEnd = Math.min(end + 1, source.length);
        add("doctype", "", source.slice(start, end), from, readEnd);
      },
      onprocessinginstruction(start, end) {
        const from = readEnd;
        readEnd = Math.min(end + 1, source.length);
        add("comment", "", source.slice(start, end), from, readEnd);
      },
      isInForeignContext: () => foreign > 0,
      onend() {
        while (stack.length > 0) pop(source.length);
      },
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  return nodes;
}

/** The text of a text node or inside an element. */
export const textOf = (nodes: HtmlNode[], index: number): string =>
  nodes[index]?.kind === "text" ? nodes[index].text : rawText(nodes, index);

/** Text inside an element, read from at most `limit` nodes. */
export function rawText(nodes: HtmlNode[], index: number, limit = Number.POSITIVE_INFINITY): string {
  let text = "";
  const end = Math.min(nodes[index]?.end ?? 0, index + 1 + limit);
  for (let at = index + 1; at < end; at++) {
    const node = nodes[at];
    if (node?.kind === "text") text += node.text;
  }
  return text;
}

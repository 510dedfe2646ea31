import type { HtmlNode } from "../html-parsing/parse-html.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { describeEntry, readXmlFeed } from "./compare-feed.ts";
import type { ContentDifferences } from "./content-difference.ts";
import { compareFeeds, compareTrees } from "./json/compare-json.ts";
import type { Value } from "./json/signatures.ts";
import { maxDepth, parseXml } from "./parse-xml.ts";

// A feed's own dates only say when it was generated; those of its items are content.
const feedDate = /^(?:rss\.channel\.(?:lastBuildDate|pubDate)|feed\.updated|rdf:RDF\.channel\.dc:date)$/;

const comment = /^#comment\[/;

type Element = { [name: string]: Value };

/** Compares XML by structure; the order of attributes and equal children doesn't count. Undefined if it isn't XML. */
export function compareXml(before: string, after: string, isChosen = false): ContentDifferences | undefined {
  const a = readTree(before);
  const b = readTree(after);
  if (!a || !b) return undefined;
  const structure = { isXml: true, tell: describeEntry };
  // Who chose a part of a feed compares that part by its structure.
  const feed = isChosen ? undefined : compareFeeds(readXmlFeed(a.root), readXmlFeed(b.root), structure);
  const compared = feed ?? compareTrees(a.root, b.root, structure);
  for (const difference of compared.found) {
    // Who chose a part of the feed watches its dates, too.
    if (!isChosen && feedDate.test(difference.place)) difference.noise ??= decidedBy("time.feed");
    // Readers of the document don't see its comments.
    if (comment.test(difference.place)) difference.noise ??= decidedBy("hidden.xml-comment");
  }
  return { ...compared, lines: [a.lines, b.lines] };
}

/** Reads the elements of a document as values, and prints them one per line; undefined if it isn't XML. */
function readTree(source: string): { root: Element; lines: string[] } | undefined {
  if (!/^\s*<[?!a-z_]/i.test(source.slice(0, 1000).replace(/^\ufeff/, ""))) return undefined;
  const nodes = parseXml(source);
  // Elements that were too deep were left out.
  if (nodes.some(({ kind, depth }) => kind === "element" && depth === maxDepth - 1)) return undefined;
  const lines: string[] = [];
  const print = (depth: number, line: string) => lines.push("  ".repeat(Math.min(depth, 40)) + line);
  const read = (index: number): Value => {
    const { tag, attributes, depth, end } = nodes[index] as HtmlNode;
    const element: Element = {};
    const names = Object.keys(attributes).sort();
    for (const name of names) setValue(element, `@${name}`, attributes[name] ?? "");
    print(depth, `<${[tag, ...names.map((name) => `${name}="${attributes[name]}"`)].join(" ")}>`);
    const text = readChildren(element, index + 1, end);
    if (text !== "") print(depth + 1, text);
    if (Object.keys(element).length === 0) return text;
    if (text !== "") element["#text"] = text;
    return element;
  };
  /** Adds the elements in a range to the one that contains them, and returns the text between them. */
  const readChildren = (parent: Element, from: number, end: number): string => {
    let text = "";
    for (let at = from; at < end; at = (nodes[at] as HtmlNode).end) {
      const node = nodes[at] as HtmlNode;
      if (node.kind === "text") text += node.text;
      else if (node.kind === "element") addChild(parent, node.tag, read(at));
    }
    return text.replace(/\s+/g, " ").trim();
  };
  const root: Element = {};
  readChildren(root, 0, nodes.length);
  if (Object.keys(root).length === 0) return undefined;
  // Comments are collected outside the tree: their location says nothing about the values.
  root["#comment"] = nodes.flatMap(({ kind, text }) => (kind === "comment" ? [text.trim()] : []));
  return { root, lines };
}

function addChild(parent: Element, name: string, child: Value): void {
  const existing = Object.hasOwn(parent, name) ? parent[name] : undefined;
  if (existing === undefined) setValue(parent, name, child);
  else if (Array.isArray(existing)) existing.push(child);
  else setValue(parent, name, [existing, child]);
}

/** Defines the property because a tag may be called __proto__. */
function setValue(parent: Element, name: string, value: Value): void {
  Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
}

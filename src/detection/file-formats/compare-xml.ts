import { Parser } from "htmlparser2";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { compareEntries, describeEntry, readXmlFeed } from "./compare-feed.ts";
import type { ContentDifferences } from "./content-difference.ts";
import { compareTrees } from "./json/compare-json.ts";
import type { Value } from "./json/signatures.ts";

// No real document is nested deeper, and walking deeper nesting would exhaust the stack.
const MAX_DEPTH = 300;
// A feed's own dates only say when it was generated; those of its items are content.
const feedDate = /^(?:rss\.channel\.(?:lastBuildDate|pubDate)|feed\.updated|rdf:RDF\.channel\.dc:date)$/;

const comment = /^#comment\[/;

type Element = { [name: string]: Value };

/** Compares XML by structure; the order of attributes and equal children doesn't count. Undefined if it isn't XML. */
export function compareXml(before: string, after: string, isChosen = false): ContentDifferences | undefined {
  const a = parseXml(before);
  const b = parseXml(after);
  if (!a || !b) return undefined;
  // Who chose a part of a feed compares that part by its structure.
  const [oldFeed, newFeed] = isChosen ? [] : [readXmlFeed(a.root), readXmlFeed(b.root)];
  const isFeed = oldFeed !== undefined && newFeed !== undefined;
  const entries = isFeed ? compareEntries(oldFeed, newFeed) : undefined;
  const structure = { isXml: true, tell: describeEntry };
  const rest = isFeed
    ? compareTrees(oldFeed.rest, newFeed.rest, structure)
    : compareTrees(a.root, b.root, structure);
  const { noun } = rest;
  const found = [...(entries?.found ?? []), ...rest.found];
  const standing = Math.min(rest.standing, entries?.standing ?? 1);
  for (const difference of found) {
    // Who chose a part of the feed watches its dates, too.
    if (!isChosen && feedDate.test(difference.place)) difference.noise ??= decidedBy("time.feed");
    // Readers of the document don't see its comments.
    if (comment.test(difference.place)) difference.noise ??= decidedBy("hidden.xml-comment");
  }
  return { found, standing, noun, lines: [a.lines, b.lines] };
}

function parseXml(text: string): { root: Element; lines: string[] } | undefined {
  if (!/^\s*<[?!a-z_]/i.test(text.slice(0, 1000).replace(/^\ufeff/, ""))) return undefined;
  const root: Element = {};
  const stack: { name: string; element: Element; text: string }[] = [{ name: "", element: root, text: "" }];
  const lines: string[] = [];
  const comments: string[] = [];
  let tooDeep = false;
  const print = (line: string): void => {
    lines.push("  ".repeat(Math.min(stack.length - 1, 40)) + line);
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (tooDeep || stack.length > MAX_DEPTH) {
          tooDeep = true;
          return;
        }
        const element: Element = {};
        const names = Object.keys(attributes).sort();
        for (const attribute of names) setValue(element, `@${attribute}`, attributes[attribute] ?? "");
        print(
          `<${[name, ...names.map((attribute) => `${attribute}="${attributes[attribute]}"`)].join(" ")}>`,
        );
        stack.push({ name, element, text: "" });
      },
      oncomment(data) {
        comments.push(data.trim());
      },
      ontext(data) {
        stack.at(-1)!.text += data;
      },
      onclosetag() {
        if (tooDeep || stack.length < 2) return;
        const { name, element, text: raw } = stack.at(-1)!;
        const trimmed = raw.replace(/\s+/g, " ").trim();
        if (trimmed !== "") print(trimmed);
        stack.pop();
        const isBare = Object.keys(element).length === 0;
        if (!isBare && trimmed !== "") element["#text"] = trimmed;
        addChild(stack.at(-1)!.element, name, isBare ? trimmed : element);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  if (tooDeep || Object.keys(root).length === 0) return undefined;
  // Comments are collected outside the tree: their location says nothing about the values.
  root["#comment"] = comments;
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

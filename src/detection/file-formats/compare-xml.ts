import { Parser } from "htmlparser2";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import { feedDate as feedDateRow, xmlComment } from "../noise-rules/value-rules.ts";
import type { ContentDifferences } from "./content-difference.ts";
import { compareTrees } from "./json/compare-json.ts";
import { isRecord, type Value } from "./json/signatures.ts";

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
  const { found, standing, noun } = compareTrees(a.root, b.root, { isXml: true, tell: describeEntry });
  for (const difference of found) {
    // Who chose a part of the feed watches its dates, too.
    if (!isChosen && feedDate.test(difference.place)) difference.noise ??= decidedBy(feedDateRow);
    // Readers of the document don't see its comments.
    if (comment.test(difference.place)) difference.noise ??= decidedBy(xmlComment);
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
        const folded = raw.replace(/\s+/g, " ").trim();
        if (folded !== "") print(folded);
        stack.pop();
        const isBare = Object.keys(element).length === 0;
        if (!isBare && folded !== "") element["#text"] = folded;
        addChild(stack.at(-1)!.element, name, isBare ? folded : element);
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

/** Describes a feed entry as its readers know it: by title and link. */
function describeEntry(value: Value, name: string): string | undefined {
  if (!/^(?:item|entry)$/.test(name) || !isRecord(value)) return undefined;
  const title = textOf(value.title);
  const link = linkOf(value.link) || textOf(value.guid ?? value.id);
  return title === "" ? undefined : `${title} ${link}`.trim();
}

function textOf(value: Value | undefined): string {
  if (value === undefined || Array.isArray(value)) return value?.[0] === undefined ? "" : textOf(value[0]);
  const own = isRecord(value) ? value["#text"] : value;
  return typeof own === "string" ? own : "";
}

/** RSS writes a link as text. Atom writes links as attributes; the one called alternate is the page itself. */
function linkOf(value: Value | undefined): string {
  if (Array.isArray(value)) {
    const page = value.find((link) => isRecord(link) && (link["@rel"] ?? "alternate") === "alternate");
    return linkOf(page ?? value[0]);
  }
  const href = value !== undefined && isRecord(value) ? value["@href"] : undefined;
  return typeof href === "string" ? href : textOf(value);
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

import { Parser } from "htmlparser2";
import { isRecord, type Value } from "./compare-json/signatures.ts";
import { compareTrees } from "./compare-json.ts";
import type { ContentDifferences } from "./content-difference.ts";

// Deeper nesting than any real document's; walking it would exhaust the stack.
const MAX_DEPTH = 300;
// A feed's own dates say when it was written, which is now; those of its items are content.
const feedDate = /^(?:rss\.channel\.(?:lastBuildDate|pubDate)|feed\.updated|rdf:RDF\.channel\.dc:date)$/;

const comment = /^#comment\[/;

type Element = { [name: string]: Value };

/** Compares XML by structure: order of attributes and of equal children is no change. Undefined when it is none. */
export function compareXml(before: string, after: string): ContentDifferences | undefined {
  const a = parseXml(before);
  const b = parseXml(after);
  if (!a || !b) return undefined;
  const { found, standing, noun } = compareTrees(a.root, b.root, { isXml: true, tell: tellEntry });
  for (const difference of found) {
    if (feedDate.test(difference.place)) difference.noise ??= "time";
    // No reader of the document sees its comments.
    if (comment.test(difference.place)) difference.noise ??= "hidden";
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
  // Beside the tree: where they stand says nothing about the values.
  root["#comment"] = comments;
  return { root, lines };
}

/** An entry of a feed as its reader knows it: title and link. */
function tellEntry(value: Value, name: string): string | undefined {
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

/** RSS writes a link as text, Atom as an attribute, one of several as the page itself. */
function linkOf(value: Value | undefined): string {
  if (Array.isArray(value)) {
    const page = value.find((link) => isRecord(link) && (link["@rel"] ?? "alternate") === "alternate");
    return linkOf(page ?? value[0]);
  }
  const href = value !== undefined && isRecord(value) ? value["@href"] : undefined;
  return typeof href === "string" ? href : textOf(value);
}

function addChild(parent: Element, name: string, child: Value): void {
  const there = Object.hasOwn(parent, name) ? parent[name] : undefined;
  if (there === undefined) setValue(parent, name, child);
  else if (Array.isArray(there)) there.push(child);
  else setValue(parent, name, [there, child]);
}

/** A tag may be called __proto__. */
function setValue(parent: Element, name: string, value: Value): void {
  Object.defineProperty(parent, name, { value, enumerable: true, configurable: true, writable: true });
}

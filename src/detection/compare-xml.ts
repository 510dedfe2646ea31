import { Parser } from "htmlparser2";
import type { Value } from "./compare-json/signatures.ts";
import { compareTrees } from "./compare-json.ts";
import type { ContentDifferences } from "./content-difference.ts";

// Deeper nesting than any real document's; walking it would exhaust the stack.
const MAX_DEPTH = 300;
// A feed's own dates say when it was written, which is now; those of its items are content.
const feedDate = /^(?:rss\.channel\.(?:lastBuildDate|pubDate)|feed\.updated|rdf:RDF\.channel\.dc:date)$/;

type Element = { [name: string]: Value };

/** Compares XML by structure: order of attributes and of equal children is no change. Undefined when it is none. */
export function compareXml(before: string, after: string): ContentDifferences | undefined {
  const a = parseXml(before);
  const b = parseXml(after);
  if (!a || !b) return undefined;
  const { found, standing, noun } = compareTrees(a.root, b.root, true);
  for (const difference of found) if (feedDate.test(difference.place)) difference.noise ??= "time";
  return { found, standing, noun, lines: [a.lines, b.lines] };
}

function parseXml(text: string): { root: Element; lines: string[] } | undefined {
  if (!/^\s*<[?!a-z_]/i.test(text.slice(0, 1000).replace(/^\ufeff/, ""))) return undefined;
  const root: Element = {};
  const stack: { name: string; element: Element; text: string }[] = [{ name: "", element: root, text: "" }];
  const lines: string[] = [];
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
  return tooDeep || Object.keys(root).length === 0 ? undefined : { root, lines };
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

import { foldSpace } from "./html/fold-space.ts";
import { type HtmlNode, parseHtml, rawText, voidTags } from "./html/parse-html.ts";
import { splitCode } from "./html/split-code.ts";

/**
 * A page printed one node a line; `sourceLines[i]` is the line of the source, from 1, that line i came from,
 * `nodes[i]` the node it prints, -1 where it only closes one.
 */
export type CanonicalHtml = { lines: string[]; sourceLines: number[]; nodes: number[] };

// Deeper than this the indentation stands still: it would grow with the square of the depth.
const MAX_INDENT = 40;

/** Prints HTML so that equal pages print equally: sorted attributes and classes, white space folded. Linear. */
export function canonicalHtml(html: string, nodes: HtmlNode[] = parseHtml(html)): CanonicalHtml {
  const lines: string[] = [];
  const sourceLines: number[] = [];
  const printed: number[] = [];
  const lineAt = sourceLineFinder(html);
  const open: { tag: string; end: number; depth: number }[] = [];
  const print = (depth: number, text: string, line: number, node = -1) => {
    lines.push(indent(depth) + text);
    sourceLines.push(line);
    printed.push(node);
  };
  let last = 1;
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as HtmlNode;
    for (let top = open.at(-1); top && top.end <= index; top = open.at(-1)) {
      print(top.depth, `</${top.tag}>`, last);
      open.pop();
    }
    const line = lineAt(node.start);
    last = line;
    if (node.kind === "text") {
      const text = foldSpace(node.text);
      if (text !== "") print(node.depth, text, line, index);
    } else if (node.kind === "comment") {
      print(node.depth, `<!-- ${foldSpace(node.text)} -->`, line, index);
    } else if (node.kind === "doctype") {
      print(node.depth, `<!${foldSpace(node.text).toLowerCase()}>`, line, index);
    } else {
      print(node.depth, openTag(node), line, index);
      if (node.tag === "script" || node.tag === "style") {
        for (const piece of splitCode(rawText(nodes, index))) print(node.depth + 1, piece, line, index);
        print(node.depth, `</${node.tag}>`, line);
        index = node.end - 1;
      } else if (!voidTags.has(node.tag)) {
        if (node.end > index + 1) open.push({ tag: node.tag, end: node.end, depth: node.depth });
        else print(node.depth, `</${node.tag}>`, line);
      }
    }
  }
  for (let top = open.pop(); top; top = open.pop()) print(top.depth, `</${top.tag}>`, last);
  return { lines, sourceLines, nodes: printed };
}

function openTag(node: HtmlNode): string {
  let text = `<${node.tag}`;
  for (const name of Object.keys(node.attributes).sort()) {
    const value = attributeValue(node, name);
    text += value === "" ? ` ${name}` : ` ${name}="${value.replaceAll('"', "&quot;")}"`;
  }
  return `${text}>`;
}

/** An attribute's value as it is printed: white space folded, classes sorted. */
export function attributeValue(node: HtmlNode, name: string): string {
  const raw = node.attributes[name] ?? "";
  return name === "class"
    ? raw.split(/\s+/).filter(Boolean).sort().join(" ")
    : raw.replace(/\s+/g, " ").trim();
}

const indents = Array.from({ length: MAX_INDENT + 1 }, (_, depth) => "  ".repeat(depth));

function indent(depth: number): string {
  return indents[Math.min(depth, MAX_INDENT)] as string;
}

/** Nodes come in source order, so the line is counted forward once. */
function sourceLineFinder(source: string): (offset: number) => number {
  let line = 1;
  let next = source.indexOf("\n");
  return (offset) => {
    while (next >= 0 && next < offset) {
      line++;
      next = source.indexOf("\n", next + 1);
    }
    return line;
  };
}

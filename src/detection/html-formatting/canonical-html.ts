import { type HtmlNode, parseHtml, rawText, voidTags } from "../html-parsing/parse-html.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import { splitCode } from "./split-code.ts";

/** A page printed with one node per line. `nodes[i]` is the index of the node that line i prints, -1 for a closing tag. */
export type CanonicalHtml = { lines: string[]; nodes: number[] };

// The indentation stops growing at this depth; otherwise the output would grow with the square of the depth.
const MAX_INDENT = 40;

/** Prints HTML so that equal pages print equally: attributes and classes sorted, white space collapsed. Linear. */
export function canonicalHtml(html: string, nodes: HtmlNode[] = parseHtml(html)): CanonicalHtml {
  const lines: string[] = [];
  const printed: number[] = [];
  const open: { tag: string; end: number; depth: number }[] = [];
  const print = (depth: number, text: string, node = -1) => {
    lines.push(indent(depth) + text);
    printed.push(node);
  };
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as HtmlNode;
    for (let top = open.at(-1); top && top.end <= index; top = open.at(-1)) {
      print(top.depth, `</${top.tag}>`);
      open.pop();
    }
    if (node.kind === "text") {
      const text = foldSpace(node.text);
      if (text !== "") print(node.depth, text, index);
    } else if (node.kind === "comment") {
      print(node.depth, `<!-- ${foldSpace(node.text)} -->`, index);
    } else if (node.kind === "doctype") {
      print(node.depth, `<!${foldSpace(node.text).toLowerCase()}>`, index);
    } else {
      print(node.depth, openTag(node), index);
      if (node.tag === "script" || node.tag === "style") {
        for (const piece of splitCode(rawText(nodes, index))) print(node.depth + 1, piece, index);
        print(node.depth, `</${node.tag}>`);
        index = node.end - 1;
      } else if (!voidTags.has(node.tag)) {
        if (node.end > index + 1) open.push({ tag: node.tag, end: node.end, depth: node.depth });
        else print(node.depth, `</${node.tag}>`);
      }
    }
  }
  for (let top = open.pop(); top; top = open.pop()) print(top.depth, `</${top.tag}>`);
  return { lines, nodes: printed };
}

function openTag(node: HtmlNode): string {
  let text = `<${node.tag}`;
  for (const name of Object.keys(node.attributes).sort()) {
    const value = attributeValue(node, name);
    text += value === "" ? ` ${name}` : ` ${name}="${value.replaceAll('"', "&quot;")}"`;
  }
  return `${text}>`;
}

/** Returns an attribute's value as it is printed: white space collapsed, classes sorted. */
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

import { Parser } from "htmlparser2";
import { addNode, type HtmlNode } from "../html-parsing/parse-html.ts";

// No real document is nested deeper; elements below are left out.
export const maxDepth = 300;

/** Parses XML into the same flat list as pages, so that selectors work on both. Names keep their case and prefix. */
export function parseXml(source: string): HtmlNode[] {
  const nodes: HtmlNode[] = [];
  const stack: number[] = [];
  let depth = 0;
  const add = (kind: HtmlNode["kind"], tag: string, text: string, start: number, stop: number) =>
    addNode(nodes, stack, kind, tag, text, start, stop);
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (depth++ >= maxDepth) return;
        add("element", name, "", parser.startIndex, parser.endIndex + 1).attributes = attributes;
        stack.push(nodes.length - 1);
      },
      onclosetag() {
        if (--depth >= maxDepth) return;
        const node = nodes[stack.pop() ?? -1];
        if (!node) return;
        node.end = nodes.length;
        node.stop = parser.endIndex + 1;
      },
      ontext(text) {
        if (depth > maxDepth) return;
        const last = nodes.at(-1);
        const stop = parser.endIndex + 1;
        // Text with entities arrives in several pieces.
        if (
          last?.kind === "text" &&
          last.parent === (stack.at(-1) ?? -1) &&
          last.stop === parser.startIndex
        ) {
          last.text += text;
          last.inside = last.stop = stop;
        } else add("text", "", text, parser.startIndex, stop);
      },
      oncomment(text) {
        add("comment", "", text, parser.startIndex, parser.endIndex + 1);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(source);
  return nodes;
}

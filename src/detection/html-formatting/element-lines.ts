import { indexedElements } from "../html-parsing/mark-rendered.ts";
import { parseHtml } from "../html-parsing/parse-html.ts";
import { type CanonicalHtml, canonicalHtml } from "./canonical-html.ts";

/** First and last line of each element, in the order of `Layout`: two numbers per element, counted from 0. */
export type ElementLines = number[];

/** Prints a page with one node per line; `elements` finds on demand which lines show each element. */
export function printElements(html: string): { lines: string[]; elements: () => ElementLines } {
  const nodes = parseHtml(html);
  const print = canonicalHtml(html, nodes);
  return {
    lines: print.lines,
    elements: () => {
      const firstLine = findFirstLines(print, nodes.length);
      return indexedElements(nodes).flatMap((index) => {
        const first = firstLine[index] ?? 0;
        return [first, Math.max(first, (firstLine[nodes[index]?.end ?? nodes.length] ?? 1) - 1)];
      });
    },
  };
}

/** Finds the lines of each element in the source as received. */
export function sourceElements(html: string): ElementLines {
  const nodes = parseHtml(html);
  const starts = [0];
  for (const { index } of html.matchAll(/\r\n|\n|\r/g)) starts.push(index + 1);
  let line = 0;
  const lineAt = (offset: number) => {
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= offset) line++;
    while (line > 0 && (starts[line] ?? 0) > offset) line--;
    return line;
  };
  return indexedElements(nodes).flatMap((index) => {
    const { start = 0, stop = 0 } = nodes[index] ?? {};
    const first = lineAt(start);
    return [first, lineAt(Math.max(start, stop - 1))];
  });
}

/** Returns the first line of each node, or the next node's if it isn't printed, and one more entry for the end. */
function findFirstLines({ nodes, lines }: CanonicalHtml, count: number): number[] {
  const firstLine: number[] = Array.from({ length: count + 1 }, () => -1);
  nodes.forEach((node, line) => {
    if (node >= 0 && firstLine[node] === -1) firstLine[node] = line;
  });
  firstLine[count] = lines.length;
  for (let node = count - 1; node >= 0; node--)
    if (firstLine[node] === -1) firstLine[node] = firstLine[node + 1] ?? lines.length;
  return firstLine;
}

import { type CanonicalHtml, canonicalHtml } from "./canonical-html.ts";
import { indexedElements } from "./html/mark-rendered.ts";
import { parseHtml } from "./html/parse-html.ts";

/** First and last line of each element, by its index as `Layout` counts them: two numbers an element, from 0. */
export type ElementLines = number[];

/** A page printed one node a line, and for those who ask where its elements are printed. */
export function printElements(html: string): { lines: string[]; elements: () => ElementLines } {
  const nodes = parseHtml(html);
  const print = canonicalHtml(html, nodes);
  return {
    lines: print.lines,
    elements: () => {
      const at = firstLines(print, nodes.length);
      return indexedElements(nodes).flatMap((index) => {
        const first = at[index] ?? 0;
        return [first, Math.max(first, (at[nodes[index]?.end ?? nodes.length] ?? 1) - 1)];
      });
    },
  };
}

/** The same in the source as it was received. */
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

/** The line that each node is printed on, or else the next one's; one more for the end. */
function firstLines({ nodes, lines }: CanonicalHtml, count: number): number[] {
  const at: number[] = Array.from({ length: count + 1 }, () => -1);
  nodes.forEach((node, line) => {
    if (node >= 0 && at[node] === -1) at[node] = line;
  });
  at[count] = lines.length;
  for (let node = count - 1; node >= 0; node--) if (at[node] === -1) at[node] = at[node + 1] ?? lines.length;
  return at;
}

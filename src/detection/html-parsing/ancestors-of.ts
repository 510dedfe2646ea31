import type { HtmlNode } from "./parse-html.ts";

/** The elements around a node by their indexes, the nearest first, at most so many. */
export function ancestorsOf(nodes: HtmlNode[], index: number, most: number): number[] {
  const ancestors: number[] = [];
  let at = nodes[index]?.parent ?? -1;
  for (; at >= 0 && ancestors.length < most; at = nodes[at]?.parent ?? -1) ancestors.push(at);
  return ancestors;
}

import type { HtmlNode } from "./parse-html.ts";
import { isSilent } from "./text-run.ts";

/** Tells for each element its share of the page's text and whether the main content is inside it. */
export function weigh(nodes: HtmlNode[]) {
  const textBefore = new Float64Array(nodes.length + 1);
  const mainsBefore = new Uint32Array(nodes.length + 1);
  let silentUntil = 0;
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as HtmlNode;
    if (node.kind === "element" && isSilent(node)) silentUntil = Math.max(silentUntil, node.end);
    const counts = node.kind === "text" && index >= silentUntil;
    textBefore[index + 1] = (textBefore[index] ?? 0) + (counts ? node.text.trim().length : 0);
    const isMain = node.tag === "main" || node.tag === "article" || node.attributes.role === "main";
    mainsBefore[index + 1] = (mainsBefore[index] ?? 0) + (isMain ? 1 : 0);
  }
  const total = Math.max(1, textBefore[nodes.length] ?? 1);
  return {
    share: (index: number) => ((textBefore[nodes[index]?.end ?? 0] ?? 0) - (textBefore[index] ?? 0)) / total,
    holdsMain: (index: number) => (mainsBefore[nodes[index]?.end ?? 0] ?? 0) > (mainsBefore[index] ?? 0),
  };
}

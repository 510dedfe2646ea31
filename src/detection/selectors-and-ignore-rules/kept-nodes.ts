import type { HtmlNode } from "../html-parsing/parse-html.ts";
import type { Edit } from "./edit-source.ts";
import type { ParsedRules } from "./filtered-capture.ts";
import type { Tree } from "./tree.ts";

/** Finds the elements that rules choose, null for all, and those that they ignore; null if the selectors choose nothing. */
export function findElements(
  tree: Tree,
  { selectors, ignored }: Pick<ParsedRules, "selectors" | "ignored">,
): { chosen: number[] | null; dropped: number[] } | null {
  const find = (rules: ParsedRules["selectors"]) =>
    rules.flatMap((rule) => (rule.kind === "elements" ? rule.find(tree) : []));
  const chosen = selectors.length > 0 ? find(selectors) : null;
  return chosen?.length === 0 ? null : { chosen, dropped: find(ignored) };
}

/** Marks the nodes to keep: chosen ones and their ancestors, which give the location, without dropped ones. */
export function markKept(nodes: HtmlNode[], chosen: number[] | null, dropped: number[]): Uint8Array {
  const keep = new Uint8Array(nodes.length);
  if (chosen === null) keep.fill(1);
  for (const index of chosen ?? []) {
    keep.fill(1, index, nodes[index]?.end);
    for (let up = nodes[index]?.parent ?? -1; up >= 0 && !keep[up]; up = nodes[up]?.parent ?? -1)
      keep[up] = 1;
  }
  for (const index of dropped) keep.fill(0, index, nodes[index]?.end);
  return keep;
}

/** The edits that remove all nodes that aren't kept from the source. */
export function removals(nodes: HtmlNode[], keep: Uint8Array): Edit[] {
  const edits: Edit[] = [];
  for (let index = 0; index < nodes.length; index++) {
    if (keep[index]) continue;
    const { start, stop, end } = nodes[index] as HtmlNode;
    edits.push({ start, stop, text: "" });
    index = end - 1;
  }
  return edits;
}

import type { Block, Page } from "../html-parsing/page.ts";
import type { HtmlNode } from "../html-parsing/parse-html.ts";

const rowTags = new Set(["tr", "li", "article", "dd"]);
const rowRoles = new Set(["row", "listitem"]);
const maxLabel = 80;
// A row without markup of its own is a small element next to the text: climbing further would leave it.
const maxSteps = 4;
const maxBlocksOfRow = 6;

/**
 * Finds what names the row that a block is in: the first words of a table's row, list item or card, or the term before
 * a definition. A bare value, such as a price, may also be in a row that is no such element. Undefined if the block is
 * in no row, or names it itself.
 */
export function findRowLabel(
  block: Block,
  { blocks, nodes }: Pick<Page, "blocks" | "nodes">,
): string | undefined {
  const isValue = !/\p{L}{3}/u.test(block.text);
  for (let at = nodes[block.node]?.parent ?? -1, steps = 0; at >= 0; at = nodes[at]?.parent ?? -1, steps++) {
    const node = nodes[at] as HtmlNode;
    const isRow = rowTags.has(node.tag) || rowRoles.has(node.attributes.role ?? "");
    if (!isRow && !(isValue && steps < maxSteps)) continue;
    const start = node.tag === "dd" ? termBefore(nodes, at) : at;
    const visible = blocks.filter(
      ({ node, hidden, unseen }) => node > start && node < (nodes[at]?.end ?? 0) && hidden === "" && !unseen,
    );
    const label = visible.find(({ text }) => /\p{L}/u.test(text));
    if (isRow) return label && label.node < block.node ? cut(label.text) : undefined;
    if (visible.length > maxBlocksOfRow) continue;
    if (label && label.node < block.node) return cut(label.text);
  }
  return undefined;
}

/** The index of the `dt` before a `dd` in the same list, or else of the `dd` itself. */
function termBefore(nodes: HtmlNode[], definition: number): number {
  const parent = nodes[definition]?.parent;
  for (let at = definition - 1; at > (parent ?? -1); at--)
    if (nodes[at]?.tag === "dt" && nodes[at]?.parent === parent) return at;
  return definition;
}

const cut = (text: string) =>
  text.length > maxLabel
    ? `${text
        .slice(0, maxLabel - 1)
        .toWellFormed()
        .trimEnd()}…`
    : text;

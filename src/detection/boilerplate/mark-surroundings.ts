import type { Block } from "../html-parsing/page.ts";
import type { HtmlNode } from "../html-parsing/parse-html.ts";

// Minimum share of links and buttons among the lines of a menu: one for every two lines that describe them.
const MIN_LINKED_SHARE = 1 / 3;
// Minimum share of a page's text in its main element, or in its articles, for that to count as the content.
const MIN_MAIN_SHARE = 0.3;
const MIN_ARTICLES_SHARE = 0.5;

/** Marks the blocks inside menus, and the blocks outside the content on pages that declare where their content is. */
export function markSurroundings(blocks: Block[], nodes: HtmlNode[]): void {
  const menus = new Map<string, { entries: number; lines: number }>();
  let totalLength = 0;
  let contentLength = 0;
  for (const { area, part, text, links, role } of blocks) {
    totalLength += text.length;
    if (area === "main") contentLength += text.length;
    if (area !== "nav") continue;
    const menu = menus.get(part) ?? { entries: 0, lines: 0 };
    if (links > 0.8 || role === "control") menu.entries++;
    menu.lines++;
    menus.set(part, menu);
  }
  const share = contentLength / Math.max(1, totalLength);
  // Whatever a selector chose is content, wherever it is in the page.
  const isChosen = nodes.some(({ chosen }) => chosen);
  const declaresMain = share >= MIN_MAIN_SHARE && nodes.some(isMain);
  const declaredBy = isChosen ? "" : declaresMain ? "main" : share >= MIN_ARTICLES_SHARE ? "articles" : "";
  for (const block of blocks) {
    const menu = block.area === "nav" ? menus.get(block.part) : undefined;
    block.inMenu = menu !== undefined && menu.entries >= MIN_LINKED_SHARE * menu.lines;
    if (block.area === "" && block.zone === "") block.beside = declaredBy;
  }
}

function isMain({ tag, attributes }: HtmlNode): boolean {
  return tag === "main" || attributes.role === "main";
}

import type { Block } from "../page.ts";
import type { HtmlNode } from "./parse-html.ts";

// A menu has one link or button to two lines that describe them, at least; how much of a page's text is its main or are its
// articles, at least.
const LINKED = 1 / 3;
const MAIN = 0.3;
const ARTICLES = 0.5;

/** Notes which pieces stand in a menu, and which beside the content of a page that says what its content is. */
export function markSurroundings(blocks: Block[], nodes: HtmlNode[]): void {
  const menus = new Map<string, { entries: number; lines: number }>();
  let length = 0;
  let content = 0;
  for (const { area, part, text, links, role } of blocks) {
    length += text.length;
    if (area === "main") content += text.length;
    if (area !== "nav") continue;
    const menu = menus.get(part) ?? { entries: 0, lines: 0 };
    if (links > 0.8 || role === "control") menu.entries++;
    menu.lines++;
    menus.set(part, menu);
  }
  const share = content / Math.max(1, length);
  // What a selector chose is content wherever it stands.
  const isChosen = nodes.some(({ chosen }) => chosen);
  const saysMain = share >= MAIN && nodes.some(isMain);
  const beside = isChosen ? "" : saysMain ? "main" : share >= ARTICLES ? "articles" : "";
  for (const block of blocks) {
    const menu = block.area === "nav" ? menus.get(block.part) : undefined;
    block.inMenu = menu !== undefined && menu.entries >= LINKED * menu.lines;
    if (block.area === "" && block.zone === "") block.beside = beside;
  }
}

function isMain({ tag, attributes }: HtmlNode): boolean {
  return tag === "main" || attributes.role === "main";
}

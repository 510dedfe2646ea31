import type { Block, Page } from "../html-parsing/page.ts";
import { classifyContent } from "./classify-content.ts";

// A page with fewer blocks has too little around its content to tell the two apart.
const MIN_BLOCKS = 30;

/**
 * Marks those of some blocks that the fitted model takes for boilerplate, if they are under no landmark and the page
 * marks no content. The model reads the whole page, so it is only asked if there is such a block.
 */
export function markOutsideContent(page: Page, blocks: Block[]): void {
  const unmarked = blocks.filter(({ area, zone, beside }) => area === "" && zone === "" && beside === "");
  if (unmarked.length === 0 || page.blocks.length < MIN_BLOCKS || page.nodes.some(({ chosen }) => chosen))
    return;
  const isContent = classifyContent(page);
  const positions = new Map(page.blocks.map((block, at) => [block, at]));
  for (const block of unmarked) {
    const at = positions.get(block);
    if (at !== undefined && isContent[at] === false) block.beside = "model";
  }
}

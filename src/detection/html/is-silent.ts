import type { HtmlNode } from "./parse-html.ts";

const silentTags = new Set(
  "script style template defs symbol desc metadata math title textarea iframe object audio video canvas map head noembed noframes datalist".split(
    " ",
  ),
);

/** Elements whose text no reader reads as such. */
export function isSilent(node: HtmlNode): boolean {
  return silentTags.has(node.tag);
}

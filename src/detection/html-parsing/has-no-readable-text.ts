import type { HtmlNode } from "./parse-html.ts";

const silentTags = new Set(
  "script style template defs symbol desc metadata math title textarea iframe object audio video canvas map head noembed noframes datalist".split(
    " ",
  ),
);

/** Whether the text inside an element is not part of the page's readable text. */
export function hasNoReadableText(node: HtmlNode): boolean {
  return silentTags.has(node.tag);
}

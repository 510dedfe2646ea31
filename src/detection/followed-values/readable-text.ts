import { type HtmlNode, rawText } from "../html-parsing/parse-html.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import { currencySign } from "./read-number.ts";

const struckTags = new Set(["del", "s", "strike"]);
const struckClass = /(?:^|\s)(?:[\w:-]*line-through|strike-?through|struck|strike)(?:\s|$)/i;
const struckStyle = /text-decoration(?:-line)?\s*:[^;]{0,60}line-through/i;
const decimalsClass = /\b(?:cents?|decimals?|fraction)\b/i;
const raisedTags = new Set(["sup", "small"]);
const decimals = new RegExp(String.raw`^\d\d(?:\s?${currencySign})?$`, "u");
const unseenClass = /(?:^|\s)(?:sr-only|visually-?hidden[\w-]*|screen-reader-text|a-offscreen)(?:\s|$)/i;
const unseenStyle = /display\s*:\s*none/i;

/** Whether an element is struck out: an old price beside the new one. */
export const isStruck = ({ tag, attributes: { class: names = "", style = "" } }: HtmlNode): boolean =>
  struckTags.has(tag) || struckClass.test(names) || struckStyle.test(style);

/** Whether an element is only for screen readers, or hidden. Shops repeat the old price there, in words. */
export const isUnseen = ({ attributes: { class: names = "", style = "", hidden } }: HtmlNode): boolean =>
  hidden !== undefined || unseenClass.test(names) || unseenStyle.test(style);

/** Raised or small digits right after others are decimals, although the text has no separator: 12<sup>99</sup>. */
function isDecimals(nodes: HtmlNode[], at: number, before: string): boolean {
  const node = nodes[at];
  const mayBe = raisedTags.has(node?.tag ?? "") || decimalsClass.test(node?.attributes.class ?? "");
  return mayBe && /\d$/.test(before) && decimals.test(rawText(nodes, at).trim());
}

/** An element's text without what is struck out, unseen or left out, and with a separator before raised decimals. */
export function readableText(
  nodes: HtmlNode[],
  index: number,
  isLeftOut: (node: HtmlNode) => boolean = () => false,
): string {
  let text = "";
  for (let at = index + 1; at < (nodes[index]?.end ?? 0); at++) {
    const node = nodes[at];
    if (!node) break;
    if (node.kind === "text") text += node.text;
    else if (isStruck(node) || isUnseen(node) || isLeftOut(node)) at = node.end - 1;
    else if (isDecimals(nodes, at, text)) text += text.includes(".") ? "," : ".";
  }
  return foldSpace(text);
}

/** The texts of a page that are to be read in another way, as the page shows them and as they are read. */
export function findRewordings(nodes: HtmlNode[]): [shown: string, read: string][] {
  const parents = new Set<number>();
  for (const [at, node] of nodes.entries()) {
    if (node.kind !== "element" || node.parent < 0) continue;
    if (isStruck(node) || raisedTags.has(node.tag) || decimalsClass.test(node.attributes.class ?? ""))
      parents.add(nodes[at]?.parent ?? 0);
  }
  return [...parents].flatMap((at): [string, string][] => {
    const [shown, read] = [foldSpace(rawText(nodes, at)), readableText(nodes, at)];
    return shown === read || shown.length > 500 ? [] : [[shown, read]];
  });
}

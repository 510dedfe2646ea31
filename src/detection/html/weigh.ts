import { isConsentButton } from "../noise/mask-text.ts";
import { isQuote } from "../noise/quotes.ts";
import { isSilent } from "./is-silent.ts";
import type { HtmlNode } from "./parse-html.ts";

/** What one element holds, itself and all below it. */
export type Part = {
  /** Characters of text, and their share of the page's. */
  length: number;
  share: number;
  holdsMain: boolean;
  /** How many buttons it has, how many of its texts ask for consent or are a market's quotes, what leads away. */
  count: (what: keyof typeof tests) => number;
};

/** Tells of each element how much of the page it is. */
export function weigh(nodes: HtmlNode[]): (index: number) => Part {
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
  const within = (sums: Float64Array | Uint32Array, index: number) =>
    (sums[nodes[index]?.end ?? 0] ?? 0) - (sums[index] ?? 0);
  // Counted once, and only for a page with an element whose name makes it matter.
  const counted = new Map<string, Uint32Array>();
  const sumsOf = (what: keyof typeof tests) => {
    const sums = counted.get(what) ?? countUp(nodes, tests[what]);
    counted.set(what, sums);
    return sums;
  };
  return (index) => {
    const length = within(textBefore, index);
    return {
      length,
      share: length / total,
      holdsMain: within(mainsBefore, index) > 0,
      count: (what) => within(sumsOf(what), index),
    };
  };
}

const leading = new Set(["a", "iframe", "ins", "script", "img", "video", "object", "embed"]);

const tests = {
  buttons: ({ tag, attributes }: HtmlNode) =>
    tag === "button" ||
    attributes.role === "button" ||
    (tag === "input" && /^(?:button|submit)$/i.test(attributes.type ?? "")),
  accepts: ({ kind, text }: HtmlNode) => kind === "text" && isConsentButton(text),
  leads: ({ tag, attributes }: HtmlNode) =>
    leading.has(tag) && (tag !== "a" || attributes.href !== undefined),
  quotes: ({ kind, text }: HtmlNode) => kind === "text" && isQuote(text),
};

function countUp(nodes: HtmlNode[], test: (node: HtmlNode) => boolean): Uint32Array {
  const sums = new Uint32Array(nodes.length + 1);
  nodes.forEach((node, index) => {
    sums[index + 1] = (sums[index] ?? 0) + (test(node) ? 1 : 0);
  });
  return sums;
}

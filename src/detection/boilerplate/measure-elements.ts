import { hasNoReadableText } from "../html-parsing/has-no-readable-text.ts";
import type { HtmlNode } from "../html-parsing/parse-html.ts";
import { isConsentButton } from "../noise/mask-text.ts";

/** What one element contains, including all its descendants. */
export type Part = {
  /** Number of characters of text, and their share of the page's text. */
  length: number;
  share: number;
  holdsMain: boolean;
  /** Counts buttons, texts that accept or refuse consent, or elements that link to or load something. */
  count: (what: keyof typeof tests) => number;
};

/** Returns a function that measures an element: how much of the page it makes up, and what it contains. */
export function measureElements(nodes: HtmlNode[]): (index: number) => Part {
  const textBefore = new Float64Array(nodes.length + 1);
  const mainsBefore = new Uint32Array(nodes.length + 1);
  let silentUntil = 0;
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as HtmlNode;
    if (node.kind === "element" && hasNoReadableText(node)) silentUntil = Math.max(silentUntil, node.end);
    const isReadable = node.kind === "text" && index >= silentUntil;
    textBefore[index + 1] = (textBefore[index] ?? 0) + (isReadable ? node.text.trim().length : 0);
    const isMain = node.tag === "main" || node.tag === "article" || node.attributes.role === "main";
    mainsBefore[index + 1] = (mainsBefore[index] ?? 0) + (isMain ? 1 : 0);
  }
  const total = Math.max(1, textBefore[nodes.length] ?? 1);
  const sumWithin = (sums: Float64Array | Uint32Array, index: number) =>
    (sums[nodes[index]?.end ?? 0] ?? 0) - (sums[index] ?? 0);
  // Computed once and only on demand: few pages have an element whose name makes a count necessary.
  const sumsByTest = new Map<string, Uint32Array>();
  const sumsOf = (what: keyof typeof tests) => {
    const sums = sumsByTest.get(what) ?? countCumulatively(nodes, tests[what]);
    sumsByTest.set(what, sums);
    return sums;
  };
  return (index) => {
    const length = sumWithin(textBefore, index);
    return {
      length,
      share: length / total,
      holdsMain: sumWithin(mainsBefore, index) > 0,
      count: (what) => sumWithin(sumsOf(what), index),
    };
  };
}

const leadingTags = new Set(["a", "iframe", "ins", "script", "img", "video", "object", "embed"]);

const tests = {
  buttons: ({ tag, attributes }: HtmlNode) =>
    tag === "button" ||
    attributes.role === "button" ||
    (tag === "input" && /^(?:button|submit)$/i.test(attributes.type ?? "")),
  accepts: ({ kind, text }: HtmlNode) => kind === "text" && isConsentButton(text),
  leads: ({ tag, attributes }: HtmlNode) =>
    leadingTags.has(tag) && (tag !== "a" || attributes.href !== undefined),
};

function countCumulatively(nodes: HtmlNode[], test: (node: HtmlNode) => boolean): Uint32Array {
  const sums = new Uint32Array(nodes.length + 1);
  nodes.forEach((node, index) => {
    sums[index + 1] = (sums[index] ?? 0) + (test(node) ? 1 : 0);
  });
  return sums;
}

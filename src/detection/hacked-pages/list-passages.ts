import { hasNoReadableText } from "../html-parsing/has-no-readable-text.ts";
import type { Page } from "../html-parsing/page.ts";
import { type HtmlNode, rawText } from "../html-parsing/parse-html.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import { isWordy, splitJson, splitScript, splitStyle } from "./split-source.ts";

/** A text that a program would read, or a source with such texts, which `split` takes out of it. */
export type Passage = {
  text: string;
  where: string;
  place?: string;
  isVisible: boolean;
  split?: (source: string) => Iterable<string>;
};

// Values that no model takes for words.
const technical =
  /^(?:class|style|id|href|src|srcset|sizes|d|points|transform|viewbox|on.*|integrity|nonce)$/;
/** Their text is read elsewhere, or in parts of its own. */
const otherwiseRead = new Set(["head", "script", "style"]);
const shownTags = new Set(["textarea", "math"]);

/** The texts of a page, wherever a program would read them: shown, hidden, in comments, attributes, data and code. */
export function* listPassages(page: Page): Generator<Passage> {
  for (const { text, area, place, hidden, unseen } of page.blocks)
    yield { text, where: area, place, isVisible: hidden === "" && !unseen };
  yield { text: page.title, where: "title", isVisible: true };
  for (const { src, type, code } of page.scripts) if (src === null) yield readScript(type, code);
  let silentEnd = 0;
  for (const [index, node] of page.nodes.entries()) {
    if (node.kind === "comment") yield { text: node.text, where: "comment", isVisible: false };
    if (node.kind !== "element") continue;
    yield* readAttributes(node);
    if (node.tag === "style")
      yield { text: rawText(page.nodes, index), where: "<style>", isVisible: false, split: splitStyle };
    if (index < silentEnd || otherwiseRead.has(node.tag) || !hasNoReadableText(node)) continue;
    silentEnd = node.end;
    const text = wordsInside(page.nodes, index);
    // The page's own title was read before; those in drawings have the same tag.
    if (node.tag === "title" && foldSpace(text) === page.title) continue;
    yield { text, where: `<${node.tag}>`, isVisible: shownTags.has(node.tag) };
  }
}

function readScript(type: string, code: string): Passage {
  const source = { text: code, where: "<script>", isVisible: false };
  if (/\bld\+json\b/.test(type)) return { ...source, where: "structured data", split: splitJson };
  if (/json|importmap|speculationrules/.test(type)) return { ...source, split: splitJson };
  return type === "" ? { ...source, split: splitScript } : source;
}

function* readAttributes({ tag, attributes }: HtmlNode): Generator<Passage> {
  for (const [name, value] of Object.entries(attributes))
    if (isWordy(value) && !technical.test(name))
      yield { text: value, where: `<${tag} ${name}>`, isVisible: false };
}

/** The text of an element that isn't part of the readable page, without code in it. */
function wordsInside(nodes: HtmlNode[], index: number): string {
  const words: string[] = [];
  const end = nodes[index]?.end ?? 0;
  for (let at = index + 1; at < end; at++) {
    const { kind, tag, text } = nodes[at] as HtmlNode;
    if (kind === "text") words.push(text);
    else if (tag === "script" || tag === "style") at = (nodes[at]?.end ?? at + 1) - 1;
  }
  return words.join(" ");
}

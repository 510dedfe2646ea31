import { extractPage, findLiveOnlyBlocks } from "../html-parsing/extract-page.ts";
import { indexedElements, markRendered } from "../html-parsing/mark-rendered.ts";
import type { Page } from "../html-parsing/page.ts";
import { type HtmlNode, parseHtml } from "../html-parsing/parse-html.ts";
import { resolve } from "../html-parsing/resolve.ts";
import { readTextBoxes } from "../snapshot/layout.ts";
import { closedTags, type Rendered, type Snapshot, type TextBlock } from "../snapshot/snapshot.ts";
import { type Edit, editSource, startTag } from "./edit-source.ts";
import { extractValues } from "./extract-values.ts";
import type { ParsedRules, View } from "./filtered-capture.ts";
import { type Cut, findComparedArea, linePositions } from "./find-compared-area.ts";
import { jsonOfPage } from "./json-documents.ts";
import { findElements, markKept, removals } from "./kept-nodes.ts";
import type { Budget } from "./rule-budget.ts";
import { spread, type TextCutter } from "./text-cutter.ts";
import { Tree } from "./tree.ts";

/** Applies rules to a page: keeps what the selectors choose, removes what is ignored; null if they choose nothing. */
export function applyRulesToPage(
  snapshot: Snapshot,
  { selectors, ignored, lines }: ParsedRules,
  budget: Budget,
): View | null {
  const nodes = parseHtml(snapshot.html);
  const isRendered = markRendered(nodes, snapshot.rendered);
  const tree = new Tree(nodes, budget);
  const documents = selectors.some(({ kind }) => kind !== "elements") ? jsonOfPage(nodes) : [];
  const values = extractValues(snapshot, { selectors, ignored, lines }, { tree, documents }, budget);
  if (values !== undefined) return values;
  const found = findElements(tree, { selectors, ignored });
  if (!found) return null;
  const { chosen, dropped } = found;
  const keep = markKept(nodes, chosen, dropped);
  const cut: Cut = { nodes, elements: indexedElements(nodes), chosen, dropped, keep, lines };
  const kept = keptNodes(nodes, keep, chosen ?? []);
  const base = snapshot.finalUrl || snapshot.url;
  const page = extractPage(snapshot.html, base, kept, isRendered);
  const edits = [...removals(nodes, keep), ...textEdits(page, lines)];
  const live = mayBeLive(snapshot.text, page, nodes, keep)
    ? keptLiveText(snapshot, extractPage(snapshot.html, base, nodes, isRendered), cut)
    : [];
  const text = [...visibleBlocksIn(page), ...live].flatMap((block) => {
    const left = lines.cut(block.text).trim();
    return left === "" ? [] : [{ ...block, text: left }];
  });
  return {
    isAbsent: false,
    places: linePositions(snapshot, text, cut),
    comparedArea: edits.length > 0 ? findComparedArea(snapshot, cut) : { only: null, hidden: [] },
    snapshot: {
      ...snapshot,
      ...(chosen ? { scripts: [], thirdPartyHosts: [] } : keepLoaded(snapshot, nodes, keep)),
      html: editSource(snapshot.html, edits),
      title: chosen ? "" : lines.cut(snapshot.title),
      text,
      rendered: renumberRendered(snapshot.rendered, cut),
      ...(chosen ? { chosen: newIndexesOf(chosen, cut) } : {}),
      truncated: snapshot.truncated && !(chosen && isWhole(snapshot, nodes, chosen)),
    },
  };
}

/** In a truncated page, a single chosen element is complete if the page goes on after its end. */
function isWhole({ html }: Snapshot, nodes: HtmlNode[], [first, ...others]: number[]): boolean {
  return others.length === 0 && (nodes[first ?? -1]?.stop ?? html.length) < html.length;
}

/** The kept nodes as a list of their own; the chosen ones among them are marked. */
function keptNodes(nodes: HtmlNode[], keep: Uint8Array, chosen: number[]): HtmlNode[] {
  if (!keep.includes(0) && chosen.length === 0) return nodes;
  const isChosen = new Set(chosen);
  const kept: HtmlNode[] = [];
  const moved = new Map<number, number>();
  for (let index = 0; index < nodes.length; index++) {
    if (!keep[index]) continue;
    const node = nodes[index] as HtmlNode;
    moved.set(index, kept.length);
    kept.push({
      ...node,
      parent: moved.get(node.parent) ?? -1,
      end: kept.length + 1,
      ...(isChosen.has(index) && { chosen: true }),
    });
  }
  for (let index = kept.length - 1; index >= 0; index--) {
    const node = kept[index] as HtmlNode;
    const parent = kept[node.parent];
    if (parent) parent.end = Math.max(parent.end, node.end);
  }
  return kept;
}

// Attributes that are shown to readers or read aloud to them.
const readerAttributes = ["alt", "title", "placeholder", "aria-label", "aria-description", "label", "value"];

/** The edits to the source that remove ignored text from the lines of the page. */
function textEdits(page: Page, lines: TextCutter): Edit[] {
  if (lines.isIdle) return [];
  const edits: Edit[] = [];
  const emptied = new Set<number>();
  const write = (node: HtmlNode, text: string) => {
    const { start, stop } = node;
    edits.push({ start, stop, text: escapeText(text) });
    if (text.trim() === "") emptied.add(start);
  };
  for (const { pieces, text } of page.blocks) {
    const cuts = lines.cuts(text);
    if (!cuts || pieces.length === 0) continue;
    const textNodes = pieces.map((index) => page.nodes[index] as HtmlNode);
    const remaining = spread(
      textNodes.map((node) => node.text),
      text,
      cuts,
    );
    textNodes.forEach((node, at) => {
      if (remaining[at] !== node.text) write(node, remaining[at] ?? "");
    });
  }
  const isEmptied = findEmptiedLinks(page.nodes, emptied);
  page.nodes.forEach((node, index) => {
    const inner = page.nodes[index + 1];
    if ((node.tag === "title" || node.tag === "textarea") && inner?.kind === "text") {
      const text = lines.cut(inner.text);
      if (text !== inner.text) write(inner, text);
    }
    const written = cutAttributes(node, lines);
    const attributes = isEmptied(index) ? withoutTarget(node, written) : written;
    if (attributes)
      edits.push({ start: node.start, stop: node.inside, text: startTag(node.tag, attributes) });
  });
  return edits;
}

/**
 * Tells which links show nothing any more: a rule that ignores all words of a link ignores where it leads, too. Counts
 * once for all nodes, since hostile pages nest links.
 */
function findEmptiedLinks(nodes: HtmlNode[], emptied: ReadonlySet<number>): (index: number) => boolean {
  const shown = new Uint32Array(nodes.length + 1);
  const gone = new Uint32Array(nodes.length + 1);
  nodes.forEach(({ kind, tag, text, start }, index) => {
    const isText = kind === "text" && text.trim() !== "";
    const isGone = isText && emptied.has(start);
    shown[index + 1] = (shown[index] as number) + ((isText && !isGone) || pictureTags.has(tag) ? 1 : 0);
    gone[index + 1] = (gone[index] as number) + (isGone ? 1 : 0);
  });
  return (index) => {
    const { tag, attributes, end } = nodes[index] as HtmlNode;
    if (tag !== "a" || attributes.href === undefined) return false;
    return shown[end] === shown[index] && gone[end] !== gone[index];
  };
}

const pictureTags = new Set(["img", "svg", "picture", "video", "canvas", "input", "button"]);

function withoutTarget(node: HtmlNode, written: Record<string, string> | null): Record<string, string> {
  const { href: _ignored, ...attributes } = written ?? node.attributes;
  return attributes;
}

function cutAttributes({ tag, attributes }: HtmlNode, lines: TextCutter): Record<string, string> | null {
  const names = readerAttributes.filter((name) => Object.hasOwn(attributes, name));
  const about = `${attributes.name ?? ""} ${attributes.property ?? ""}`;
  if (tag === "meta" && /description|title/i.test(about)) names.push("content");
  const changed = names.flatMap((name) => {
    const text = lines.cut(attributes[name] ?? "");
    return text === attributes[name] ? [] : [[name, text]];
  });
  return changed.length > 0 ? { ...attributes, ...Object.fromEntries(changed) } : null;
}

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function visibleBlocksIn(page: Page): TextBlock[] {
  return page.blocks
    .filter((block) => !block.unseen && block.hidden === "")
    .map(({ role, area, text }) => ({ role, area, text }));
}

/** Whether some text is in neither the kept nor the removed nodes, so that the whole page must be read again. */
function mayBeLive(text: TextBlock[], page: Page, nodes: HtmlNode[], keep: Uint8Array): boolean {
  const candidates = findLiveOnlyBlocks(page, text);
  if (candidates.length === 0) return false;
  const isGone = (node: HtmlNode, index: number) =>
    node.kind === "text" && !keep[index] && !closedTags.has(nodes[node.parent]?.tag ?? "");
  const gone = nodes.filter(isGone).map(({ text: words }) => words);
  const asWritten = new Set(gone.map((words) => words.trim()));
  const left = candidates.map((at) => text[at]?.text ?? "").filter((words) => !asWritten.has(words));
  if (left.length === 0) return false;
  const all = squash(gone.join(""));
  return left.some((words) => !all.includes(squash(words)));
}

const squash = (text: string) => text.replace(/\s+/g, "").toLowerCase();

/** Text that only the live page showed, such as that of frames, if the element that showed it is kept. */
function keptLiveText({ text, layout }: Snapshot, whole: Page, { elements, keep }: Cut): TextBlock[] {
  const places = layout?.elements === elements.length ? readTextBoxes(layout.texts) : [];
  return findLiveOnlyBlocks(whole, text).flatMap((at) => {
    const owner = elements[places[at]?.at ?? -1];
    const isKept = owner === undefined ? !keep.includes(0) : keep[owner] === 1;
    return isKept ? [text[at] as TextBlock] : [];
  });
}

/** The chosen elements that are kept, by their new indexes. */
function newIndexesOf(chosen: number[], { elements, keep }: Cut): number[] {
  const wanted = new Set(chosen);
  const kept = elements.filter((index) => keep[index]);
  return kept.flatMap((index, at) => (wanted.has(index) ? [at] : []));
}

/** What a browser showed of the elements that are kept, by their new indexes. */
function renumberRendered(
  rendered: Rendered | undefined,
  { elements, keep, lines }: Cut,
): Rendered | undefined {
  if (rendered?.elements !== elements.length) return undefined;
  const numbers = new Map<number, number>();
  elements.forEach((index, at) => {
    if (keep[index]) numbers.set(at, numbers.size);
  });
  const renumber = (list: number[]) => list.flatMap((at) => numbers.get(at) ?? []);
  return {
    elements: numbers.size,
    hidden: renumber(rendered.hidden),
    cloaked: renumber(rendered.cloaked),
    shown: renumber(rendered.shown),
    written: rendered.written.flatMap(({ at, ...words }) => {
      const newIndex = numbers.get(at);
      const left = Object.entries(words).map(([side, text]) => [side, lines.cut(text)]);
      return newIndex === undefined ? [] : [{ at: newIndex, ...Object.fromEntries(left) }];
    }),
  };
}

/** Scripts and hosts, except those that only ignored elements requested. */
function keepLoaded(
  { scripts, thirdPartyHosts, finalUrl }: Snapshot,
  nodes: HtmlNode[],
  keep: Uint8Array,
): Pick<Snapshot, "scripts" | "thirdPartyHosts"> {
  const requested = [new Set<string>(), new Set<string>()] as const;
  nodes.forEach(({ tag, attributes: { src, href, data } }, index) => {
    const address = src ?? data ?? (tag === "link" ? href : undefined);
    if (address !== undefined) requested[keep[index] ? 1 : 0].add(resolve(address, finalUrl));
  });
  const [ignored, counted] = requested;
  const hosts = (addresses: Set<string>) =>
    new Set([...addresses].map((one) => URL.parse(one)?.hostname ?? ""));
  const [ignoredHosts, countedHosts] = [hosts(ignored), hosts(counted)];
  return {
    scripts: scripts.filter(({ src }) => src === null || !ignored.has(src) || counted.has(src)),
    thirdPartyHosts: thirdPartyHosts.filter((host) => !ignoredHosts.has(host) || countedHosts.has(host)),
  };
}

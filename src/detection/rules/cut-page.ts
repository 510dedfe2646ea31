import { extractPage, liveOnly } from "../extract-page.ts";
import { indexedElements, markRendered } from "../html/mark-rendered.ts";
import { type HtmlNode, parseHtml } from "../html/parse-html.ts";
import { resolve } from "../html/resolve.ts";
import { readBoxes, readTextBoxes } from "../layout.ts";
import type { Page } from "../page.ts";
import type { Budget } from "../rule-budget.ts";
import { closedTags, type Rendered, type Snapshot, type TextBlock } from "../snapshot.ts";
import type { Box, Sight } from "../verdict.ts";
import { type Edit, editSource, startTag } from "./edit-source.ts";
import type { Glasses, Placed, View } from "./glasses.ts";
import { spread, type TextCutter } from "./text-cutter.ts";
import { Tree } from "./tree.ts";

/** A page with what the selectors choose and without what is ignored; null where they choose nothing. */
export function cutPage(
  snapshot: Snapshot,
  { selectors, ignored, lines }: Glasses,
  budget: Budget,
): View | null {
  const nodes = parseHtml(snapshot.html);
  const isRendered = markRendered(nodes, snapshot.rendered);
  const tree = new Tree(nodes, budget);
  const find = (rules: Glasses["ignored"]) =>
    rules.flatMap((rule) => (rule.kind === "elements" ? rule.find(tree) : []));
  const chosen = selectors.length > 0 ? find(selectors) : null;
  if (chosen?.length === 0) return null;
  const dropped = find(ignored);
  const keep = marked(nodes, chosen, dropped);
  for (const index of chosen ?? []) (nodes[index] as HtmlNode).chosen = true;
  const { kept, origin } = keptNodes(nodes, keep);
  const base = snapshot.finalUrl || snapshot.url;
  const page = extractPage(snapshot.html, base, kept, isRendered);
  const edits = [...removals(nodes, keep), ...textEdits(nodes, page, origin, lines)];
  const elements = indexedElements(nodes);
  const live = mayBeLive(snapshot.text, page, nodes, keep)
    ? liveKept(snapshot, extractPage(snapshot.html, base, nodes, isRendered), elements, keep)
    : [];
  const text = [...shownIn(page), ...live].flatMap((block) => {
    const left = lines.cut(block.text).trim();
    return left === "" ? [] : [{ ...block, text: left }];
  });
  return {
    isAbsent: false,
    places: placesIn(snapshot, text, elements, keep, lines),
    sight: sightOf(snapshot, nodes, elements, { chosen, dropped, lines, isCut: edits.length > 0 }),
    snapshot: {
      ...snapshot,
      ...(chosen ? { scripts: [], thirdPartyHosts: [] } : loadedBy(snapshot, nodes, keep)),
      html: editSource(snapshot.html, edits),
      title: chosen ? "" : lines.cut(snapshot.title),
      text,
      rendered: renumbered(snapshot.rendered, elements, keep, lines),
      ...(chosen ? { chosen: numbersOf(chosen, elements, keep) } : {}),
      truncated: snapshot.truncated && !(chosen && isWhole(snapshot, nodes, chosen)),
    },
  };
}

/** Of a page that was cut short one part may be whole: its end was seen. */
function isWhole({ html }: Snapshot, nodes: HtmlNode[], [first, ...others]: number[]): boolean {
  return others.length === 0 && (nodes[first ?? -1]?.stop ?? html.length) < html.length;
}

/** Which nodes stay: what was chosen and the elements that lead to it, which say where it stands, but what is dropped. */
function marked(nodes: HtmlNode[], chosen: number[] | null, dropped: number[]): Uint8Array {
  const keep = new Uint8Array(nodes.length);
  if (chosen === null) keep.fill(1);
  for (const index of chosen ?? []) {
    keep.fill(1, index, nodes[index]?.end);
    for (let up = nodes[index]?.parent ?? -1; up >= 0 && !keep[up]; up = nodes[up]?.parent ?? -1)
      keep[up] = 1;
  }
  for (const index of dropped) keep.fill(0, index, nodes[index]?.end);
  return keep;
}

function keptNodes(nodes: HtmlNode[], keep: Uint8Array): { kept: HtmlNode[]; origin: number[] } {
  if (!keep.includes(0)) return { kept: nodes, origin: [] };
  const kept: HtmlNode[] = [];
  const origin: number[] = [];
  const moved = new Map<number, number>();
  for (let index = 0; index < nodes.length; index++) {
    if (!keep[index]) continue;
    const node = nodes[index] as HtmlNode;
    moved.set(index, kept.length);
    origin.push(index);
    kept.push({ ...node, parent: moved.get(node.parent) ?? -1, end: kept.length + 1 });
  }
  for (let index = kept.length - 1; index >= 0; index--) {
    const node = kept[index] as HtmlNode;
    const parent = kept[node.parent];
    if (parent) parent.end = Math.max(parent.end, node.end);
  }
  return { kept, origin };
}

function removals(nodes: HtmlNode[], keep: Uint8Array): Edit[] {
  const edits: Edit[] = [];
  for (let index = 0; index < nodes.length; index++) {
    if (keep[index]) continue;
    const { start, stop, end } = nodes[index] as HtmlNode;
    edits.push({ start, stop, text: "" });
    index = end - 1;
  }
  return edits;
}

// What of an element's attributes somebody reads, or has read to him.
const readAloud = ["alt", "title", "placeholder", "aria-label", "aria-description", "label", "value"];

/** How the source changes where lines of the page hold what is to be cut. */
function textEdits(nodes: HtmlNode[], page: Page, origin: number[], lines: TextCutter): Edit[] {
  if (lines.isIdle) return [];
  const edits: Edit[] = [];
  const originOf = (index: number) => (origin.length > 0 ? (origin[index] ?? -1) : index);
  const write = ({ start, stop }: HtmlNode, text: string) =>
    edits.push({ start, stop, text: escapeText(text) });
  for (const { pieces, text } of page.blocks) {
    const cuts = lines.cuts(text);
    if (!cuts || pieces.length === 0) continue;
    const own = pieces.map((index) => nodes[originOf(index)] as HtmlNode);
    const left = spread(
      own.map((node) => node.text),
      text,
      cuts,
    );
    own.forEach((node, at) => {
      if (left[at] !== node.text) write(node, left[at] ?? "");
    });
  }
  page.nodes.forEach((node, index) => {
    const inner = page.nodes[index + 1];
    if ((node.tag === "title" || node.tag === "textarea") && inner?.kind === "text") {
      const text = lines.cut(inner.text);
      if (text !== inner.text) write(inner, text);
    }
    const attributes = cutAttributes(node, lines);
    if (attributes)
      edits.push({ start: node.start, stop: node.inside, text: startTag(node.tag, attributes) });
  });
  return edits;
}

function cutAttributes({ tag, attributes }: HtmlNode, lines: TextCutter): Record<string, string> | null {
  const names = readAloud.filter((name) => Object.hasOwn(attributes, name));
  const about = `${attributes.name ?? ""} ${attributes.property ?? ""}`;
  if (tag === "meta" && /description|title/i.test(about)) names.push("content");
  const changed = names.flatMap((name) => {
    const text = lines.cut(attributes[name] ?? "");
    return text === attributes[name] ? [] : [[name, text]];
  });
  return changed.length > 0 ? { ...attributes, ...Object.fromEntries(changed) } : null;
}

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function shownIn(page: Page): TextBlock[] {
  return page.blocks
    .filter((block) => !block.unseen && block.hidden === "")
    .map(({ role, area, text }) => ({ role, area, text }));
}

/** Whether some text is in neither what stays nor what goes: reading the whole page again would tell. */
function mayBeLive(text: TextBlock[], page: Page, nodes: HtmlNode[], keep: Uint8Array): boolean {
  const candidates = liveOnly(page, text);
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

/** Text that only the live page showed, as of frames, where the element that showed it stays. */
function liveKept(
  { text, layout }: Snapshot,
  whole: Page,
  elements: number[],
  keep: Uint8Array,
): TextBlock[] {
  const places = layout?.elements === elements.length ? readTextBoxes(layout.texts) : [];
  return liveOnly(whole, text).flatMap((at) => {
    const owner = elements[places[at]?.at ?? -1];
    const isKept = owner === undefined ? !keep.includes(0) : keep[owner] === 1;
    return isKept ? [text[at] as TextBlock] : [];
  });
}

/** Where the lines that are left stand: those of which the picture shows words that count and no others. */
function placesIn(
  { text, layout }: Snapshot,
  left: TextBlock[],
  elements: number[],
  keep: Uint8Array,
  lines: TextCutter,
): Placed[] {
  if (layout?.elements !== elements.length) return [];
  const squash = (words: string) => words.replace(/\s+/g, "");
  const known = new Set(left.map((block) => squash(block.text)));
  return readTextBoxes(layout.texts).flatMap((place, at) => {
    const words = lines.cut(text[at]?.text ?? "").trim();
    const isLeft = place && keep[elements[place.at] ?? -1] === 1 && known.has(squash(words));
    return isLeft ? [{ text: words, ...place }] : [];
  });
}

/** The chosen elements that stay, by their new numbers. */
function numbersOf(chosen: number[], elements: number[], keep: Uint8Array): number[] {
  const wanted = new Set(chosen);
  const kept = elements.filter((index) => keep[index]);
  return kept.flatMap((index, at) => (wanted.has(index) ? [at] : []));
}

/** What browsers said of the elements that stay, by their new numbers. */
function renumbered(
  rendered: Rendered | undefined,
  elements: number[],
  keep: Uint8Array,
  lines: TextCutter,
): Rendered | undefined {
  if (rendered?.elements !== elements.length) return undefined;
  const numbers = new Map<number, number>();
  elements.forEach((index, at) => {
    if (keep[index]) numbers.set(at, numbers.size);
  });
  const moved = (list: number[]) => list.flatMap((at) => numbers.get(at) ?? []);
  return {
    elements: numbers.size,
    hidden: moved(rendered.hidden),
    cloaked: moved(rendered.cloaked),
    shown: moved(rendered.shown),
    written: rendered.written.flatMap(({ at, ...words }) => {
      const now = numbers.get(at);
      const left = Object.entries(words).map(([side, text]) => [side, lines.cut(text)]);
      return now === undefined ? [] : [{ at: now, ...Object.fromEntries(left) }];
    }),
  };
}

/** Scripts and hosts but those that only ignored elements asked for. */
function loadedBy(
  { scripts, thirdPartyHosts, finalUrl }: Snapshot,
  nodes: HtmlNode[],
  keep: Uint8Array,
): Pick<Snapshot, "scripts" | "thirdPartyHosts"> {
  const asked = [new Set<string>(), new Set<string>()] as const;
  nodes.forEach(({ tag, attributes: { src, href, data } }, index) => {
    const address = src ?? data ?? (tag === "link" ? href : undefined);
    if (address !== undefined) asked[keep[index] ? 1 : 0].add(resolve(address, finalUrl));
  });
  const [ignored, counted] = asked;
  const hosts = (addresses: Set<string>) =>
    new Set([...addresses].map((one) => URL.parse(one)?.hostname ?? ""));
  const [gone, there] = [hosts(ignored), hosts(counted)];
  return {
    scripts: scripts.filter(({ src }) => src === null || !ignored.has(src) || counted.has(src)),
    thirdPartyHosts: thirdPartyHosts.filter((host) => !gone.has(host) || there.has(host)),
  };
}

type Cut = { chosen: number[] | null; dropped: number[]; lines: TextCutter; isCut: boolean };

/** Where the picture shows what counts, and what does not. */
function sightOf(
  { layout, text }: Snapshot,
  nodes: HtmlNode[],
  elements: number[],
  { chosen, dropped, lines, isCut }: Cut,
): Sight | null {
  if (!isCut) return { only: null, hidden: [] };
  if (layout?.elements !== elements.length) return null;
  const boxes = readBoxes(layout.boxes);
  const numbers = new Map(elements.map((index, at) => [index, at]));
  const boxOf = (index: number) => {
    const box = boxes[numbers.get(index) ?? -1];
    return box && box.width > 0 && box.height > 0 ? box : null;
  };
  const boxesIn = (root: number): Box[] => {
    const outer = boxOf(root);
    const found = outer ? [outer] : [];
    for (let index = root + 1; index < (nodes[root]?.end ?? 0); index++) {
      const box = boxOf(index);
      if (box && !(outer && holds(outer, box))) found.push(box);
    }
    return found;
  };
  const only = chosen && chosen.flatMap(boxesIn);
  if (only?.length === 0) return null;
  const texts = lines.isIdle ? [] : readTextBoxes(layout.texts);
  const words = texts.flatMap((place, at) => (place && lines.cuts(text[at]?.text ?? "") ? [place.box] : []));
  return { only, hidden: [...dropped.flatMap(boxesIn), ...words] };
}

function holds(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

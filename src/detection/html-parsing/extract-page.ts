import { isBoilerplate } from "../boilerplate/is-boilerplate.ts";
import { markSurroundings } from "../boilerplate/mark-surroundings.ts";
import { measureElements, type Part } from "../boilerplate/measure-elements.ts";
import { areaOf, hiddenWhenRendered, hides, type Zone, zoneOf } from "../boilerplate/zones.ts";
import { textKey } from "../noise/text-key.ts";
import { decodeCfEmail } from "../noise/urls.ts";
import type { TextBlock } from "../snapshot/snapshot.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import { collect, type Found } from "./collect-element.ts";
import { hasNoReadableText } from "./has-no-readable-text.ts";
import { Places } from "./locations.ts";
import type { Block, Page } from "./page.ts";
import { type HtmlNode, parseHtml } from "./parse-html.ts";
import { blockOf, isBlock, TextRun } from "./text-run.ts";

/** Reads a page. Linear in its size, never throws. `isRendered`: the nodes carry what a browser showed of them. */
export function extractPage(
  html: string,
  url: string,
  nodes: HtmlNode[] = parseHtml(html),
  isRendered = false,
): Page {
  const partOf = measureElements(nodes);
  const places = new Places(nodes);
  const page: Page = {
    title: "",
    base: url,
    blocks: [],
    links: [],
    forms: [],
    scripts: [],
    frames: [],
    styles: [],
    handlers: [],
    metas: [],
    signs: [],
    refreshes: [],
    scriptlessRefreshes: [],
    now: null,
    loaded: null,
    nodes,
    isRendered,
  };
  const run = new TextRun(page.blocks, nodes, places);
  // Invisible text doesn't split the visible line around it.
  const unseenRun = new TextRun(page.blocks, nodes, places);
  const flush = () => {
    run.flush();
    unseenRun.flush();
  };
  const spots: Found[] = [];
  const ends: number[] = [];
  const consentDialogs = new Set<number>();
  let matchEnd = 0;
  for (let index = 0; index < nodes.length; index++) {
    while (ends.length > 0 && (ends.at(-1) ?? 0) <= index) {
      ends.pop();
      flush();
    }
    const node = nodes[index] as HtmlNode;
    const outer = spots[node.parent] ?? noSpot;
    if (node.kind === "text" && !outer.silent) {
      const mail = nodes[node.parent]?.attributes["data-cfemail"];
      (outer.unseen ? unseenRun : run).add(mail ? decodeCfEmail(mail) : node.text, index, outer);
    }
    if (node.kind !== "element") continue;
    const part = partOf(index);
    const declaredArea = areaOf(node, outer.area, part) || outer.area;
    // What the job's selector matched is what the user watches, whatever the page calls it.
    const area = node.chosen && isBoilerplate(declaredArea) ? "main" : declaredArea;
    const zone = node.chosen ? "" : outer.zone || zoneOf(node, area, part);
    if (zone === "consent" && outer.zone === "" && hasChoice(part)) consentDialogs.add(index);
    const unseen = isRendered && (node.rendered ? node.rendered !== "shown" : outer.unseen);
    const hidden =
      isRendered && !unseen ? "" : outer.hidden || (isRendered ? hiddenWhenRendered : hides)(node);
    const spot: Found = {
      area,
      zone,
      hidden,
      unseen,
      place: "",
      root: zone === outer.zone && hidden === outer.hidden ? outer.root : index,
      silent: outer.silent || hasNoReadableText(node),
      block: isBlock(node) ? index : outer.block,
      form: outer.form,
      landmark: area === outer.area ? outer.landmark : index,
    };
    spots[index] = spot;
    // What the selector matched inside a line is a line of its own.
    const isMatch = node.chosen === true && index >= matchEnd;
    if (isMatch) matchEnd = node.end;
    if ((isBlock(node) || isMatch) && !spot.silent) {
      flush();
      if (node.end > index + 1) ends.push(node.end);
    }
    collect(page, nodes, index, spot, places);
    const generated = isRendered && !spot.silent ? node.written : undefined;
    for (const [side, text] of Object.entries(generated ?? {})) {
      addBlock(page, { ...spot, place: `${places.of(index)}::${side}` }, "other", text);
    }
  }
  flush();
  dissolveZones(page, consentDialogs);
  markSurroundings(page.blocks, nodes);
  return page;
}

/** Whether a consent prompt offers a choice: two buttons, in whatever language. */
function hasChoice({ count }: Part): boolean {
  return count("buttons") >= 2 || count("accepts") >= 2;
}

// Zones that come and go by themselves are small; a larger share of a page is what the page is about.
const MOST_OF_PAGE = 0.3;

/**
 * Drops a kind of zone if all zones of that kind together hold too much of the text. A consent prompt with several
 * buttons is a dialog however long it is, and doesn't count as part of the page.
 */
function dissolveZones(page: Page, consentDialogs: Set<number>): void {
  const sizes = new Map<Zone, number>();
  let total = 0;
  for (const { zone, text, root } of page.blocks) {
    if (consentDialogs.has(root)) continue;
    total += text.length;
    if (zone !== "") sizes.set(zone, (sizes.get(zone) ?? 0) + text.length);
  }
  for (const [zone, size] of sizes) {
    if (size <= MOST_OF_PAGE * total) continue;
    for (const spot of [...page.blocks, ...page.links, ...page.forms, ...page.frames]) {
      if (spot.zone === zone && !consentDialogs.has(spot.root)) spot.zone = "";
    }
    for (const block of page.blocks) block.key = textKey(block);
  }
}

const noSpot: Found = {
  area: "",
  zone: "",
  hidden: "",
  unseen: false,
  place: "",
  root: -1,
  silent: false,
  block: -1,
  form: null,
  landmark: -1,
};

/**
 * Adds text that the live page showed and its HTML lacks: text inside shadow roots. Letter case is ignored, because
 * styles may change it.
 */
export function addLiveText(page: Page, live: TextBlock[]): void {
  for (const at of findLiveOnlyBlocks(page, live)) {
    const { role, area, text } = live[at] as TextBlock;
    addBlock(page, { ...noSpot, area, place: `live ${area}` }, role, text);
  }
}

/** Returns the indexes of the live page's blocks that its HTML lacks. */
export function findLiveOnlyBlocks(page: Page, live: TextBlock[]): number[] {
  const asWritten = new Set(page.blocks.map((block) => block.text));
  if (live.every(({ text }) => asWritten.has(text))) return [];
  const squash = (text: string) => text.replace(/\s+/g, "").toLowerCase();
  const known = new Set(page.blocks.map((block) => squash(block.text)));
  let whole: string | null = null;
  const found: number[] = [];
  live.forEach(({ text }, at) => {
    if (asWritten.has(text)) return;
    const wanted = squash(foldSpace(text));
    if (wanted === "" || known.has(wanted)) return;
    whole ??= page.blocks.map((block) => squash(block.text)).join("");
    if (!whole.includes(wanted)) found.push(at);
  });
  return found;
}

/** Adds a block of text that no node of the page contains. */
function addBlock(page: Page, spot: Found, role: Block["role"], rawText: string): void {
  const text = foldSpace(rawText);
  if (text === "") return;
  const part = isBoilerplate(spot.area) ? `live ${spot.area}` : "";
  page.blocks.push(blockOf(spot, { role, node: page.nodes.length, pieces: [], text, links: 0, part }));
}

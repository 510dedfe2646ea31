import { collect, type Found } from "./html/collect.ts";
import { foldSpace } from "./html/fold-space.ts";
import { isSilent } from "./html/is-silent.ts";
import { markSurroundings } from "./html/mark-surroundings.ts";
import { type HtmlNode, parseHtml } from "./html/parse-html.ts";
import { Places } from "./html/place.ts";
import { isBlock, TextRun } from "./html/text-run.ts";
import { weigh } from "./html/weigh.ts";
import { areaOf, hides, hidesInSight, type Zone, zoneOf } from "./html/zones.ts";
import { isFrame, textKey } from "./noise/text-key.ts";
import { decodeCfEmail } from "./noise/urls.ts";
import type { Block, Page } from "./page.ts";
import type { TextBlock } from "./snapshot.ts";

/** Reads a page; linear in its size, never throws. `isRendered` where the nodes carry what a browser showed. */
export function extractPage(
  html: string,
  url: string,
  nodes: HtmlNode[] = parseHtml(html),
  isRendered = false,
): Page {
  const partOf = weigh(nodes);
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
  // What is out of sight does not cut the line around it.
  const unseenRun = new TextRun(page.blocks, nodes, places);
  const flush = () => {
    run.flush();
    unseenRun.flush();
  };
  const spots: Found[] = [];
  const ends: number[] = [];
  const dialogues = new Set<number>();
  for (let index = 0; index < nodes.length; index++) {
    while (ends.length > 0 && (ends.at(-1) ?? 0) <= index) {
      ends.pop();
      flush();
    }
    const node = nodes[index] as HtmlNode;
    const outer = spots[node.parent] ?? outside;
    if (node.kind === "text" && !outer.silent) {
      const mail = nodes[node.parent]?.attributes["data-cfemail"];
      (outer.unseen ? unseenRun : run).add(mail ? decodeCfEmail(mail) : node.text, index, outer);
    }
    if (node.kind !== "element") continue;
    const part = partOf(index);
    const around = areaOf(node, outer.area, part) || outer.area;
    // What a selector chose is what its reader came for, whatever the page calls it.
    const area = node.chosen && isFrame(around) ? "main" : around;
    const zone = node.chosen ? "" : outer.zone || zoneOf(node, area, part);
    if (zone === "consent" && outer.zone === "" && part.count("accepts") >= 2) dialogues.add(index);
    const unseen = isRendered && (node.sight ? node.sight !== "shown" : outer.unseen);
    const hidden = isRendered && !unseen ? "" : outer.hidden || (isRendered ? hidesInSight : hides)(node);
    const spot: Found = {
      area,
      zone,
      hidden,
      unseen,
      place: "",
      root: zone === outer.zone && hidden === outer.hidden ? outer.root : index,
      silent: outer.silent || isSilent(node),
      block: isBlock(node) ? index : outer.block,
      form: outer.form,
      landmark: area === outer.area ? outer.landmark : index,
    };
    spots[index] = spot;
    if (isBlock(node) && !spot.silent) {
      flush();
      if (node.end > index + 1) ends.push(node.end);
    }
    collect(page, nodes, index, spot, places);
    const written = isRendered && !spot.silent ? node.written : undefined;
    for (const [side, text] of Object.entries(written ?? {})) {
      addBlock(page, { ...spot, place: `${places.of(index)}::${side}` }, "other", text);
    }
  }
  flush();
  dissolveZones(page, dialogues);
  markSurroundings(page.blocks, nodes);
  return page;
}

// Parts that come and go by themselves are small; what makes up more of a page is what it is about.
const MOST_OF_PAGE = 0.3;

/**
 * Takes a kind of zone back where all of that kind sum to too much of the text. What asks for consent by several
 * buttons is a dialogue however long it is, and no part of the page.
 */
function dissolveZones(page: Page, dialogues: Set<number>): void {
  const sizes = new Map<Zone, number>();
  let total = 0;
  for (const { zone, text, root } of page.blocks) {
    if (dialogues.has(root)) continue;
    total += text.length;
    if (zone !== "") sizes.set(zone, (sizes.get(zone) ?? 0) + text.length);
  }
  for (const [zone, size] of sizes) {
    if (size <= MOST_OF_PAGE * total) continue;
    for (const spot of [...page.blocks, ...page.links, ...page.forms, ...page.frames]) {
      if (spot.zone === zone && !dialogues.has(spot.root)) spot.zone = "";
    }
    for (const block of page.blocks) block.key = textKey(block.text, block.area, block.zone, block.hidden);
  }
}

const outside: Found = {
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
 * Adds what the live page showed and its HTML does not hold: text inside shadow roots. Letter case is left out,
 * as styles may change it.
 */
export function addLiveText(page: Page, live: TextBlock[]): void {
  for (const at of liveOnly(page, live)) {
    const { role, area, text } = live[at] as TextBlock;
    addBlock(page, { ...outside, area, place: `live ${area}` }, role, text);
  }
}

/** Which of the live page's blocks its HTML does not hold. */
export function liveOnly(page: Page, live: TextBlock[]): number[] {
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

/** Text that no node of the page holds. */
function addBlock(page: Page, spot: Found, role: Block["role"], written: string): void {
  const text = foldSpace(written);
  if (text === "") return;
  const { area, zone, hidden, unseen, place, root } = spot;
  const key = textKey(text, area, zone, hidden);
  const at = { area, zone, hidden, unseen, place, root };
  page.blocks.push({
    ...at,
    role,
    node: page.nodes.length,
    pieces: [],
    text,
    key,
    links: 0,
    search: false,
    part: isFrame(area) ? `live ${area}` : "",
    inMenu: false,
    beside: "",
  });
}

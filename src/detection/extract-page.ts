import { collect, type Found } from "./html/collect.ts";
import { foldSpace } from "./html/fold-space.ts";
import { type HtmlNode, parseHtml } from "./html/parse-html.ts";
import { Places } from "./html/place.ts";
import { isBlock, isSilent, TextRun } from "./html/text-run.ts";
import { weigh } from "./html/weigh.ts";
import { areaOf, type Hidden, hides, hidesInSight, type Zone, zoneOf } from "./html/zones.ts";
import { textKey } from "./noise/text-key.ts";
import { decodeCfEmail } from "./noise/urls.ts";
import type { Snapshot, TextBlock } from "./snapshot.ts";

/** A page as detection sees it: what a reader reads and what a browser would run or follow. */
export type Page = {
  title: string;
  base: string;
  blocks: Block[];
  links: Link[];
  forms: Form[];
  scripts: Script[];
  frames: Frame[];
  /** Addresses of style sheets. */
  styles: string[];
  /** Code in on… attributes, javascript: addresses and frames written in place. */
  handlers: string[];
  metas: { name: string; content: string }[];
  signs: Sign[];
  refresh: string | null;
  /** Where a browser without scripts is sent. */
  scriptlessRefresh: string | null;
  /** When the server says it answered; null where it does not. */
  now: number | null;
  /** What a browser fetched for it; null where none did. */
  loaded: { scripts: Snapshot["scripts"]; hosts: string[] } | null;
  nodes: HtmlNode[];
  /** Whether a browser said what of it is in sight. */
  isRendered: boolean;
};

export type Spot = {
  area: string;
  zone: Zone;
  hidden: Hidden;
  place: string;
  /** Node that opened the zone or hid the part, -1 where nothing did. */
  root: number;
};
/** `links`: the share of its text that is a link; `masked`: the text with noise of known shape taken out. */
export type Block = Spot & {
  /** Not shown, as far as a browser saw to it. */
  unseen: boolean;
  role: TextBlock["role"];
  /** Its first text node; the page's length for what only the live page showed. */
  node: number;
  text: string;
  key: string;
  links: number;
  search: boolean;
};
/** `text`: its words, or what a screen reader says of it. */
export type Link = Spot & { node: number; href: string; text: string };
export type Form = Spot & { action: string; method: string; inputs: { name: string; type: string }[] };
/** `code` is "" for a script with a source; `type` is "" for what a browser runs as classic or module script. */
export type Script = { src: string | null; code: string; type: string };
type Frame = Spot & { tag: string; src: string };
/**
 * What is said otherwise than by words: a control's state or value, a label that is read aloud, data for machines.
 * `of`: the thing that data speaks of.
 */
export type Sign = Spot & {
  what: "state" | "value" | "label" | "data";
  name: string;
  value: string;
  of?: string;
};

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
    refresh: null,
    scriptlessRefresh: null,
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
    const area = areaOf(node, outer.area, part) || outer.area;
    const zone = outer.zone || zoneOf(node, area, part);
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
  dissolveZones(page);
  return page;
}

// Parts that come and go by themselves are small; what makes up more of a page is what it is about.
const MOST_OF_PAGE = 0.3;

/** Takes a kind of zone back where all of that kind sum to too much of the text. */
function dissolveZones(page: Page): void {
  const sizes = new Map<Zone, number>();
  let total = 0;
  for (const { zone, text } of page.blocks) {
    total += text.length;
    if (zone !== "") sizes.set(zone, (sizes.get(zone) ?? 0) + text.length);
  }
  for (const [zone, size] of sizes) {
    if (size <= MOST_OF_PAGE * total) continue;
    for (const spot of [...page.blocks, ...page.links, ...page.forms, ...page.frames]) {
      if (spot.zone === zone) spot.zone = "";
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
};

/**
 * Adds what the live page showed and its HTML does not hold: text inside shadow roots. Letter case is left out,
 * as styles may change it.
 */
export function addLiveText(page: Page, live: TextBlock[]): void {
  if (live.length === 0) return;
  const squash = (text: string) => text.replace(/\s+/g, "").toLowerCase();
  const known = new Set(page.blocks.map((block) => squash(block.text)));
  let whole: string | null = null;
  for (const { role, area, text } of live) {
    const wanted = squash(text);
    if (wanted === "" || known.has(wanted)) continue;
    whole ??= page.blocks.map((block) => squash(block.text)).join("");
    if (whole.includes(wanted)) continue;
    addBlock(page, { ...outside, area, place: `live ${area}` }, role, text);
  }
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
    text,
    key,
    links: 0,
    search: false,
  });
}

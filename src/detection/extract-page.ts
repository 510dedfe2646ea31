import { type HtmlNode, parseHtml, rawText } from "./html/parse-html.ts";
import { placeOf } from "./html/place.ts";
import { areaOf, type Hidden, hides, type Zone, zoneOf } from "./html/zones.ts";
import { decodeCfEmail } from "./noise/urls.ts";
import type { TextBlock } from "./snapshot.ts";

/** A page as detection sees it: what a reader reads and what a browser would run or follow. */
export type Page = {
  title: string;
  base: string;
  blocks: Block[];
  links: Link[];
  forms: Form[];
  scripts: Script[];
  frames: Frame[];
  metas: { name: string; content: string }[];
  refresh: string | null;
  nodes: HtmlNode[];
};

export type Spot = { area: string; zone: Zone; hidden: Hidden; place: string };
/** `links`: the share of its text that is a link; `masked`: the text with noise of known shape taken out. */
export type Block = Spot & { role: TextBlock["role"]; text: string; links: number; search: boolean };
export type Link = Spot & { href: string; text: string };
export type Form = Spot & { action: string; method: string; inputs: { name: string; type: string }[] };
/** `code` is "" for a script with a source; `type` is "" for what a browser runs as classic or module script. */
export type Script = { src: string | null; code: string; type: string };
export type Frame = Spot & { tag: string; src: string };

const blockTags = new Set(
  "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html label legend li main menu nav noscript ol optgroup option p pre section select summary table tbody td tfoot th thead tr ul br".split(
    " ",
  ),
);
const silentTags = new Set(
  "script style template svg math title textarea iframe object audio video canvas map head noembed noframes datalist".split(
    " ",
  ),
);
const roles: Record<string, TextBlock["role"]> = {
  p: "paragraph",
  blockquote: "paragraph",
  li: "item",
  dt: "item",
  dd: "item",
  td: "cell",
  th: "cell",
  button: "control",
  option: "control",
  label: "control",
  legend: "control",
  summary: "control",
  pre: "code",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
};

export function foldSpace(text: string): string {
  return text
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Reads a page; linear in its size, never throws. */
export function extractPage(html: string, url: string): Page {
  const nodes = parseHtml(html);
  const { share, holdsMain } = weigh(nodes);
  const spots: (Spot & { silent: boolean })[] = new Array(nodes.length);
  const page: Page = {
    title: "",
    base: url,
    blocks: [],
    links: [],
    forms: [],
    scripts: [],
    frames: [],
    metas: [],
    refresh: null,
    nodes,
  };
  const outside = { area: "", zone: "" as Zone, hidden: "" as Hidden, place: "", silent: false };
  const run = new TextRun(page.blocks, nodes);
  const formOf = new Map<number, Form>();
  const ends: number[] = [];

  for (let index = 0; index < nodes.length; index++) {
    while (ends.length > 0 && (ends.at(-1) ?? 0) <= index) {
      ends.pop();
      run.flush();
    }
    const node = nodes[index] as HtmlNode;
    const outer = spots[node.parent] ?? outside;
    if (node.kind === "text") {
      const mail = nodes[node.parent]?.attributes["data-cfemail"];
      if (!outer.silent) run.add(mail ? decodeCfEmail(mail) : node.text, node.parent, outer);
      continue;
    }
    if (node.kind !== "element") continue;
    const area = areaOf(node, outer.area, share(index), holdsMain(index)) || outer.area;
    const spot = {
      area,
      zone: outer.zone || zoneOf(node, area, share(index), holdsMain(index)),
      hidden: outer.hidden || hides(node),
      place: "",
      silent: outer.silent || silentTags.has(node.tag),
    };
    spots[index] = spot;
    if (blockTags.has(node.tag) && !spot.silent) {
      run.flush();
      if (node.end > index + 1) ends.push(node.end);
    }
    collect(page, nodes, index, spot, formOf);
  }
  run.flush();
  return page;
}

class TextRun {
  #text = "";
  #owner = -1;
  #spot: Spot | null = null;
  #linkedLength = 0;
  readonly #blocks: Block[];
  readonly #nodes: HtmlNode[];

  constructor(blocks: Block[], nodes: HtmlNode[]) {
    this.#blocks = blocks;
    this.#nodes = nodes;
  }

  add(text: string, owner: number, spot: Spot): void {
    // Text beside a differently placed neighbour starts a block of its own.
    if (this.#spot && (this.#spot.zone !== spot.zone || this.#spot.hidden !== spot.hidden)) this.flush();
    if (!this.#spot && /\S/.test(text)) {
      this.#spot = spot;
      this.#owner = owner;
    }
    if (this.#spot && this.#inLink(owner)) this.#linkedLength += inkOf(text);
    this.#text += text;
  }

  #inLink(owner: number): boolean {
    for (let at = owner, steps = 0; at >= 0 && steps < 4; at = this.#nodes[at]?.parent ?? -1, steps++) {
      if (this.#nodes[at]?.tag === "a") return true;
    }
    return false;
  }

  flush(): void {
    const spot = this.#spot;
    const text = spot ? foldSpace(this.#text) : "";
    const links = this.#linkedLength / Math.max(1, inkOf(this.#text));
    this.#text = "";
    this.#linkedLength = 0;
    this.#spot = null;
    if (!spot || text === "") return;
    let at = this.#owner;
    while (at >= 0 && !blockTags.has(this.#nodes[at]?.tag ?? "")) at = this.#nodes[at]?.parent ?? -1;
    let role: TextBlock["role"] = "other";
    for (let up = at, steps = 0; up >= 0 && steps < 4; up = this.#nodes[up]?.parent ?? -1, steps++) {
      const found = roles[this.#nodes[up]?.tag ?? ""];
      if (found) {
        role = found;
        break;
      }
    }
    const { area, zone, hidden } = spot;
    const place = placeOf(this.#nodes, at);
    const search = area !== "main" && area !== "" && /search|recherche|suche/i.test(place);
    this.#blocks.push({ area, zone, hidden, place, role, text, links, search });
  }
}

/** Characters that leave a mark. */
function inkOf(text: string): number {
  return text.replace(/\s+/g, "").length;
}

function collect(page: Page, nodes: HtmlNode[], index: number, spot: Spot, formOf: Map<number, Form>): void {
  const node = nodes[index] as HtmlNode;
  const { attributes } = node;
  const at = (): Spot => ({
    area: spot.area,
    zone: spot.zone,
    hidden: spot.hidden,
    place: placeOf(nodes, index),
  });
  switch (node.tag) {
    case "title":
      if (page.title === "" && nodes[node.parent]?.tag !== "svg")
        page.title = foldSpace(rawText(nodes, index));
      break;
    case "base":
      if (attributes.href) page.base = resolve(attributes.href, page.base);
      break;
    case "a":
    case "area":
      if (attributes.href !== undefined) {
        page.links.push({
          ...at(),
          href: attributes.href.trim(),
          text: foldSpace(rawText(nodes, index)).slice(0, 200),
        });
      }
      break;
    case "form": {
      const form = {
        ...at(),
        action: attributes.action?.trim() ?? "",
        method: (attributes.method ?? "get").toLowerCase(),
        inputs: [],
      };
      page.forms.push(form);
      formOf.set(index, form);
      break;
    }
    case "input":
    case "select":
    case "textarea":
    case "button": {
      let up = node.parent;
      while (up >= 0 && nodes[up]?.tag !== "form") up = nodes[up]?.parent ?? -1;
      const type = node.tag === "input" ? (attributes.type ?? "text").toLowerCase() : node.tag;
      formOf.get(up)?.inputs.push({ name: attributes.name ?? "", type });
      break;
    }
    case "script": {
      const type = (attributes.type ?? "").toLowerCase();
      const runs =
        type === "" || type === "module" || type.includes("javascript") || type.includes("ecmascript");
      const src = attributes.src?.trim() ?? null;
      page.scripts.push({ src, code: src === null ? rawText(nodes, index) : "", type: runs ? "" : type });
      break;
    }
    case "iframe":
    case "frame":
    case "embed":
    case "object":
      page.frames.push({ ...at(), tag: node.tag, src: (attributes.src ?? attributes.data ?? "").trim() });
      break;
    case "meta": {
      const name = (attributes.name ?? attributes.property ?? attributes["http-equiv"] ?? "").toLowerCase();
      if (name === "refresh") page.refresh ??= attributes.content ?? "";
      else if (name) page.metas.push({ name, content: foldSpace(attributes.content ?? "") });
      break;
    }
    case "link": {
      const rel = (attributes.rel ?? "").toLowerCase();
      if (rel === "canonical") page.metas.push({ name: "canonical", content: attributes.href ?? "" });
    }
  }
}

/** An address against a base; what cannot be resolved stays as written. */
export function resolve(href: string, base: string): string {
  try {
    return new URL(href, base || undefined).href;
  } catch {
    return href;
  }
}

function weigh(nodes: HtmlNode[]) {
  const textBefore = new Float64Array(nodes.length + 1);
  const mainsBefore = new Uint32Array(nodes.length + 1);
  let silentUntil = 0;
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as HtmlNode;
    if (node.kind === "element" && silentTags.has(node.tag)) silentUntil = Math.max(silentUntil, node.end);
    const counts = node.kind === "text" && index >= silentUntil;
    textBefore[index + 1] = (textBefore[index] ?? 0) + (counts ? node.text.trim().length : 0);
    const isMain = node.tag === "main" || node.tag === "article" || node.attributes.role === "main";
    mainsBefore[index + 1] = (mainsBefore[index] ?? 0) + (isMain ? 1 : 0);
  }
  const total = Math.max(1, textBefore[nodes.length] ?? 1);
  return {
    share: (index: number) => ((textBefore[nodes[index]?.end ?? 0] ?? 0) - (textBefore[index] ?? 0)) / total,
    holdsMain: (index: number) => (mainsBefore[nodes[index]?.end ?? 0] ?? 0) > (mainsBefore[index] ?? 0),
  };
}

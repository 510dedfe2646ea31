import { isFrame, textKey } from "../noise/text-key.ts";
import type { Block } from "../page.ts";
import type { TextBlock } from "../snapshot.ts";
import type { Found } from "./collect.ts";
import { foldSpace } from "./fold-space.ts";
import type { HtmlNode } from "./parse-html.ts";
import type { Places } from "./place.ts";

const blockTags = new Set(
  "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html label legend li main menu nav noscript ol optgroup option p pre section select summary table tbody td text tfoot th thead tr ul br".split(
    " ",
  ),
);
const roles = new Map<string, TextBlock["role"]>([
  ["p", "paragraph"],
  ["blockquote", "paragraph"],
  ["li", "item"],
  ["dt", "item"],
  ["dd", "item"],
  ["td", "cell"],
  ["th", "cell"],
  ["button", "control"],
  ["option", "control"],
  ["label", "control"],
  ["legend", "control"],
  ["summary", "control"],
  ["pre", "code"],
  ["h1", "heading"],
  ["h2", "heading"],
  ["h3", "heading"],
  ["h4", "heading"],
  ["h5", "heading"],
  ["h6", "heading"],
]);

const controlRole = /^(?:button|option|tab|menuitem|switch)$/;

export function isBlock(node: HtmlNode): boolean {
  return blockTags.has(node.tag);
}

/** Gathers text until a block ends. */
export class TextRun {
  #text = "";
  /** The same with numbers that count, as the markup says, taken out. */
  #counted = "";
  #spot: Found | null = null;
  #pieces: number[] = [];
  #linkedLength = 0;
  readonly #blocks: Block[];
  readonly #nodes: HtmlNode[];
  readonly #places: Places;

  constructor(blocks: Block[], nodes: HtmlNode[], places: Places) {
    this.#blocks = blocks;
    this.#nodes = nodes;
    this.#places = places;
  }

  add(text: string, node: number, spot: Found): void {
    // Text beside a differently placed neighbour starts a block of its own.
    if (this.#spot && (this.#spot.zone !== spot.zone || this.#spot.hidden !== spot.hidden)) this.flush();
    if (!this.#spot && /\S/.test(text)) {
      this.#spot = spot;
      this.#text = "";
      this.#counted = "";
      this.#pieces = [];
    }
    if (this.#spot && this.#inLink(this.#nodes[node]?.parent ?? -1)) this.#linkedLength += inkOf(text);
    this.#text += text;
    this.#counted += number.test(text) && this.#isCounter(node) ? " ⟨n⟩ " : text;
    this.#pieces.push(node);
  }

  /** Whether an element close around it is named after what pages count: a link to #comments, a class like-count. */
  #isCounter(node: number): boolean {
    for (let at = this.#nodes[node]?.parent ?? -1, steps = 0; at >= 0 && steps < 3; steps++) {
      const { tag = "", attributes = {}, parent = -1 } = this.#nodes[at] ?? {};
      if (!isInlineTag(tag)) return false;
      if (counterName.test(`${attributes.class ?? ""} ${attributes.href ?? ""}`)) return true;
      at = parent;
    }
    return false;
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
    const counted = this.#counted === this.#text ? text : foldSpace(this.#counted);
    this.#counted = "";
    const links = this.#linkedLength === 0 ? 0 : this.#linkedLength / Math.max(1, inkOf(this.#text));
    const pieces = this.#pieces;
    this.#text = "";
    this.#pieces = [];
    this.#linkedLength = 0;
    this.#spot = null;
    if (!spot || text === "") return;
    const at = spot.block;
    let role: TextBlock["role"] = "other";
    for (let up = at, steps = 0; up >= 0 && steps < 4; up = this.#nodes[up]?.parent ?? -1, steps++) {
      const { tag = "", attributes = {} } = this.#nodes[up] ?? {};
      const found = roles.get(tag) ?? (controlRole.test(attributes.role ?? "") ? "control" : undefined);
      if (found) {
        role = found;
        break;
      }
    }
    const { area, zone, hidden, unseen, root, landmark } = spot;
    const place = this.#places.of(at);
    const search = area !== "main" && area !== "" && /search|recherche|suche/i.test(place);
    const key = textKey(counted, area, zone, hidden);
    const part = isFrame(area) ? this.#places.of(landmark) : zone === "" ? "" : this.#places.of(root);
    this.#blocks.push({
      area,
      zone,
      hidden,
      unseen,
      place,
      root,
      role,
      node: pieces[0] ?? 0,
      pieces,
      text,
      key,
      links,
      search,
      part,
      inMenu: false,
      beside: "",
    });
  }
}

const number = /^\s*\(?\d[\d.,]*[kKmM]?\+?\)?\s*$/;
const counterName =
  /(?:^|[\s_-])(?:comments?|kommentare?|replies)(?:$|[\s_-])|(?:comment|like|view|share|vote|reply|reaction|follower)s?[-_]?count|#(?:comments|respond|disqus_thread|kommentare)$/i;

function isInlineTag(tag: string): boolean {
  return tag === "a" || tag === "span" || tag === "b" || tag === "strong" || tag === "em" || tag === "small";
}

/** Characters that leave a mark. */
function inkOf(text: string): number {
  let ink = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return text.replace(/\s+/g, "").length;
    if (code > 32 || code < 9 || (code > 13 && code < 32)) ink++;
  }
  return ink;
}

import { isBoilerplate } from "../boilerplate/is-boilerplate.ts";
import { textKey } from "../noise/text-key.ts";
import type { TextBlock } from "../snapshot/snapshot.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import type { Found } from "./collect-element.ts";
import type { Places } from "./locations.ts";
import type { Block } from "./page.ts";
import type { HtmlNode } from "./parse-html.ts";

const blockTags = new Set(
  "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html label legend li main menu nav noscript ol optgroup option p pre section select summary table tbody td text tfoot th thead tr ul br".split(
    " ",
  ),
);
const tagsByRole: Partial<Record<TextBlock["role"], string>> = {
  paragraph: "p blockquote",
  item: "li dt dd",
  cell: "td th",
  control: "button option label legend summary",
  code: "pre",
  heading: "h1 h2 h3 h4 h5 h6",
};
const roles = new Map(
  Object.entries(tagsByRole).flatMap(([role, tags]) =>
    tags.split(" ").map((tag) => [tag, role as TextBlock["role"]] as const),
  ),
);

const controlRole = /^(?:button|option|tab|menuitem|switch)$/;

export function isBlock(node: HtmlNode): boolean {
  return blockTags.has(node.tag);
}

/** Collects text until a block ends. */
export class TextRun {
  #text = "";
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
    // Text in another zone, or hidden in another way, than the text before it starts a block of its own.
    if (this.#spot && (this.#spot.zone !== spot.zone || this.#spot.hidden !== spot.hidden)) this.flush();
    if (!this.#spot && /\S/.test(text)) {
      this.#spot = spot;
      this.#text = "";
      this.#pieces = [];
    }
    if (this.#spot && this.#inLink(this.#nodes[node]?.parent ?? -1)) this.#linkedLength += countVisible(text);
    this.#text += text;
    this.#pieces.push(node);
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
    const links = this.#linkedLength === 0 ? 0 : this.#linkedLength / Math.max(1, countVisible(this.#text));
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
    const { area, zone, root, landmark } = spot;
    const part = isBoilerplate(area) ? this.#places.of(landmark) : zone === "" ? "" : this.#places.of(root);
    const place = this.#places.of(at);
    this.#blocks.push(blockOf({ ...spot, place }, { role, node: pieces[0] ?? 0, pieces, text, links, part }));
  }
}

/** Creates a block of text at a spot. What surrounds it is marked later. */
export function blockOf(
  { area, zone, hidden, unseen, place, root }: Found,
  block: Pick<Block, "role" | "node" | "pieces" | "text" | "links" | "part">,
): Block {
  const key = textKey({ text: block.text, area, zone, hidden });
  return { area, zone, hidden, unseen, place, root, ...block, key, inMenu: false, beside: "" };
}

/** Number of visible characters: all but white space. */
function countVisible(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return text.replace(/\s+/g, "").length;
    if (code > 32 || code < 9 || (code > 13 && code < 32)) count++;
  }
  return count;
}

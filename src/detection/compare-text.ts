import { diffLines } from "./diff-lines.ts";
import type { Block, Page } from "./extract-page.ts";
import {
  isClock,
  isConsentButton,
  isMachineText,
  isPersonal,
  isPlaceholder,
  maskFrame,
  maskText,
} from "./noise/mask-text.ts";
import { maskTokens } from "./noise/tokens.ts";
import type { NoiseReason } from "./verdict.ts";

/** A piece of text that came, went, changed or moved; `noise` says why it is not news. */
export type TextChange = {
  before: Block | null;
  after: Block | null;
  moved: boolean;
  noise: NoiseReason | null;
};

export type TextComparison = {
  changes: TextChange[];
  /** Characters that stand on both sides, and all there are. */
  standing: number;
  total: number;
};

const menus = new Set(["nav", "header", "footer"]);
const frames = new Set([...menus, "aside"]);

/** Whether a block belongs to the frame around the content. */
export function inFrame(block: Block): boolean {
  return block.zone !== "" || frames.has(block.area);
}

/** What two readers of the page would have to agree on for the block to be the same. */
export function textKey(block: Block): string {
  if (isClock(block.text)) return "⟨clock⟩";
  const masked = maskText(block.text);
  if (inFrame(block)) return maskFrame(masked);
  return block.hidden === "" ? masked : maskTokens(masked);
}

/** Finds what differs in the text of two pages, moves apart from edits, noise apart from news. */
export function compareText(older: Page, newer: Page): TextComparison {
  const oldKeys = older.blocks.map(textKey);
  const newKeys = newer.blocks.map(textKey);
  const hunks = diffLines(oldKeys, newKeys);
  const changes: TextChange[] = [];
  const elsewhere = new Elsewhere(older, newer, oldKeys, newKeys);
  const context = contextOf(older, newer);
  let lost = 0;
  let gained = 0;
  for (const hunk of hunks) {
    const removed = older.blocks.slice(hunk.oldStart, hunk.oldStart + hunk.oldCount);
    const added = newer.blocks.slice(hunk.newStart, hunk.newStart + hunk.newCount);
    for (const block of removed) lost += block.text.length;
    for (const block of added) gained += block.text.length;
    if (squash(removed) === squash(added)) {
      changes.push(...pairUp(removed, added, "markup"));
      continue;
    }
    const gone: Block[] = [];
    const come: Block[] = [];
    for (const block of removed) {
      if (elsewhere.inNew(block)) changes.push({ before: block, after: null, moved: true, noise: "order" });
      else gone.push(block);
    }
    for (const block of added) {
      if (elsewhere.inOld(block)) changes.push({ before: null, after: block, moved: true, noise: "order" });
      else come.push(block);
    }
    const consent = isConsentRun(gone) || isConsentRun(come);
    const paired = pairUp(gone, come, null);
    for (const change of paired) change.noise = consent ? "consent" : noiseOf(change, context);
    spreadVisitor(paired);
    changes.push(...paired);
  }
  const oldSize = sizeOf(older.blocks);
  const newSize = sizeOf(newer.blocks);
  return { changes, standing: oldSize - lost + newSize - gained, total: oldSize + newSize };
}

/** What the judgement of one change needs to know of the whole pages. */
type Context = { oldPlaces: Set<string>; newPlaces: Set<string>; crowded: boolean };

// Menus with more links than this belong to shops and portals, which dress them anew by season and by visitor.
const CROWDED_FRAME = 60;

function contextOf(older: Page, newer: Page): Context {
  const frameLinks = (page: Page) => page.links.filter((link) => menus.has(link.area)).length;
  return {
    oldPlaces: new Set(older.blocks.map((block) => block.place)),
    newPlaces: new Set(newer.blocks.map((block) => block.place)),
    crowded: Math.min(frameLinks(older), frameLinks(newer)) > CROWDED_FRAME,
  };
}

function noiseOf({ before, after }: TextChange, context: Context): NoiseReason | null {
  const block = after ?? before;
  if (!block) return "markup";
  const both = (test: (text: string) => boolean) =>
    (!before || test(before.text)) && (!after || test(after.text));
  if (block.zone === "rotation") return (before && after) || frames.has(block.area) ? "rotation" : null;
  if (block.zone === "dialog") return "widget";
  if (block.zone !== "") return block.zone;
  if (both(isMachineText)) return "token";
  if (both(isPlaceholder)) return "widget";
  if (before && after && before.links > 0.8 && after.links > 0.8 && sameWords(before.text, after.text))
    return "order";
  // A part that is not shown and comes or goes whole is a widget's; one that changes inside is content folded away.
  if (block.hidden === "inert" && block.links === 0) {
    if (!before && !context.oldPlaces.has(block.place)) return "hidden";
    if (!after && !context.newPlaces.has(block.place)) return "hidden";
  }
  if (!frames.has(block.area)) return null;
  if (block.search || block.role === "control") return "widget";
  if (block.links === 0 && (block.hidden !== "" || (block.area === "nav" && block.role !== "heading")))
    return "hidden";
  if (both(isPersonal)) return "visitor";
  if (context.crowded && menus.has(block.area) && block.links > 0.5) return "rotation";
  return null;
}

/** What stands between a basket and a sign-in in the frame, and came or went with them, depends on the visitor too. */
function spreadVisitor(changes: TextChange[]): void {
  if (!changes.some((change) => change.noise === "visitor")) return;
  for (const change of changes) {
    const block = change.after ?? change.before;
    if (change.noise === null && block && frames.has(block.area)) change.noise = "visitor";
  }
}

/** A dialogue that asks for consent and whose markup does not say so: its buttons do. */
function isConsentRun(blocks: Block[]): boolean {
  if (blocks.length < 2 || blocks.length > 80) return false;
  if (blocks.some((block) => block.area === "main")) return false;
  return (
    blocks.some((block) => isConsentButton(block.text)) &&
    blocks.some((block) =>
      /cookie|privacy|consent|datenschutz|confidentialit|privacidad|küpsis|piškot|evästee/iu.test(block.text),
    )
  );
}

function pairUp(removed: Block[], added: Block[], noise: NoiseReason | null): TextChange[] {
  const changes: TextChange[] = [];
  const taken = new Set<number>();
  let from = 0;
  for (const before of removed) {
    let best = -1;
    let bestScore = removed.length === added.length ? 0 : 0.3;
    // Pieces keep their order, so only a few ahead can be the same piece.
    for (let at = from; at < added.length && at < from + 8; at++) {
      const after = added[at] as Block;
      const score = taken.has(at) ? -1 : alike(before.text, after.text);
      if (score > bestScore) {
        best = at;
        bestScore = score;
      }
    }
    if (best < 0) changes.push({ before, after: null, moved: false, noise });
    else {
      taken.add(best);
      from = best + 1;
      changes.push({ before, after: added[best] as Block, moved: false, noise });
    }
  }
  added.forEach((after, at) => {
    if (!taken.has(at)) changes.push({ before: null, after, moved: false, noise });
  });
  return changes;
}

/** Share of words in common, 0 to 1. */
export function alike(before: string, after: string): number {
  const oldWords = new Set(
    before
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  );
  const newWords = new Set(
    after
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  );
  if (oldWords.size + newWords.size === 0) return 0;
  let common = 0;
  for (const word of oldWords) if (newWords.has(word)) common++;
  return (2 * common) / (oldWords.size + newWords.size);
}

/** A list of links in another order; in prose the order of words is meaning. */
function sameWords(before: string, after: string): boolean {
  const sorted = (text: string) => text.split(/\s+/).filter(Boolean).sort().join(" ");
  return sorted(before) === sorted(after);
}

function squash(blocks: Block[]): string {
  return blocks
    .map((block) => maskText(block.text))
    .join("")
    .replace(/\s+/g, "");
}

function sizeOf(blocks: Block[]): number {
  let size = 0;
  for (const block of blocks) size += block.text.length;
  return size;
}

// Looking for a piece in the other page's whole text is linear each time; past this many only exact pieces count.
const MAX_SEARCHES = 400;

/** Answers whether a piece of one page still stands somewhere on the other. */
class Elsewhere {
  readonly #oldKeys: Map<string, number>;
  readonly #newKeys: Map<string, number>;
  readonly #older: Page;
  readonly #newer: Page;
  #oldText: string | null = null;
  #newText: string | null = null;
  #searches = 0;

  constructor(older: Page, newer: Page, oldKeys: string[], newKeys: string[]) {
    this.#older = older;
    this.#newer = newer;
    this.#oldKeys = count(oldKeys);
    this.#newKeys = count(newKeys);
  }

  inNew(block: Block): boolean {
    const key = textKey(block);
    if ((this.#newKeys.get(key) ?? 0) >= (this.#oldKeys.get(key) ?? 0)) return true;
    this.#newText ??= squash(this.#newer.blocks);
    return this.#contains(this.#newText, block);
  }

  inOld(block: Block): boolean {
    const key = textKey(block);
    if ((this.#oldKeys.get(key) ?? 0) >= (this.#newKeys.get(key) ?? 0)) return true;
    this.#oldText ??= squash(this.#older.blocks);
    return this.#contains(this.#oldText, block);
  }

  #contains(text: string, block: Block): boolean {
    if (block.text.length < 20 || this.#searches++ > MAX_SEARCHES) return false;
    return text.includes(squash([block]));
  }
}

function count(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

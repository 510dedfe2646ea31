import { diffLines, type LineHunk } from "./diff-lines.ts";
import type { Block, Page } from "./extract-page.ts";
import { contactsIn } from "./noise/contacts.ts";
import { maskNow } from "./noise/mask-now.ts";
import {
  isClock,
  isConsentButton,
  isMachineText,
  isPersonal,
  isPlaceholder,
  isSpam,
  spamWords,
} from "./noise/mask-text.ts";
import { isFrame, isMenu } from "./noise/text-key.ts";
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
  /** Pieces that are the same but for a value that is never news. */
  masked: TextChange[];
  /** Share of the text that stands, 0 to 1. */
  standing: number;
};

/** Whether a block belongs to the frame around the content. */
export function inFrame(block: Block): boolean {
  return block.zone !== "" || isFrame(block.area);
}

// One or two lone clocks tell the time; more are a timetable.
const MAX_CLOCKS = 2;

function keysOf(page: Page): string[] {
  const clocks = page.blocks.map((block) => block.role !== "cell" && !inFrame(block) && isClock(block.text));
  const tellsTime = clocks.filter(Boolean).length <= MAX_CLOCKS;
  return page.blocks.map((block, at) => (clocks[at] && tellsTime ? "⟨clock⟩" : block.key));
}

/** Finds what differs in the text of two pages, moves apart from edits, noise apart from news. */
export function compareText(older: Page, newer: Page): TextComparison {
  const oldKeys = keysOf(older);
  const newKeys = keysOf(newer);
  const hunks = diffLines(oldKeys, newKeys);
  const changes: TextChange[] = [];
  const elsewhere = new Elsewhere(older, newer, oldKeys, newKeys);
  const context = contextOf(older, newer, hunks);
  for (const hunk of hunks) {
    const removed = older.blocks.slice(hunk.oldStart, hunk.oldStart + hunk.oldCount);
    const added = newer.blocks.slice(hunk.newStart, hunk.newStart + hunk.newCount);
    if (squash(removed) === squash(added)) {
      for (const change of pairUp(removed, added)) changes.push({ ...change, noise: "markup" });
      continue;
    }
    const news: TextChange[] = [];
    for (const change of pairUp(removed, added)) {
      const { before, after } = change;
      const moved = (!before || elsewhere.inNew(before)) && (!after || elsewhere.inOld(after));
      if (moved) changes.push({ ...change, moved, noise: "order" });
      else news.push(change);
    }
    const consent = isConsentRun(removed) || isConsentRun(added);
    for (const change of news) {
      if (isAttack(change, context)) change.noise = null;
      else change.noise = consent ? "consent" : noiseOf(change, context);
    }
    spreadVisitor(news, context);
    for (const change of news) changes.push(change);
  }
  return {
    changes,
    masked: maskedPairs(older, newer, newKeys, hunks),
    standing: standingShare(oldKeys, newKeys),
  };
}

function maskedPairs(older: Page, newer: Page, keys: string[], hunks: LineHunk[]): TextChange[] {
  const pairs: TextChange[] = [];
  let at = 0;
  let shift = 0;
  const take = (until: number) => {
    for (; at < until; at++) {
      const before = older.blocks[at] as Block;
      const after = newer.blocks[at + shift] as Block;
      if (before.text === after.text) continue;
      pairs.push({ before, after, moved: false, noise: maskReason(keys[at + shift] ?? "") });
    }
  };
  for (const { oldStart, oldCount, newCount } of hunks) {
    take(oldStart);
    at += oldCount;
    shift += newCount - oldCount;
  }
  take(older.blocks.length);
  return pairs;
}

function maskReason(key: string): NoiseReason {
  if (/⟨(?:ago|time|clock|date|year)⟩/.test(key)) return "time";
  if (key.includes("⟨id⟩")) return "token";
  return key.includes("⟨n⟩") ? "counter" : "markup";
}

/** Share of the text that is on both sides, wherever it stands; the same both ways. */
function standingShare(oldKeys: string[], newKeys: string[]): number {
  const left = count(oldKeys);
  let total = 0;
  let common = 0;
  for (const key of oldKeys) total += key.length;
  for (const key of newKeys) {
    total += key.length;
    const there = left.get(key) ?? 0;
    if (there === 0) continue;
    left.set(key, there - 1);
    common += 2 * key.length;
  }
  return total === 0 ? 1 : common / total;
}

/** What the judgement of one change needs to know of the whole pages. */
type Context = {
  /** When the two pages were sent, where that is known. */
  sent: [old: number, now: number] | null;
  oldStanding: Standing;
  newStanding: Standing;
  crowded: boolean;
  spammed: boolean;
  /** Whom the old page named, and around which words. */
  contacts: () => { named: Set<string>; rests: Set<string> };
};

/** Parts and lists of which something stands on both sides. */
type Standing = { roots: Set<number>; lists: Set<number> };

// Menus with more links than this belong to shops and portals, which dress them anew by season and by visitor.
const CROWDED_FRAME = 60;

function contextOf(older: Page, newer: Page, hunks: LineHunk[]): Context {
  let contacts: ReturnType<Context["contacts"]> | undefined;
  const frameLinks = (page: Page) => page.links.filter((link) => isMenu(link.area)).length;
  const standing = (
    blocks: Block[],
    start: (hunk: LineHunk) => number,
    count: (hunk: LineHunk) => number,
  ): Standing => {
    const roots = new Set<number>();
    const lists = new Set<number>();
    let at = 0;
    const take = (until: number) => {
      for (; at < until; at++) {
        roots.add(blocks[at]?.root ?? -1);
        lists.add(blocks[at]?.list ?? -1);
      }
    };
    for (const hunk of hunks) {
      take(start(hunk));
      at = start(hunk) + count(hunk);
    }
    take(blocks.length);
    return { roots, lists };
  };
  return {
    oldStanding: standing(
      older.blocks,
      (hunk) => hunk.oldStart,
      (hunk) => hunk.oldCount,
    ),
    newStanding: standing(
      newer.blocks,
      (hunk) => hunk.newStart,
      (hunk) => hunk.newCount,
    ),
    sent: older.now !== null && newer.now !== null ? [older.now, newer.now] : null,
    contacts: () => (contacts ??= contactsOf(older)),
    spammed: older.blocks.some((block) => isSpam(block.text)),
    crowded: Math.min(frameLinks(older), frameLinks(newer)) > CROWDED_FRAME,
  };
}

/** What is news wherever it stands: another's contact in an old sentence, and spam where there was none. */
function isAttack({ after }: TextChange, { spammed, contacts }: Context): boolean {
  if (!after) return false;
  if (!spammed && spamWords(after.text) >= (after.hidden === "" ? 2 : 1)) return true;
  const { named, rest } = contactsIn(after.text);
  return named.some((contact) => !contacts().named.has(contact)) && contacts().rests.has(rest);
}

function contactsOf(page: Page): ReturnType<Context["contacts"]> {
  const named = new Set<string>();
  const rests = new Set<string>();
  for (const { text } of page.blocks) {
    const found = contactsIn(text);
    if (found.named.length === 0) continue;
    for (const contact of found.named) named.add(contact);
    rests.add(found.rest);
  }
  return { named, rests };
}

function noiseOf({ before, after }: TextChange, context: Context): NoiseReason | null {
  const block = after ?? before;
  if (!block) return "markup";
  const both = (test: (text: string) => boolean) =>
    (!before || test(before.text)) && (!after || test(after.text));
  const standing = after ? context.newStanding : context.oldStanding;
  const stood = standing.roots.has(block.root);
  if (block.zone !== "" && !isEditInside(before, after, stood))
    return block.zone === "dialog" ? "widget" : block.zone;
  if (before && after && tellsTheDay(before.text, after.text, context.sent)) return "time";
  if (both(isMachineText)) return "token";
  if (both(isPlaceholder)) return "widget";
  if (before && after && before.links > 0.8 && after.links > 0.8 && sameWords(before.text, after.text))
    return "order";
  // A part that is not shown and comes or goes whole is a widget's; one that changes inside is content folded away.
  if (block.hidden === "inert" && block.links === 0 && !stood && !(before && after)) return "hidden";
  if (!isFrame(block.area)) return null;
  if (block.search || block.role === "control") return "widget";
  // Words in a menu that lead nowhere label its parts; an entry among entries that stayed is one of them.
  if (
    block.area === "nav" &&
    block.links === 0 &&
    block.role !== "heading" &&
    !standing.lists.has(block.list)
  ) {
    return "widget";
  }
  if (both(isPersonal)) return "visitor";
  if (context.crowded && isMenu(block.area) && block.links > 0.5) return "rotation";
  return null;
}

function tellsTheDay(before: string, after: string, sent: Context["sent"]): boolean {
  if (!sent) return false;
  const masked = maskNow(after, sent[1]);
  return masked !== after && masked === maskNow(before, sent[0]);
}

/** Dialogues come and go whole; prose that is edited within a part that stays is an edit like any other. */
function isEditInside(before: Block | null, after: Block | null, stood: boolean): boolean {
  const block = (after ?? before) as Block;
  const sells = block.zone === "rotation" || block.zone === "advertisement";
  if (countWords(block.text) < 6 || (sells && block.area !== "main")) return false;
  if (before && after) return alike(before.text, after.text) > 0.5;
  return stood && (block.zone === "consent" || block.zone === "dialog");
}

function countWords(text: string): number {
  return text.match(/\p{L}{2,}/gu)?.length ?? 0;
}

/** What stands between a basket and a sign-in in the frame, and came or went with them, depends on the visitor too. */
function spreadVisitor(changes: TextChange[], context: Context): void {
  if (!changes.some((change) => change.noise === "visitor")) return;
  for (const change of changes) {
    const block = change.after ?? change.before;
    if (change.noise === null && block && isFrame(block.area) && !isAttack(change, context))
      change.noise = "visitor";
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

function pairUp(removed: Block[], added: Block[]): TextChange[] {
  const changes: TextChange[] = [];
  const taken = new Set<number>();
  let from = 0;
  for (const before of removed) {
    let best = -1;
    // As many came as went: each took the place of the one that stood there.
    let bestScore = removed.length === added.length ? -0.5 : 0.3;
    // Pieces keep their order, so only a few ahead can be the same piece.
    for (let at = from; at < added.length && at < from + 8; at++) {
      const after = added[at] as Block;
      const score = taken.has(at) ? -1 : alike(before.text, after.text);
      if (score > bestScore) {
        best = at;
        bestScore = score;
      }
    }
    if (best < 0) changes.push({ before, after: null, moved: false, noise: null });
    else {
      taken.add(best);
      from = best + 1;
      changes.push({ before, after: added[best] as Block, moved: false, noise: null });
    }
  }
  added.forEach((after, at) => {
    if (!taken.has(at)) changes.push({ before: null, after, moved: false, noise: null });
  });
  return changes;
}

/** Share of words in common, 0 to 1. */
function alike(before: string, after: string): number {
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
    .map((block) => block.key)
    .join("")
    .replace(/\s+/g, "");
}

// Looking for a piece in both pages' whole text is linear each time; past this many characters only exact pieces count.
const MAX_SEARCHED = 60_000_000;

/** Answers whether a piece of one page still stands somewhere on the other. */
class Elsewhere {
  readonly #oldKeys: Map<string, number>;
  readonly #newKeys: Map<string, number>;
  readonly #older: Page;
  readonly #newer: Page;
  #oldText: string | null = null;
  #newText: string | null = null;
  #searched = 0;

  constructor(older: Page, newer: Page, oldKeys: string[], newKeys: string[]) {
    this.#older = older;
    this.#newer = newer;
    this.#oldKeys = count(oldKeys);
    this.#newKeys = count(newKeys);
  }

  /** Whether a removed piece stands on the new page as often as on the old one. */
  inNew(block: Block): boolean {
    const { key } = block;
    if ((this.#newKeys.get(key) ?? 0) >= (this.#oldKeys.get(key) ?? 0)) return true;
    return this.#stands(block, (old, now) => now >= old);
  }

  /** Whether an added piece stood on the old page as often as on the new one. */
  inOld(block: Block): boolean {
    const { key } = block;
    if ((this.#oldKeys.get(key) ?? 0) >= (this.#newKeys.get(key) ?? 0)) return true;
    return this.#stands(block, (old, now) => old >= now);
  }

  /** Pieces may be cut differently on the two sides, so their text is sought in the whole of each. */
  #stands(block: Block, enough: (old: number, now: number) => boolean): boolean {
    if (block.text.length < 20 || this.#searched > MAX_SEARCHED) return false;
    this.#oldText ??= squash(this.#older.blocks);
    this.#newText ??= squash(this.#newer.blocks);
    this.#searched += this.#oldText.length + this.#newText.length;
    const piece = squash([block]);
    return enough(occurrences(this.#oldText, piece), occurrences(this.#newText, piece));
  }
}

function occurrences(text: string, piece: string): number {
  let times = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) times++;
  return times;
}

function count(keys: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

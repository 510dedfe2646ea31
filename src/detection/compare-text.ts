import { count, Elsewhere, squash } from "./compare-text/elsewhere.ts";
import { inFrame } from "./compare-text/in-frame.ts";
import { contextOf, judgeText } from "./compare-text/judge-text.ts";
import { maskedPairs } from "./compare-text/masked-pairs.ts";
import { pairUp, type TextChange } from "./compare-text/pair-blocks.ts";
import { tapeIn } from "./compare-text/tape.ts";
import { diffLines } from "./diff-lines.ts";
import { diffWords } from "./diff-words.ts";
import { languageOf } from "./noise/language.ts";
import { maskNow } from "./noise/mask-now.ts";
import { isFrame } from "./noise/text-key.ts";
import { clock, isClock } from "./noise/times.ts";
import type { Observation } from "./noise-memory.ts";
import type { Block, Page } from "./page.ts";

export type { TextChange } from "./compare-text/pair-blocks.ts";

export type TextComparison = {
  changes: TextChange[];
  /** Pieces that are the same but for a value that is never news. */
  masked: TextChange[];
  /** Share of the text that stands, 0 to 1. */
  standing: number;
  /** Whether the frame speaks another language while the content stands: another visitor, the same page. */
  switched: boolean;
  /** Share of the old text that is still there, 0 to 1: of an edited piece, the words it kept. */
  left: number;
};

/** A change as the memory knows it. */
export function observe({ before, after }: TextChange): Observation {
  const block = (after ?? before) as Block;
  const both = (test: (one: Block) => boolean) => [before, after].every((one) => !one || test(one));
  return {
    place: block.place,
    before: before && before.key,
    after: after && after.key,
    frame: inFrame(block),
    ...(both(({ beside }) => beside === "main") ? { beside: true as const } : {}),
    ...(inFrame(block) && block.part !== "" ? { part: block.part } : {}),
    ...(both(isLabel) ? { label: "words" as const } : {}),
  };
}

/** Around the content words of links and buttons, all words of menus, and words that nobody sees; anywhere links that nobody sees. */
function isLabel(block: Block): boolean {
  const isUnseen = block.hidden !== "" || block.unseen;
  if (block.beside === "articles") return isLink(block);
  if (!inFrame(block) && block.beside === "") return isLink(block) && isUnseen;
  return isLink(block) || isUnseen || block.role === "control" || block.inMenu;
}

function isLink({ links }: Block): boolean {
  return links > 0.8;
}

// One or two lone clocks tell the time; more are a timetable.
const MAX_CLOCKS = 2;

function keysOf(page: Page, tape: Set<Block>): string[] {
  const clocks = page.blocks.map(
    (block) => block.role !== "cell" && !inFrame(block) && tellsNow(block, page.now),
  );
  const tellsTime = clocks.filter(Boolean).length <= MAX_CLOCKS;
  return page.blocks.map((block, at) => {
    if (clocks[at] && tellsTime) return "⟨clock⟩";
    return tape.has(block) ? "⟨quote⟩ ⟨n⟩" : block.key;
  });
}

/** Whether a lone clock tells the page's time: not with another day beside it than that on which the page was sent. */
function tellsNow({ text }: Block, sent: number | null): boolean {
  if (!isClock(text)) return false;
  const day = text.replace(clock, "").trim();
  return sent === null || !/(?:19|20)\d\d/.test(day) || maskNow(day, sent) !== day;
}

/** Finds what differs in the text of two pages, moves apart from edits, noise apart from news. */
export function compareText(older: Page, newer: Page): TextComparison {
  alignKeys(older.blocks, newer.blocks);
  const tape = tapeIn(older.blocks, newer.blocks);
  const oldKeys = keysOf(older, tape);
  const newKeys = keysOf(newer, tape);
  const hunks = diffLines(oldKeys, newKeys);
  const changes: TextChange[] = [];
  const elsewhere = new Elsewhere(older, newer, oldKeys, newKeys);
  const context = contextOf(older, newer, hunks);
  for (const hunk of hunks) {
    const removed = older.blocks.slice(hunk.oldStart, hunk.oldStart + hunk.oldCount);
    const added = newer.blocks.slice(hunk.newStart, hunk.newStart + hunk.newCount);
    if (isRecut(removed, added)) {
      for (const change of pairUp(removed, added)) changes.push({ ...change, noise: "markup" });
      continue;
    }
    const news: TextChange[] = [];
    for (const change of pairUp(removed, added).flatMap(apart)) {
      const moved = elsewhere.isMove(change.before, change.after);
      if (moved) changes.push({ ...change, moved, noise: "order" });
      else news.push(change);
    }
    judgeText(news, removed, added, context);
    for (const change of news) changes.push(change);
  }
  const { standing, left } = shares(oldKeys, newKeys);
  const switched = switchesLanguage(changes);
  if (switched) for (const change of changes) change.noise ??= "visitor";
  return {
    changes,
    switched,
    masked: maskedPairs(older, newer, newKeys, hunks),
    standing,
    left: left < 0.5 ? left + keptByEdits(changes, oldKeys) : left,
  };
}

/** A piece that is shown and another that is not are two changes, unless they are one that was shown or hidden. */
function apart(change: TextChange): TextChange[] {
  const { before, after } = change;
  if (!before || !after || before.text === after.text || (before.hidden === "") === (after.hidden === ""))
    return [change];
  return [
    { ...change, after: null },
    { ...change, before: null },
  ];
}

/** Whether all that is news stands in the frame, and says in another language what stood there. */
function switchesLanguage(changes: TextChange[]): boolean {
  const news = changes.filter((change) => change.noise === null);
  if (news.length < 3 || news.some(({ before, after }) => !isFrame((after ?? before)?.area ?? "")))
    return false;
  const [old, now] = [
    languageOf(news.map(({ before }) => before?.text ?? "").join("\n")),
    languageOf(news.map(({ after }) => after?.text ?? "").join("\n")),
  ];
  return old !== null && now !== null && old !== now;
}

/** One text, one key: the same words under another landmark are still the same words. */
function alignKeys(...pages: Block[][]): void {
  const keys = new Map<string, string>();
  for (const block of pages.flat()) {
    const name = `${block.hidden} ${block.text}`;
    const key = keys.get(name);
    if (key === undefined) keys.set(name, block.key);
    else block.key = key;
  }
}

/** The same text, cut into blocks in another way; numbers side by side are told apart by the cut. */
function isRecut(removed: Block[], added: Block[]): boolean {
  const [first] = removed;
  if ([...removed, ...added].some(({ hidden }) => hidden !== first?.hidden)) return false;
  if (squash(removed) !== squash(added)) return false;
  return (
    removed.length !== added.length ||
    removed.every((block, at) => squash([block]) === squash(added.slice(at, at + 1)))
  );
}

// Past this much text the rest counts as lost: whoever rewrote so much wrote another page.
const MAX_EDITED = 400_000;

function keptByEdits(changes: TextChange[], oldKeys: string[]): number {
  let read = 0;
  let kept = 0;
  for (const { before, after, moved } of changes) {
    if (!before || !after || moved) continue;
    read += before.text.length + after.text.length;
    if (read > MAX_EDITED) break;
    for (const { op, text } of diffWords(before.text, after.text)) if (op === "same") kept += text.length;
  }
  return kept / Math.max(1, lengthOf(oldKeys));
}

function lengthOf(keys: string[]): number {
  let length = 0;
  for (const key of keys) length += key.length;
  return length;
}

/** How much of the text is on both sides, wherever it stands: of both together, the same both ways, and of the old. */
function shares(oldKeys: string[], newKeys: string[]): { standing: number; left: number } {
  const waiting = count(oldKeys);
  let common = 0;
  for (const key of newKeys) {
    const there = waiting.get(key) ?? 0;
    if (there === 0) continue;
    waiting.set(key, there - 1);
    common += key.length;
  }
  const old = lengthOf(oldKeys);
  const total = old + lengthOf(newKeys);
  return { standing: total === 0 ? 1 : (2 * common) / total, left: old === 0 ? 1 : common / old };
}

import { isOutsideContent } from "../boilerplate/is-boilerplate.ts";
import type { Block, Page } from "../html-parsing/page.ts";
import { diffLines } from "../line-and-word-diff/diff-lines.ts";
import { diffWords, MAX_LENGTH } from "../line-and-word-diff/diff-words.ts";
import { countEach } from "../multisets.ts";
import { contextOf, judgeText } from "../noise/judge-text.ts";
import { maskNow } from "../noise/mask-now.ts";
import { clock, isClock } from "../noise/times.ts";
import { type Observation } from "../noise-memory/observation.ts";
import { decidedBy, isActive } from "../noise-rules/noise-rule.ts";
import { MoveFinder, squash } from "./move-finder.ts";
import { pairBlocks, type TextChange } from "./pair-blocks.ts";
import { CLOCK_KEY, findMasked, findStandingBlocks } from "./standing-blocks.ts";

export type { TextChange } from "./pair-blocks.ts";

export type TextComparison = {
  changes: TextChange[];
  /** Pieces that differ only in a value that is never news. */
  masked: TextChange[];
  /** Share of the text that is unchanged, 0 to 1. */
  standing: number;
  /** Share of the old text that is still there, 0 to 1; of an edited piece, the unchanged words count. */
  left: number;
};

/** Converts a change to an observation for the noise memory. */
export function observe({ before, after, large }: TextChange): Observation {
  const block = (after ?? before) as Block;
  const both = (test: (one: Block) => boolean) => [before, after].every((one) => !one || test(one));
  return {
    place: block.place,
    before: before && before.key,
    after: after && after.key,
    frame: isOutsideContent(block),
    ...(both(({ beside }) => beside === "main" || beside === "model") ? { beside: true as const } : {}),
    ...(isOutsideContent(block) && block.part !== "" ? { part: block.part } : {}),
    ...(both(isLabel) ? { label: "words" as const } : {}),
    ...(both(({ hidden, unseen }) => hidden !== "" || unseen) ? { unseen: true as const } : {}),
    ...(large ? { large } : {}),
  };
}

/**
 * Whether a block is a label. Outside the main content these are the words of links and buttons, all words of menus,
 * and invisible words; in the main content, invisible links.
 */
function isLabel(block: Block): boolean {
  const isUnseen = block.hidden !== "" || block.unseen;
  if (block.beside === "articles" || block.beside === "model") return isLink(block);
  if (!isOutsideContent(block) && block.beside === "") return isLink(block) && isUnseen;
  return isLink(block) || isUnseen || block.role === "control" || block.inMenu;
}

function isLink({ links }: Block): boolean {
  return links > 0.8;
}

// One or two standalone times are clocks that show the current time; more are a timetable.
const MAX_CLOCKS = 2;

function keysOf(page: Page): string[] {
  const clocks = page.blocks.map(
    (block) => block.role !== "cell" && !isOutsideContent(block) && showsCurrentTime(block, page.now),
  );
  const areClocks = clocks.filter(Boolean).length <= MAX_CLOCKS && isActive("time.clock");
  return page.blocks.map((block, at) => {
    if (clocks[at] && areClocks) return CLOCK_KEY;
    return block.key;
  });
}

/** Whether a standalone time is the current time: not if it comes with a date other than the day the page was sent. */
function showsCurrentTime({ text }: Block, sent: number | null): boolean {
  if (!isClock(text)) return false;
  const day = text.replace(clock, "").trim();
  return sent === null || !/(?:19|20)\d\d/.test(day) || maskNow(day, sent) !== day;
}

/** Finds what differs in the text of two pages; separates moves from edits and noise from news. */
export function compareText(older: Page, newer: Page): TextComparison {
  alignKeys(older.blocks, newer.blocks);
  const oldKeys = keysOf(older);
  const newKeys = keysOf(newer);
  const hunks = diffLines(oldKeys, newKeys);
  const changes: TextChange[] = [];
  const elsewhere = new MoveFinder(older.blocks, newer.blocks, oldKeys, newKeys);
  const standingBlocks = findStandingBlocks(older.blocks, newer.blocks, oldKeys, hunks);
  const context = contextOf(older, newer, standingBlocks);
  for (const hunk of hunks) {
    const removed = older.blocks.slice(hunk.oldStart, hunk.oldStart + hunk.oldCount);
    const added = newer.blocks.slice(hunk.newStart, hunk.newStart + hunk.newCount);
    if (isActive("markup.recut") && isRecut(removed, added)) {
      for (const change of pairBlocks(removed, added))
        changes.push({ ...change, noise: decidedBy("markup.recut") });
      continue;
    }
    const news: TextChange[] = [];
    for (const change of pairBlocks(removed, added).flatMap(splitHiddenPair)) {
      const isMoved = isActive("order.moved") && elsewhere.isMove(change.before, change.after);
      if (isMoved) changes.push({ ...change, moved: true, noise: decidedBy("order.moved") });
      else news.push(change);
    }
    judgeText(news, removed, added, context);
    for (const change of news) changes.push(change);
  }
  const { standing, left } = measureShares(oldKeys, newKeys);
  return {
    changes,
    masked: findMasked(standingBlocks),
    standing,
    left: left < 0.5 ? left + measureKeptByEdits(changes, oldKeys) : left,
  };
}

/** Splits a pair of a visible and a hidden piece into two changes, unless it is one text that was shown or hidden. */
function splitHiddenPair(change: TextChange): TextChange[] {
  const { before, after } = change;
  if (!before || !after || before.text === after.text || (before.hidden === "") === (after.hidden === ""))
    return [change];
  return [
    { ...change, after: null },
    { ...change, before: null },
  ];
}

/** Gives equal texts the same key: the same words under another landmark are still the same words. */
function alignKeys(...pages: Block[][]): void {
  const keys = new Map<string, string>();
  for (const block of pages.flat()) {
    const name = `${block.hidden} ${block.text}`;
    const key = keys.get(name);
    if (key === undefined) keys.set(name, block.key);
    else block.key = key;
  }
}

/** Whether the same text is only split into blocks differently; a split between adjacent numbers does matter. */
function isRecut(removed: Block[], added: Block[]): boolean {
  const [first] = removed;
  if ([...removed, ...added].some(({ hidden }) => hidden !== first?.hidden)) return false;
  if (squash(removed) !== squash(added)) return false;
  return (
    removed.length !== added.length ||
    removed.every((block, at) => squash([block]) === squash(added.slice(at, at + 1)))
  );
}

// Characters of edited text to compare word by word. The rest counts as lost: a page with more edits is another page.
const MAX_EDITED = 400_000;

function measureKeptByEdits(changes: TextChange[], oldKeys: string[]): number {
  let read = 0;
  let kept = 0;
  for (const { before, after, moved } of changes) {
    if (!before || !after || moved) continue;
    // Only the ends of longer texts are compared, which costs little.
    if (Math.max(before.text.length, after.text.length) <= MAX_LENGTH)
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

/**
 * Measures how much text is on both sides, at any location: `standing` as a share of both sides together, so that it is
 * symmetric, `left` as a share of the old side.
 */
function measureShares(oldKeys: string[], newKeys: string[]): { standing: number; left: number } {
  const unmatched = countEach(oldKeys);
  let common = 0;
  for (const key of newKeys) {
    const available = unmatched.get(key) ?? 0;
    if (available === 0) continue;
    unmatched.set(key, available - 1);
    common += key.length;
  }
  const old = lengthOf(oldKeys);
  const total = old + lengthOf(newKeys);
  return { standing: total === 0 ? 1 : (2 * common) / total, left: old === 0 ? 1 : common / old };
}

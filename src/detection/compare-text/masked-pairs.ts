import type { LineHunk } from "../diff-lines.ts";
import type { Block, Page } from "../page.ts";
import type { NoiseReason } from "../verdict.ts";
import type { TextChange } from "./pair-blocks.ts";

/** Pieces outside the hunks: their keys are equal, so what differs in them is never news. */
export function maskedPairs(older: Page, newer: Page, keys: string[], hunks: LineHunk[]): TextChange[] {
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

import type { Block, Page } from "../html-parsing/page.ts";
import type { LineHunk } from "../line-and-word-diff/diff-lines.ts";
import { decideByMask } from "../noise-rules/mask-rules.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import type { NoiseReason } from "../verdict/verdict.ts";
import type { TextChange } from "./pair-blocks.ts";

/** Blocks outside the hunks that differ: their keys are equal, so the difference is always noise. */
export function maskedPairs(older: Page, newer: Page, keys: string[], hunks: LineHunk[]): TextChange[] {
  const pairs: TextChange[] = [];
  let at = 0;
  let shift = 0;
  const pairUntil = (until: number) => {
    for (; at < until; at++) {
      const before = older.blocks[at] as Block;
      const after = newer.blocks[at + shift] as Block;
      if (before.text === after.text) continue;
      pairs.push({ before, after, moved: false, noise: maskReason(keys[at + shift] ?? "", before, after) });
    }
  };
  for (const { oldStart, oldCount, newCount } of hunks) {
    pairUntil(oldStart);
    at += oldCount;
    shift += newCount - oldCount;
  }
  pairUntil(older.blocks.length);
  return pairs;
}

/** The key of a line that only shows the time. */
export const CLOCK_KEY = "⟨clock⟩";

function maskReason(key: string, before: Block, after: Block): NoiseReason {
  if (key === CLOCK_KEY) return decidedBy("time.clock");
  return decideByMask(before, after) ?? decidedBy("markup.recut");
}

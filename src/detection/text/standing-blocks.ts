import type { Block } from "../html-parsing/page.ts";
import type { LineHunk } from "../line-and-word-diff/diff-lines.ts";
import { decideByMask } from "../noise-rules/mask-rules.ts";
import { decidedBy } from "../noise-rules/noise-rule.ts";
import type { NoiseReason } from "../verdict/verdict.ts";
import type { TextChange } from "./pair-blocks.ts";

/** A block that is on both pages by its key; its text may differ in what the key masks. */
export type StandingBlock = { before: Block; after: Block; key: string };

/** The key of a line that only shows the time. */
export const CLOCK_KEY = "⟨clock⟩";

/** Returns all blocks outside the hunks. */
export function findStandingBlocks(
  older: Block[],
  newer: Block[],
  oldKeys: string[],
  hunks: LineHunk[],
): StandingBlock[] {
  const standing: StandingBlock[] = [];
  let at = 0;
  let shift = 0;
  for (const { oldStart, oldCount, newCount } of [
    ...hunks,
    { oldStart: older.length, oldCount: 0, newCount: 0 },
  ]) {
    for (; at < oldStart; at++) {
      const [before, after] = [older[at] as Block, newer[at + shift] as Block];
      standing.push({ before, after, key: oldKeys[at] ?? "" });
    }
    at += oldCount;
    shift += newCount - oldCount;
  }
  return standing;
}

/** Blocks whose text differs although their keys are equal: the difference is always noise. */
export function findMasked(standing: StandingBlock[]): TextChange[] {
  return standing
    .filter(({ before, after }) => before.text !== after.text)
    .map((block) => ({ before: block.before, after: block.after, moved: false, noise: maskReason(block) }));
}

function maskReason({ before, after, key }: StandingBlock): NoiseReason {
  if (key === CLOCK_KEY) return decidedBy("time.clock");
  return decideByMask(before, after) ?? decidedBy("markup.recut");
}

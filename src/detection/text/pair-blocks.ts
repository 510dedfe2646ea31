import type { Block } from "../html-parsing/page.ts";
import type { NoiseReason } from "../verdict/verdict.ts";

/** A block of text that was added, removed, changed or moved; `noise` says why it is not reported. */
export type TextChange = {
  before: Block | null;
  after: Block | null;
  moved: boolean;
  noise: NoiseReason | null;
  /** Part of a difference that is too large for a state. */
  large?: true;
};

/** Pairs each removed block with the added block that replaced it. */
export function pairBlocks(removed: Block[], added: Block[]): TextChange[] {
  const changes: TextChange[] = [];
  const taken = new Set<number>();
  // The words of a block are read once, however often it is compared, and dropped once it is passed.
  const words = new Map<number, Set<string>>();
  const wordsAt = (at: number) => {
    const known = words.get(at) ?? wordsOf((added[at] as Block).text);
    words.set(at, known);
    return known;
  };
  let next = 0;
  for (const before of removed) {
    const ownWords = wordsOf(before.text);
    let best = -1;
    // If as many blocks were added as removed, each replaced the one in its position.
    let bestScore = removed.length === added.length ? -0.5 : 0.3;
    // Blocks keep their order, so only the next few can be the same block.
    for (let at = next; at < added.length && at < next + 8; at++) {
      const score = taken.has(at) ? -1 : shareOf(ownWords, wordsAt(at));
      if (score > bestScore) {
        best = at;
        bestScore = score;
      }
    }
    if (best < 0) changes.push({ before, after: null, moved: false, noise: null });
    else {
      taken.add(best);
      for (; next <= best; next++) words.delete(next);
      changes.push({ before, after: added[best] as Block, moved: false, noise: null });
    }
  }
  added.forEach((after, at) => {
    if (!taken.has(at)) changes.push({ before: null, after, moved: false, noise: null });
  });
  return changes;
}

/** Share of words in common, 0 to 1. */
export function alike(before: string, after: string): number {
  return shareOf(wordsOf(before), wordsOf(after));
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/** Share of words in common, 0 to 1. */
export function shareOf(old: Set<string>, now: Set<string>): number {
  if (old.size + now.size === 0) return 0;
  const [few, many] = old.size < now.size ? [old, now] : [now, old];
  let common = 0;
  for (const word of few) if (many.has(word)) common++;
  return (2 * common) / (old.size + now.size);
}

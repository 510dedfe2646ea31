import type { Block } from "../page.ts";
import type { NoiseReason } from "../verdict.ts";

/** A piece of text that came, went, changed or moved; `noise` says why it is not news. */
export type TextChange = {
  before: Block | null;
  after: Block | null;
  moved: boolean;
  noise: NoiseReason | null;
};

/** Tells which of the pieces that came stands for which of those that went. */
export function pairUp(removed: Block[], added: Block[]): TextChange[] {
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

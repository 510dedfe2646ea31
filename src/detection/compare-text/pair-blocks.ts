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
  // Each piece is read once, however many it is held against, and forgotten once it is passed.
  const words = new Map<number, Set<string>>();
  const wordsAt = (at: number) => {
    const known = words.get(at) ?? wordsOf((added[at] as Block).text);
    words.set(at, known);
    return known;
  };
  let from = 0;
  for (const before of removed) {
    const own = wordsOf(before.text);
    let best = -1;
    // As many came as went: each took the place of the one that stood there.
    let bestScore = removed.length === added.length ? -0.5 : 0.3;
    // Pieces keep their order, so only a few ahead can be the same piece.
    for (let at = from; at < added.length && at < from + 8; at++) {
      const score = taken.has(at) ? -1 : shareOf(own, wordsAt(at));
      if (score > bestScore) {
        best = at;
        bestScore = score;
      }
    }
    if (best < 0) changes.push({ before, after: null, moved: false, noise: null });
    else {
      taken.add(best);
      for (; from <= best; from++) words.delete(from);
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

function shareOf(old: Set<string>, now: Set<string>): number {
  if (old.size + now.size === 0) return 0;
  const [few, many] = old.size < now.size ? [old, now] : [now, old];
  let common = 0;
  for (const word of few) if (many.has(word)) common++;
  return (2 * common) / (old.size + now.size);
}

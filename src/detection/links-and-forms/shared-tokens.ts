import { looksRandom } from "../noise/tokens.ts";

// One value that so many different links carry names the visit, not what any of them leads to.
const FEWEST_LINKS = 3;
const longNumber = /\d{6}/;

type Target = { to: string };
type Retargeted = { before: Target; after: Target };

/**
 * The pairs of links that differ only in a token of the visit: the same parameter went from the same value to the same
 * other value in several different links. No list of names says which parameters these are.
 */
export function findSharedTokens<Pair extends Retargeted>(retargeted: readonly Pair[]): Set<Pair> {
  const targetsByToken = new Map<string, Set<string>>();
  const swapsByPair = new Map<Pair, string[]>();
  for (const pair of retargeted) {
    const swaps = swapsOf(pair.before.to, pair.after.to);
    if (!swaps) continue;
    swapsByPair.set(pair, swaps);
    const [target = ""] = pair.after.to.split("?");
    for (const swap of swaps) targetsByToken.set(swap, (targetsByToken.get(swap) ?? new Set()).add(target));
  }
  const isShared = (swap: string) => (targetsByToken.get(swap)?.size ?? 0) >= FEWEST_LINKS;
  return new Set([...swapsByPair].filter(([, swaps]) => swaps.every(isShared)).map(([pair]) => pair));
}

/** The parameters in which two addresses differ, each with both values; null if something else or a word differs. */
function swapsOf(before: string, after: string): string[] | null {
  const [oldPath = "", ...oldQuery] = before.split(/[?&]/);
  const [newPath = "", ...newQuery] = after.split(/[?&]/);
  if (oldPath !== newPath || oldQuery.length !== newQuery.length) return null;
  const swaps: string[] = [];
  for (const [at, old] of oldQuery.entries()) {
    const now = newQuery[at] ?? "";
    if (old === now) continue;
    const [oldName = "", oldValue = ""] = old.split("=");
    const [newName = "", newValue = ""] = now.split("=");
    if (oldName !== newName || !isToken(oldValue) || !isToken(newValue)) return null;
    swaps.push(`${old}\n${now}`);
  }
  return swaps.length > 0 ? swaps : null;
}

function isToken(value: string): boolean {
  return value.length >= 8 && (longNumber.test(value) || looksRandom(value));
}

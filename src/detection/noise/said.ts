import { hash } from "./hash.ts";
import { fits, type Shape, shapeOf, widen } from "./shape.ts";

/** A difference that the user called noise: which values the place held since, and what they look like. */
export type Said = {
  place: string;
  before: string | null;
  after: string | null;
  values: string[];
  shape: Shape;
  /** In the frame around the content whatever comes or goes there counts, if it looks like this. */
  any?: true;
  at: string;
};

type Seen = { place: string; before: string | null; after: string | null; frame: boolean };

const MAX_SHOWN = 200;
const MAX_VALUES = 12;
const MAX_SAID = 200;

/** The name of a difference: the same for the same words in the same place. */
export function idOf({ place, before, after }: Seen): string {
  return hash(JSON.stringify([place, before, after]));
}

export function addSaid(said: Record<string, Said>, seen: Seen, at: string): Record<string, Said> {
  const { place, before, after, frame } = seen;
  const texts = [before, after].filter((text) => text !== null);
  const shown = (text: string | null) => text && text.slice(0, MAX_SHOWN).toWellFormed();
  const { [idOf(seen)]: _same, ...others } = said;
  const entry: Said = {
    place,
    before: shown(before),
    after: shown(after),
    values: texts.map(hash),
    shape: (texts.length > 0 ? texts : [""]).map(shapeOf).reduce(widen),
    ...(frame && texts.length === 1 ? { any: true } : {}),
    at,
  };
  return Object.fromEntries([...Object.entries(others), [idOf(seen), entry] as const].slice(-MAX_SAID));
}

/**
 * What the user said that covers a difference: the value went on from one that was called noise and looks like it, or
 * is the very piece. `isExact` where only what was called noise counts, not what came of it.
 */
export function findSaid(
  said: Record<string, Said>,
  { place, before, after }: Seen,
  isExact: boolean,
): [id: string, Said] | undefined {
  return Object.entries(said).find(([, one]) => {
    if (one.place !== place) return false;
    const isKnown = (text: string | null) => text === null || one.values.includes(hash(text));
    if (isKnown(before) && isKnown(after)) return true;
    if (isExact) return false;
    if (before !== null && after !== null) return isKnown(before) && fits(one.shape, after);
    return one.any === true && fits(one.shape, after ?? before ?? "");
  });
}

/** The user's words after one more check: a value that went on is followed. */
export function followSaid(said: Record<string, Said>, seen: Seen[]): Record<string, Said> {
  let next = said;
  const places = new Set(Object.values(said).map(({ place }) => place));
  for (const one of seen) {
    if (one.before === null || one.after === null || !places.has(one.place)) continue;
    const [id, found] = findSaid(next, one, false) ?? [];
    const value = hash(one.after);
    if (id === undefined || !found || found.values.includes(value)) continue;
    next = { ...next, [id]: { ...found, values: [...found.values, value].slice(-MAX_VALUES) } };
  }
  return next;
}

import { hash } from "./hash.ts";
import { fits, type Shape, shapeOf, widen } from "./shape.ts";

/** A difference that the user marked as noise, with the values that its location has held since and their shape. */
export type Feedback = {
  place: string;
  before: string | null;
  after: string | null;
  values: string[];
  shape: Shape;
  /** Set in boilerplate: covers everything that is added or removed at this location and fits the shape. */
  any?: true;
  at: string;
};

/** What the user wants for a location that changes frequently. */
export type Answer = "keepTelling" | "daily" | "noise";

/** What the user said about differences and locations. */
export type UserFeedback = {
  /** The user's answers about locations that change frequently. */
  answers: Record<string, Answer>;
  /** Locations that the user wants reported, whatever was learned or recognized. */
  kept: string[];
  /** Differences that the user marked as noise, by their ids. */
  said: Record<string, Feedback>;
  /** When a location was added to `answers` or `kept`. */
  dates: Record<string, string>;
};

export function noFeedback(): UserFeedback {
  return { answers: {}, kept: [], said: {}, dates: {} };
}

type Difference = { place: string; before: string | null; after: string | null; frame: boolean };

const MAX_SHOWN = 200;
const MAX_VALUES = 12;
const MAX_ENTRIES = 200;

/** The id of a difference: the same for the same text at the same location. */
export function idOf({ place, before, after }: Difference): string {
  return hash(JSON.stringify([place, before, after]));
}

/** Adds differences; only the newest entries are kept. */
export function addFeedback(
  feedback: Record<string, Feedback>,
  changes: Difference[],
  at: string,
): Record<string, Feedback> {
  // By id first, because a page may have tens of thousands of differences, and most are not kept.
  const byId = new Map<string, Difference | Feedback>(Object.entries(feedback));
  for (const change of changes) {
    const id = idOf(change);
    // Deleted and set again, so that the newest entries are the last ones.
    byId.delete(id);
    byId.set(id, change);
  }
  const kept = [...byId].slice(-MAX_ENTRIES);
  return Object.fromEntries(kept.map(([id, one]) => [id, "shape" in one ? one : toFeedback(one, at)]));
}

function toFeedback({ place, before, after, frame }: Difference, at: string): Feedback {
  const texts = [before, after].filter((text) => text !== null);
  const clip = (text: string | null) => text && text.slice(0, MAX_SHOWN).toWellFormed();
  return {
    place,
    before: clip(before),
    after: clip(after),
    values: texts.map(hash),
    shape: (texts.length > 0 ? texts : [""]).map(shapeOf).reduce(widen),
    ...(frame && texts.length === 1 ? { any: true } : {}),
    at,
  };
}

/**
 * Finds the feedback that covers a difference: its value follows one that was marked as noise and fits the shape, or is
 * itself a known one. With `isExact` only known values count, not new ones that fit the shape.
 */
export function findFeedback(
  feedback: Record<string, Feedback>,
  { place, before, after }: Difference,
  isExact: boolean,
): [id: string, Feedback] | undefined {
  return Object.entries(feedback).find(([, entry]) => {
    if (entry.place !== place) return false;
    const isKnown = (text: string | null) => text === null || entry.values.includes(hash(text));
    if (isKnown(before) && isKnown(after)) return true;
    if (isExact) return false;
    if (before !== null && after !== null) return isKnown(before) && fits(entry.shape, after);
    return entry.any === true && fits(entry.shape, after ?? before ?? "");
  });
}

/** Updates the feedback after a check: new values at the locations it covers are added. */
export function updateFeedback(
  feedback: Record<string, Feedback>,
  changes: Difference[],
): Record<string, Feedback> {
  let next = feedback;
  const places = new Set(Object.values(feedback).map(({ place }) => place));
  for (const change of changes) {
    if (change.before === null || change.after === null || !places.has(change.place)) continue;
    const [id, found] = findFeedback(next, change, false) ?? [];
    const value = hash(change.after);
    if (id === undefined || !found || found.values.includes(value)) continue;
    next = { ...next, [id]: { ...found, values: [...found.values, value].slice(-MAX_VALUES) } };
  }
  return next;
}

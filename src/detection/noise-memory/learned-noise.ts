import { isActive } from "../noise-rules/noise-rule.ts";
import type { Box } from "../verdict/verdict.ts";
import { type UserFeedback, updateFeedback } from "./feedback.ts";
import { hash } from "./hash.ts";
import type { Observation } from "./observation.ts";
import { newest, own } from "./record.ts";
import { fits, type Shape, shapeOf, widen } from "./shape.ts";

/** `kept`: the user wants it reported nevertheless. `said`: the user marked it as noise. */
export type KnownBox = Box & { since?: string; kept?: true; said?: true };

/** `twin`: only a capture or only its confirmation showed it. `flips`: how often an item was reported. */
type Piece = {
  place: string;
  sample: string;
  flips: number;
  last: number;
  twin?: boolean;
  since?: string;
};
type Slot = {
  value: string;
  /** The value in the other capture of the pair: either capture may be the one that is stored. */
  other?: string;
  sample: string;
  changes: number;
  last: number;
  twin: boolean;
  shape: Shape;
  since?: string;
};

/** What captures have shown: visible words are noise only if a capture and its confirmation differ there. */
export type LearnedNoise = {
  /** Comparisons learned from, including those of a capture and its confirmation. */
  captures: number;
  /** Pieces that only a capture or only its confirmation showed, and reported items, by a hash of their text. */
  pieces: Record<string, Piece>;
  /** Values that differed between a capture and its confirmation, by location. */
  slots: Record<string, Slot[]>;
  /** Script hosts, script shapes and similar items that were there once, with the capture that last showed them. */
  seen: Record<string, number>;
  /** Parts of the picture that differed between a capture and its confirmation. */
  boxes: KnownBox[];
  /** Only when a past check is replayed: what that check ignored as learned noise (`withReplayedNoise`). */
  known?: ReadonlySet<string>;
};

type Teachable = LearnedNoise & UserFeedback;

export function nothingLearned(): LearnedNoise {
  return { captures: 0, pieces: {}, slots: {}, seen: {}, boxes: [] };
}

const MAX_PIECES = 1500;
const MAX_SLOTS = 400;
const MAX_SEEN = 1500;
export const MAX_SAMPLE = 80;
/** Captures after which something that appeared once and disappeared is news again. */
export const FORGET_AFTER = 60;

export const sinceOf = (since: string | undefined) => (since === undefined ? {} : { since });

export function findVolatileSlot(
  memory: LearnedNoise,
  { place, before, after, frame }: Observation,
): Slot | undefined {
  if (!isActive("learned.value")) return undefined;
  const slots = pairSlotsAt(memory, place);
  if (before !== null && after !== null) {
    const slot = slots[findSlotIndex(slots, hash(before), hash(after))];
    return slot && fits(slot.shape, after) ? slot : undefined;
  }
  // In the boilerplate a whole location may be known for items that come and go.
  if (!frame) return undefined;
  return slots.find((slot) => slot.value === "*" && fits(slot.shape, after ?? before ?? ""));
}

/** Finds a piece that only a capture or only its confirmation showed; null if there is no text. */
export function findFlickering(memory: LearnedNoise, text: string | null): Piece | null | undefined {
  if (text === null) return null;
  const piece = memory.pieces[hash(text)];
  return piece?.twin === true && memory.captures - piece.last <= FORGET_AFTER ? piece : undefined;
}

/** Finds the slot that held the old value, else the slot of a capture pair that holds the new one; -1 if none. */
function findSlotIndex(slots: Slot[], from: string, to: string): number {
  const at = slots.findIndex((slot) => slot.value === from || slot.other === from);
  return at >= 0 ? at : slots.findIndex((slot) => slot.other !== undefined && slot.value === to);
}

export function pairSlotsAt(memory: LearnedNoise, place: string): Slot[] {
  return (own(memory.slots, place) ?? []).filter((slot) => slot.twin);
}

/**
 * Learns from one more check. `items` were on either page; `alarmed` are those of them that were reported.
 */
export function learn<Memory extends Teachable>(
  memory: Memory,
  observations: Observation[],
  items: string[],
  alarmed: string[] = [],
): Memory {
  const next = copy(memory);
  for (const { place, before, after } of observations) {
    if (before === null || after === null) continue;
    const slots = pairSlotsAt(next, place);
    const at = findSlotIndex(slots, hash(before), hash(after));
    const slot = slots[at];
    // A value that no longer fits was reported. A new value doesn't widen the shape: only a confirmation does.
    if (slot)
      next.slots[place] = slots.with(at, {
        ...slot,
        value: hash(after),
        sample: after.slice(0, MAX_SAMPLE),
        changes: slot.changes + 1,
        last: next.captures,
      });
  }
  next.said = updateFeedback(next.said, observations);
  return withItems(next, items, alarmed);
}

/** Learns from a capture and its confirmation: what differs between them changes by itself. */
export function learnPairNoise<Memory extends Teachable>(
  memory: Memory,
  observations: Observation[],
  items: string[] = [],
  alarmed: string[] = [],
  at?: string,
): Memory {
  const next = copy(memory);
  for (const { place, before, after, frame } of observations) {
    if (before !== null && after !== null) {
      // Both captures have a value there: it varies, it doesn't come and go.
      addPairSlot(next, place, hash(before), hash(after), after, before, at);
      continue;
    }
    const text = after ?? before ?? "";
    next.pieces[hash(text)] = {
      place,
      sample: text.slice(0, MAX_SAMPLE),
      flips: (next.pieces[hash(text)]?.flips ?? 0) + 2,
      last: next.captures,
      twin: true,
      ...sinceOf(next.pieces[hash(text)]?.since ?? at),
    };
    if (frame) addPairSlot(next, place, "*", "*", text, text, at);
  }
  return withItems(next, items, alarmed);
}

/** Copies every part that learning writes to, so that the given memory stays unchanged. */
function copy<Memory extends Teachable>(memory: Memory): Memory {
  return {
    ...memory,
    captures: memory.captures + 1,
    pieces: { ...memory.pieces },
    slots: { ...memory.slots },
    seen: { ...memory.seen },
  };
}

function addPairSlot(
  memory: LearnedNoise,
  place: string,
  from: string,
  to: string,
  text: string,
  before: string,
  since: string | undefined,
): void {
  const slots = pairSlotsAt(memory, place);
  const at = findSlotIndex(slots, from, to);
  const old = slots[at];
  const slot: Slot = {
    value: to,
    other: from,
    sample: text.slice(0, MAX_SAMPLE),
    changes: (old?.changes ?? 0) + 1,
    last: memory.captures,
    twin: true,
    shape: widen(old?.shape ?? shapeOf(before), shapeOf(text)),
    ...sinceOf(old?.since ?? since),
  };
  memory.slots[place] = at < 0 ? [...slots, slot].slice(-12) : slots.with(at, slot);
}

function withItems<Memory extends Teachable>(next: Memory, items: string[], alarmed: string[]): Memory {
  const { captures } = next;
  for (const item of alarmed) {
    const key = hash(item);
    const name = item.slice(0, MAX_SAMPLE);
    const flips = (next.pieces[key]?.flips ?? 0) + 1;
    next.pieces[key] = { place: name, sample: name, flips, last: captures };
  }
  for (const item of items) {
    const key = hash(item);
    const piece = next.pieces[key];
    if (piece) next.pieces[key] = { ...piece, last: captures };
    else next.seen[key] = captures;
  }
  next.pieces = newest(next.pieces, MAX_PIECES, (piece) => piece.last);
  next.slots = newest(next.slots, MAX_SLOTS, (slots) => Math.max(...slots.map((slot) => slot.last)));
  next.seen = newest(next.seen, MAX_SEEN, (last) => last);
  return next;
}

import { hash } from "./noise/hash.ts";
import { fits, type Shape, shapeOf, widen } from "./noise/shape.ts";

/** What a job has learned about its page. Plain data; keep it beside the job and hand it back next time. */
export type NoiseMemory = {
  version: 1;
  /** Comparisons learned from. */
  captures: number;
  /** Pieces that came or went, by a hash of what they say. */
  pieces: Record<string, Piece>;
  /** Places whose content changes, by where they stand. */
  slots: Record<string, Slot[]>;
  /** Script hosts, script shapes and the like that were there once, with the capture they were last seen in. */
  seen: Record<string, number>;
  /** Places the user wants to hear about, whatever was learned. */
  kept: string[];
};

/** `twin`: known only because two captures of one moment differed in it. */
type Piece = { place: string; sample: string; flips: number; last: number; twin?: boolean };
type Slot = {
  value: string;
  /** What the other capture of the same moment held: either may be the one that is kept. */
  other?: string;
  sample: string;
  changes: number;
  first: number;
  last: number;
  twin: boolean;
  shape: Shape;
};

/** One observed difference in a place; null where nothing stood or stands. */
export type Observation = { place: string; before: string | null; after: string | null; frame: boolean };

export type Learned = {
  place: string;
  why: "twin" | "history" | "alternating";
  times: number;
  samples: string[];
};

const MAX_PIECES = 1500;
const MAX_SLOTS = 400;
const MAX_SEEN = 1500;
const MAX_SAMPLE = 80;
// A place in the frame is believed volatile after two changes, one in the content after three.
const FRAME_CHANGES = 2;
const CONTENT_CHANGES = 3;
/** Captures after which something that came once and went is news again. */
const FORGET_AFTER = 60;

export function emptyMemory(): NoiseMemory {
  return { version: 1, captures: 0, pieces: {}, slots: {}, seen: {}, kept: [] };
}

/** Why the memory takes a difference for noise, or null when it is news. */
export function recall(memory: NoiseMemory, seen: Observation): "learned" | "alternating" | null {
  if (memory.kept.includes(seen.place)) return null;
  if (isVolatile(memory, seen)) return "learned";
  if (!isAlternating(memory, seen)) return null;
  const piece = seen.after === null ? undefined : memory.pieces[hash(seen.after)];
  return piece?.twin ? "learned" : "alternating";
}

function isVolatile(memory: NoiseMemory, { place, before, after, frame }: Observation): boolean {
  const slots = slotsAt(memory, place);
  if (before !== null && after !== null) {
    const slot = slots[slotOf(slots, hash(before), hash(after))];
    return slot !== undefined && isProved(slot, frame, memory) && fits(slot.shape, after);
  }
  // In the frame a whole place may be known for items that come and go.
  const text = after ?? before ?? "";
  return (
    frame &&
    slots.some((slot) => slot.value === "*" && isProved(slot, true, memory) && fits(slot.shape, text))
  );
}

/** The slot that held a value, or that two captures of this moment filled differently. */
function slotOf(slots: Slot[], from: string, to: string): number {
  const at = slots.findIndex((slot) => slot.value === from || slot.other === from);
  return at >= 0 ? at : slots.findIndex((slot) => slot.other !== undefined && slot.value === to);
}

/** Places are named by the page's author, who may call a tag constructor. */
function slotsAt(memory: NoiseMemory, place: string): Slot[] {
  return Object.hasOwn(memory.slots, place) ? (memory.slots[place] ?? []) : [];
}

function isAlternating(memory: NoiseMemory, { before, after, frame }: Observation): boolean {
  const known = (text: string | null) => {
    if (text === null) return Number.POSITIVE_INFINITY;
    const piece = memory.pieces[hash(text)];
    return piece && memory.captures - piece.last <= FORGET_AFTER ? piece.flips : 0;
  };
  if (frame) return known(before) >= 1 && known(after) >= 1;
  // In the content what comes and goes again, or A → B → A, is news; what comes for the second time is a habit.
  return after === null ? known(before) >= 2 : known(before) >= 1 && known(after) >= 2;
}

function isProved(slot: Slot, frame: boolean, memory: NoiseMemory): boolean {
  if (slot.twin) return true;
  const needed = frame ? FRAME_CHANGES : CONTENT_CHANGES;
  const captures = memory.captures - slot.first + 1;
  // What changes now and then is edited, not volatile.
  if (slot.changes >= 2 && slot.changes >= captures) return true;
  return slot.changes >= needed && slot.changes / captures >= 0.34;
}

/** Whether a script host, shape or the like was on the page before, or alarmed twice already. */
export function wasSeen(memory: NoiseMemory, item: string): boolean {
  if (memory.kept.includes(item.slice(0, MAX_SAMPLE))) return false;
  const key = hash(item);
  const last = memory.seen[key];
  if (last !== undefined && memory.captures - last <= FORGET_AFTER) return true;
  return (memory.pieces[key]?.flips ?? 0) >= 2;
}

/**
 * The memory after one more comparison. `items` were on either page, `alarmed` are those of them that were news:
 * they must come back once more before they are believed. `twin` means two captures of one moment.
 */
export function learn(
  memory: NoiseMemory,
  observations: Observation[],
  items: string[],
  alarmed: string[] = [],
  twin = false,
): NoiseMemory {
  const captures = memory.captures + 1;
  const next: NoiseMemory = {
    ...memory,
    captures,
    pieces: { ...memory.pieces },
    slots: { ...memory.slots },
    seen: { ...memory.seen },
  };
  const touched = new Set<string>();
  for (const { place, before, after, frame } of observations) {
    // Two captures of one moment that both fill a place say that its value varies, not that it comes and goes.
    for (const text of twin && before !== null && after !== null ? [] : [before, after]) {
      if (text === null) continue;
      const key = hash(text);
      const piece = next.pieces[key];
      next.pieces[key] = {
        place,
        sample: text.slice(0, MAX_SAMPLE),
        flips: (piece?.flips ?? 0) + (twin ? 2 : 1),
        last: captures,
        ...(twin && (piece?.twin ?? true) ? { twin } : {}),
      };
    }
    if (before !== null && after !== null) {
      updateSlot(next, place, hash(before), hash(after), after, before, twin);
    } else if (frame && !touched.has(place)) {
      touched.add(place);
      updateSlot(next, place, "*", "*", after ?? before ?? "", "", twin);
    }
  }
  for (const item of alarmed) {
    const key = hash(item);
    const flips = (next.pieces[key]?.flips ?? 0) + 1;
    next.pieces[key] = {
      place: item.slice(0, MAX_SAMPLE),
      sample: item.slice(0, MAX_SAMPLE),
      flips,
      last: captures,
    };
  }
  for (const item of items) {
    const key = hash(item);
    if (!next.pieces[key]) next.seen[key] = captures;
  }
  next.pieces = newest(next.pieces, MAX_PIECES, (piece) => piece.last);
  next.slots = newest(next.slots, MAX_SLOTS, (slots) => Math.max(...slots.map((slot) => slot.last)));
  next.seen = newest(next.seen, MAX_SEEN, (last) => last);
  return next;
}

function updateSlot(
  memory: NoiseMemory,
  place: string,
  from: string,
  to: string,
  text: string,
  before: string,
  twin: boolean,
): void {
  const slots = slotsAt(memory, place);
  const at = slotOf(slots, from, to);
  const old = slots[at];
  const shape = widen(old?.shape ?? shapeOf(before === "" ? text : before), shapeOf(text));
  const slot: Slot = {
    value: to,
    ...(twin ? { other: from } : {}),
    sample: text.slice(0, MAX_SAMPLE),
    changes: (old?.changes ?? 0) + 1,
    first: old?.first ?? memory.captures,
    last: memory.captures,
    twin: twin || (old?.twin ?? false),
    shape,
  };
  memory.slots[place] = at < 0 ? [...slots, slot].slice(-12) : slots.with(at, slot);
}

function newest<T>(record: Record<string, T>, limit: number, age: (value: T) => number): Record<string, T> {
  const entries = Object.entries(record);
  if (entries.length <= limit) return record;
  return Object.fromEntries(entries.sort((a, b) => age(b[1]) - age(a[1])).slice(0, limit));
}

/** Every place that no longer alerts, with the reason, most often changed first. */
export function listLearned(memory: NoiseMemory): Learned[] {
  const learned: Learned[] = [];
  for (const [place, slots] of Object.entries(memory.slots)) {
    const proved = slots.filter((slot) => isProved(slot, slot.value === "*", memory));
    if (proved.length === 0 || memory.kept.includes(place)) continue;
    learned.push({
      place,
      why: proved.some((slot) => slot.twin) ? "twin" : "history",
      times: Math.max(...proved.map((slot) => slot.changes)),
      samples: proved.map((slot) => slot.sample).slice(0, 3),
    });
  }
  const flipping = new Map<string, Learned>();
  for (const piece of Object.values(memory.pieces)) {
    if (piece.flips < 2 || memory.kept.includes(piece.place)) continue;
    const entry = flipping.get(piece.place) ?? {
      place: piece.place,
      why: piece.twin ? "twin" : "alternating",
      times: 0,
      samples: [],
    };
    entry.times = Math.max(entry.times, piece.flips);
    if (entry.samples.length < 3) entry.samples.push(piece.sample);
    flipping.set(piece.place, entry);
  }
  learned.push(
    ...[...flipping.values()].filter((entry) => !learned.some((other) => other.place === entry.place)),
  );
  return learned.sort((a, b) => b.times - a.times || (a.place < b.place ? -1 : 1));
}

/** What is known of the noise alone: what came or went once must not hide the change in which it did. */
export function lookBack(memory: NoiseMemory): NoiseMemory {
  const pieces = Object.fromEntries(Object.entries(memory.pieces).filter(([, { flips }]) => flips >= 2));
  return { ...memory, pieces, seen: {} };
}

/** Forgets a place and never masks it again. */
export function unlearn(memory: NoiseMemory, place: string): NoiseMemory {
  const { [place]: _dropped, ...slots } = memory.slots;
  const pieces = Object.fromEntries(
    Object.entries(memory.pieces).filter(([, piece]) => piece.place !== place),
  );
  return {
    ...memory,
    slots,
    pieces,
    kept: memory.kept.includes(place) ? memory.kept : [...memory.kept, place],
  };
}

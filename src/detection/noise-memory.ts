import { hash } from "./noise/hash.ts";
import { newest, own } from "./noise/record.ts";
import { fits, type Shape, shapeOf, widen } from "./noise/shape.ts";
import type { Box, Ignored } from "./verdict.ts";

/** What the user wants of a place that keeps changing. */
export type Answer = "keepTelling" | "daily" | "noise";

/** When a place was told of (numbers of checks, oldest first), and what its words looked like. */
export type Habit = { checks: number[]; shape: Shape; asked?: true };

/**
 * What a job knows about its page. Plain data; keep it beside the job and hand it back next time. Visible words are
 * noise only by proof: two captures of one moment that differ there, or the user's word.
 */
export type NoiseMemory = {
  version: 1;
  /** Comparisons learned from, those of two captures of one moment included. */
  captures: number;
  /** Checks made, those that found nothing included. */
  checks: number;
  /** Pieces that only one of two captures of one moment showed, and items that alarmed, by a hash of what they say. */
  pieces: Record<string, Piece>;
  /** Places that two captures of one moment filled differently, by where they stand. */
  slots: Record<string, Slot[]>;
  /** Script hosts, script shapes and the like that were there once, with the capture they were last seen in. */
  seen: Record<string, number>;
  /** Parts of the picture that two captures of one moment drew differently. */
  boxes: Box[];
  /** Places that were told of at one of the last checks. */
  told: Record<string, Habit>;
  /** What came or went lately outside the main content and was told of, by a hash of it, with the check. */
  turns: Record<string, number>;
  /** What the user answered about places that keep changing. */
  answers: Record<string, Answer>;
  /** Places the user wants to hear about, whatever was learned or recognised. */
  kept: string[];
  /** Only while the past is told again: what the check of that day took for noise it had learned (`withKnown`). */
  known?: ReadonlySet<string>;
};

/** `twin`: only one of two captures of one moment showed it. `flips`: how often an item alarmed. */
type Piece = { place: string; sample: string; flips: number; last: number; twin?: boolean };
type Slot = {
  value: string;
  /** What the other capture of the same moment held: either may be the one that is kept. */
  other?: string;
  sample: string;
  changes: number;
  last: number;
  twin: boolean;
  shape: Shape;
};

/** One observed difference in a place; null where nothing stood or stands. */
export type Observation = {
  place: string;
  before: string | null;
  after: string | null;
  frame: boolean;
  /** The part of the frame around the content that the place belongs to. */
  part?: string;
};

export type Learned = {
  place: string;
  /** Two captures of one moment differed there, or the user said so. */
  why: "twin" | "said";
  times: number;
  samples: string[];
};

const MAX_PIECES = 1500;
const MAX_SLOTS = 400;
const MAX_SEEN = 1500;
const MAX_SAMPLE = 80;
/** Captures after which something that came once and went is news again. */
const FORGET_AFTER = 60;

export function emptyMemory(): NoiseMemory {
  return {
    version: 1,
    captures: 0,
    checks: 0,
    pieces: {},
    slots: {},
    seen: {},
    boxes: [],
    told: {},
    turns: {},
    answers: {},
    kept: [],
  };
}

/** A memory as it was kept, with what later versions added to it. */
export function openMemory(kept: Partial<NoiseMemory> | null): NoiseMemory {
  return { ...emptyMemory(), ...kept };
}

/** Why the memory takes a difference for noise, or null when it is news. */
export function recall(memory: NoiseMemory, seen: Observation): "learned" | "rule" | null {
  const { place, before, after, part } = seen;
  if (memory.kept.includes(place)) return null;
  if (answerFor(memory, place, part) === "noise" && fits(anyShape, after ?? before ?? "")) return "rule";
  return isVolatile(memory, seen) ||
    (isFlickering(memory, before) && isFlickering(memory, after)) ||
    memory.known?.has(keyOf(before, after))
    ? "learned"
    : null;
}

// A verdict keeps this much of what it ignored.
const KNOWN_LENGTH = 300;

function keyOf(before: string | null, after: string | null): string {
  return JSON.stringify([before?.slice(0, KNOWN_LENGTH) ?? null, after?.slice(0, KNOWN_LENGTH) ?? null]);
}

/**
 * The memory for telling again what a check of the past found. Second looks are not kept, so what they taught is known
 * only from what the check ignored.
 */
export function withKnown(memory: NoiseMemory, ignored: Ignored[]): NoiseMemory {
  const known = new Set<string>();
  for (const { place, before, after, why } of ignored) {
    if (why !== "learned" && why !== "alternating") continue;
    known.add(keyOf(before, after));
    // What stands behind the text is remembered with its kind before it.
    const named = (text: string | null) => text && `${place.split(" ", 1)[0]} ${text}`;
    known.add(keyOf(named(before), named(after)));
  }
  return { ...memory, known };
}

/** What the user said of a place, else of the part it belongs to. */
export function answerFor({ answers }: NoiseMemory, place: string, part?: string): Answer | undefined {
  return own(answers, place) ?? (part === undefined ? undefined : own(answers, part));
}

// The user's word covers whatever the place may say, but no defacement and no spam.
const anyShape: Shape = { minLength: 0, maxLength: Number.POSITIVE_INFINITY, kinds: "ldmueck" };

function isVolatile(memory: NoiseMemory, { place, before, after, frame }: Observation): boolean {
  const slots = twinsAt(memory, place);
  if (before !== null && after !== null) {
    const slot = slots[slotOf(slots, hash(before), hash(after))];
    return slot !== undefined && fits(slot.shape, after);
  }
  // In the frame a whole place may be known for items that come and go.
  return frame && slots.some((slot) => slot.value === "*" && fits(slot.shape, after ?? before ?? ""));
}

/** Whether a piece was there in one of two captures of one moment and not in the other. */
function isFlickering(memory: NoiseMemory, text: string | null): boolean {
  if (text === null) return true;
  const piece = memory.pieces[hash(text)];
  return piece?.twin === true && memory.captures - piece.last <= FORGET_AFTER;
}

/** The slot that held a value, or that two captures of this moment filled differently. */
function slotOf(slots: Slot[], from: string, to: string): number {
  const at = slots.findIndex((slot) => slot.value === from || slot.other === from);
  return at >= 0 ? at : slots.findIndex((slot) => slot.other !== undefined && slot.value === to);
}

function twinsAt(memory: NoiseMemory, place: string): Slot[] {
  return (own(memory.slots, place) ?? []).filter((slot) => slot.twin);
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
 * The memory after one more check. `items` were on either page, `alarmed` are those of them that were news: they
 * must come back once more before they are believed.
 */
export function learn(
  memory: NoiseMemory,
  observations: Observation[],
  items: string[],
  alarmed: string[] = [],
): NoiseMemory {
  const next = copy(memory);
  for (const { place, before, after } of observations) {
    if (before === null || after === null) continue;
    const slots = twinsAt(next, place);
    const at = slotOf(slots, hash(before), hash(after));
    const slot = slots[at];
    // What no longer fits was told, and a new value widens nothing: only a twin does.
    if (slot)
      next.slots[place] = slots.with(at, {
        ...slot,
        value: hash(after),
        sample: after.slice(0, MAX_SAMPLE),
        changes: slot.changes + 1,
        last: next.captures,
      });
  }
  return withItems(next, items, alarmed);
}

/** The memory after two captures of one moment: what differs between them changes by itself. */
export function learnFromTwin(
  memory: NoiseMemory,
  observations: Observation[],
  items: string[] = [],
  alarmed: string[] = [],
): NoiseMemory {
  const next = copy(memory);
  for (const { place, before, after, frame } of observations) {
    if (before !== null && after !== null) {
      // Both fill the place: its value varies, it does not come and go.
      addTwin(next, place, hash(before), hash(after), after, before);
      continue;
    }
    const text = after ?? before ?? "";
    next.pieces[hash(text)] = {
      place,
      sample: text.slice(0, MAX_SAMPLE),
      flips: (next.pieces[hash(text)]?.flips ?? 0) + 2,
      last: next.captures,
      twin: true,
    };
    if (frame) addTwin(next, place, "*", "*", text, text);
  }
  return withItems(next, items, alarmed);
}

/** Every part that a lesson writes to, copied; the memory that was handed in stays as it is. */
function copy(memory: NoiseMemory): NoiseMemory {
  return {
    ...memory,
    captures: memory.captures + 1,
    pieces: { ...memory.pieces },
    slots: { ...memory.slots },
    seen: { ...memory.seen },
  };
}

function addTwin(
  memory: NoiseMemory,
  place: string,
  from: string,
  to: string,
  text: string,
  before: string,
): void {
  const slots = twinsAt(memory, place);
  const at = slotOf(slots, from, to);
  const old = slots[at];
  const slot: Slot = {
    value: to,
    other: from,
    sample: text.slice(0, MAX_SAMPLE),
    changes: (old?.changes ?? 0) + 1,
    last: memory.captures,
    twin: true,
    shape: widen(old?.shape ?? shapeOf(before), shapeOf(text)),
  };
  memory.slots[place] = at < 0 ? [...slots, slot].slice(-12) : slots.with(at, slot);
}

function withItems(next: NoiseMemory, items: string[], alarmed: string[]): NoiseMemory {
  const { captures } = next;
  for (const item of alarmed) {
    const key = hash(item);
    const name = item.slice(0, MAX_SAMPLE);
    const flips = (next.pieces[key]?.flips ?? 0) + 1;
    next.pieces[key] = { place: name, sample: name, flips, last: captures };
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

/** Every place that no longer alerts, with the reason, most often changed first. */
export function listLearned(memory: NoiseMemory): Learned[] {
  const learned = new Map<string, Learned>();
  const add = (place: string, why: Learned["why"], times: number, sample: string) => {
    if (memory.kept.includes(place)) return;
    const entry = learned.get(place) ?? { place, why, times: 0, samples: [] };
    entry.times = Math.max(entry.times, times);
    if (sample !== "" && entry.samples.length < 3) entry.samples.push(sample);
    learned.set(place, entry);
  };
  for (const [place, answer] of Object.entries(memory.answers)) {
    if (answer === "noise") add(place, "said", 0, "");
  }
  for (const place of Object.keys(memory.slots)) {
    for (const slot of twinsAt(memory, place)) add(place, "twin", slot.changes, slot.sample);
  }
  for (const piece of Object.values(memory.pieces)) {
    if (piece.twin || piece.flips >= 2) add(piece.place, "twin", piece.flips, piece.sample);
  }
  return [...learned.values()].sort((a, b) => b.times - a.times || (a.place < b.place ? -1 : 1));
}

/** What is known of the noise alone: what came or went once must not hide the change in which it did. */
export function lookBack(memory: NoiseMemory): NoiseMemory {
  const pieces = Object.fromEntries(
    Object.entries(memory.pieces).filter(([, { flips, twin }]) => twin || flips >= 2),
  );
  return { ...memory, pieces, seen: {}, told: {}, turns: {} };
}

/** Forgets a place and never masks it again. */
export function unlearn(memory: NoiseMemory, place: string): NoiseMemory {
  const without = <T>(record: Record<string, T>) => {
    const { [place]: _dropped, ...rest } = record;
    return rest;
  };
  return {
    ...memory,
    slots: without(memory.slots),
    answers: without(memory.answers),
    pieces: Object.fromEntries(Object.entries(memory.pieces).filter(([, piece]) => piece.place !== place)),
    kept: memory.kept.includes(place) ? memory.kept : [...memory.kept, place],
  };
}

import { hash } from "./noise/hash.ts";
import { newest, own } from "./noise/record.ts";
import { addSaid, findSaid, followSaid, type Said } from "./noise/said.ts";
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
  boxes: KnownBox[];
  /** Places that were told of at one of the last checks. */
  told: Record<string, Habit>;
  /** What came or went lately outside the main content and was told of, by a hash of it, with the check. */
  turns: Record<string, number>;
  /** Parts of the frame whose new labels are pushed when the next check finds them as they are. */
  waiting: string[];
  /** What the user answered about places that keep changing. */
  answers: Record<string, Answer>;
  /** Places the user wants to hear about, whatever was learned or recognised. */
  kept: string[];
  /** Differences that the user called noise, by their names. */
  said: Record<string, Said>;
  /** Since when a place is answered for or kept. */
  dates: Record<string, string>;
  /** Error statuses with which the page was captured while no good page was known: its own answers. */
  ownErrors: number[];
  /** The error status that was told of since the last good page; null where that is still the answer. */
  toldStatus: number | null;
  /** Only while the past is told again: what the check of that day took for noise it had learned (`withKnown`). */
  known?: ReadonlySet<string>;
};

/** `kept`: the user wants to hear of it all the same. `said`: he called it noise. */
export type KnownBox = Box & { since?: string; kept?: true; said?: true };

/** `twin`: only one of two captures of one moment showed it. `flips`: how often an item alarmed. */
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
  /** What the other capture of the same moment held: either may be the one that is kept. */
  other?: string;
  sample: string;
  changes: number;
  last: number;
  twin: boolean;
  shape: Shape;
  since?: string;
};

/** One observed difference in a place; null where nothing stood or stands. */
export type Observation = {
  place: string;
  before: string | null;
  after: string | null;
  frame: boolean;
  /** Under no landmark, on a page whose main is elsewhere. */
  beside?: true;
  /** The part of the frame around the content that the place belongs to. */
  part?: string;
  /** Words for where one may go, around the content or unseen, and others there that nobody sees: no statement. */
  label?: "words" | "link";
};

export type Learned = {
  /** Set where the user called one difference noise, not all of the place. */
  id?: string;
  place: string;
  /** Two captures of one moment differed there, or the user said so. */
  why: "twin" | "said";
  times: number;
  samples: string[];
  since?: string;
};

/** Why a difference is no news: learned, said of its place, or said of itself (`id`); and since when. */
export type Recalled = { why: "learned" | "rule" | "said"; since?: string; id?: string };

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
    waiting: [],
    answers: {},
    kept: [],
    said: {},
    dates: {},
    ownErrors: [],
    toldStatus: null,
  };
}

/** A memory as it was kept, with what later versions added to it. */
export function openMemory(kept: Partial<NoiseMemory> | null): NoiseMemory {
  return { ...emptyMemory(), ...kept };
}

/**
 * Why the memory takes a difference for noise, or null when it is news. Of what may be an attack (`isGrave`) the user's
 * word covers just what it was said of.
 */
export function recall(memory: NoiseMemory, seen: Observation, isGrave = false): Recalled | null {
  const { place, before, after, part } = seen;
  const said = recallSaid(memory, seen, isGrave);
  if (said) return said;
  if (memory.kept.includes(place)) return null;
  if (!isGrave && answerFor(memory, place, part) === "noise" && fits(anyShape, after ?? before ?? ""))
    return { why: "rule", ...sinceOf(own(memory.dates, place) ?? own(memory.dates, part ?? place)) };
  const slot = volatileAt(memory, seen);
  if (slot) return { why: "learned", ...sinceOf(slot.since) };
  const [gone, come] = [before, after].map((text) => flickering(memory, text));
  if (gone !== undefined && come !== undefined)
    return { why: "learned", ...sinceOf(come?.since ?? gone?.since) };
  return memory.known?.has(keyOf(before, after)) ? { why: "learned" } : null;
}

/** Whether the user called a difference noise. */
export function recallSaid(memory: NoiseMemory, seen: Observation, isGrave = false): Recalled | null {
  const [id, said] = findSaid(memory.said, seen, isGrave) ?? [];
  return id !== undefined && said ? { why: "said", id, since: said.at } : null;
}

/** The memory after a check that saw these differences beside the page's own. */
export function followOn(memory: NoiseMemory, seen: Observation[]): NoiseMemory {
  return { ...memory, said: followSaid(memory.said, seen) };
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

const sinceOf = (since: string | undefined) => (since === undefined ? {} : { since });

/** What the user said of a place, else of the part it belongs to. */
export function answerFor({ answers }: NoiseMemory, place: string, part?: string): Answer | undefined {
  return own(answers, place) ?? (part === undefined ? undefined : own(answers, part));
}

// The user's word covers whatever the place may say, but no defacement and no spam.
const anyShape: Shape = { minLength: 0, maxLength: Number.POSITIVE_INFINITY, kinds: "ldmueck" };

function volatileAt(memory: NoiseMemory, { place, before, after, frame }: Observation): Slot | undefined {
  const slots = twinsAt(memory, place);
  if (before !== null && after !== null) {
    const slot = slots[slotOf(slots, hash(before), hash(after))];
    return slot && fits(slot.shape, after) ? slot : undefined;
  }
  // In the frame a whole place may be known for items that come and go.
  if (!frame) return undefined;
  return slots.find((slot) => slot.value === "*" && fits(slot.shape, after ?? before ?? ""));
}

/** A piece that was there in one of two captures of one moment and not in the other; null for no piece at all. */
function flickering(memory: NoiseMemory, text: string | null): Piece | null | undefined {
  if (text === null) return null;
  const piece = memory.pieces[hash(text)];
  return piece?.twin === true && memory.captures - piece.last <= FORGET_AFTER ? piece : undefined;
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
  next.said = followSaid(next.said, observations);
  return withItems(next, items, alarmed);
}

/** The memory after two captures of one moment: what differs between them changes by itself. */
export function learnFromTwin(
  memory: NoiseMemory,
  observations: Observation[],
  items: string[] = [],
  alarmed: string[] = [],
  at?: string,
): NoiseMemory {
  const next = copy(memory);
  for (const { place, before, after, frame } of observations) {
    if (before !== null && after !== null) {
      // Both fill the place: its value varies, it does not come and go.
      addTwin(next, place, hash(before), hash(after), after, before, at);
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
    if (frame) addTwin(next, place, "*", "*", text, text, at);
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
  since: string | undefined,
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
    ...sinceOf(old?.since ?? since),
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
  const add = (place: string, why: Learned["why"], times: number, sample: string, since?: string) => {
    if (memory.kept.includes(place)) return;
    const entry: Learned = learned.get(place) ?? { place, why, times: 0, samples: [], ...sinceOf(since) };
    entry.times = Math.max(entry.times, times);
    if (sample !== "" && entry.samples.length < 3) entry.samples.push(sample);
    learned.set(place, entry);
  };
  for (const [place, answer] of Object.entries(memory.answers)) {
    if (answer === "noise") add(place, "said", 0, "", own(memory.dates, place));
  }
  for (const place of Object.keys(memory.slots)) {
    for (const slot of twinsAt(memory, place)) add(place, "twin", slot.changes, slot.sample, slot.since);
  }
  for (const piece of Object.values(memory.pieces)) {
    if (piece.twin || piece.flips >= 2) add(piece.place, "twin", piece.flips, piece.sample, piece.since);
  }
  for (const { x, y, width, height, since, kept, said } of memory.boxes) {
    const why = said ? "said" : "twin";
    if (!kept) add(placeOfBox({ x, y }), why, 0, `${width} × ${height} pixels`, since);
  }
  const places = [...learned.values()].sort((a, b) => b.times - a.times || (a.place < b.place ? -1 : 1));
  return [...listSaid(memory), ...places];
}

/** What the user called noise, the newest first. */
function listSaid({ said }: NoiseMemory): Learned[] {
  return Object.entries(said)
    .map(([id, { place, before, after, at }]): Learned => {
      const samples = [before, after].filter((text) => text !== null);
      return { id, place, why: "said", times: 0, samples, since: at };
    })
    .reverse();
}

/** A part of the picture as the memory names it. */
export function placeOfBox({ x, y }: Pick<Box, "x" | "y">): string {
  return `picture ${x}, ${y}`;
}

/** The memory once the user has called a difference noise. */
export function sayNoise(memory: NoiseMemory, seen: Observation, at: string): NoiseMemory {
  return { ...memory, said: addSaid(memory.said, seen, at) };
}

/** Takes back what the user said: of one difference by its name, of a place by the place. */
export function takeBack(memory: NoiseMemory, { id, place }: { id?: string; place?: string }): NoiseMemory {
  const without = <T>(record: Record<string, T>, name: string | undefined) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
  return {
    ...memory,
    said: without(memory.said, id),
    answers: without(memory.answers, place),
    dates: without(memory.dates, place),
    kept: memory.kept.filter((kept) => kept !== place),
    boxes: memory.boxes.flatMap(({ kept, ...box }) => {
      if (placeOfBox(box) !== place) return [kept ? { ...box, kept } : box];
      return box.said ? [] : [box];
    }),
  };
}

/** What is known of the noise alone: what came or went once must not hide the change in which it did. */
export function lookBack(memory: NoiseMemory): NoiseMemory {
  const pieces = Object.fromEntries(
    Object.entries(memory.pieces).filter(([, { flips, twin }]) => twin || flips >= 2),
  );
  return { ...memory, pieces, seen: {}, told: {}, turns: {}, waiting: [] };
}

/** Forgets a place and never masks it again. */
export function unlearn(memory: NoiseMemory, place: string, at?: string): NoiseMemory {
  const without = <T>(record: Record<string, T>) => {
    const { [place]: _dropped, ...rest } = record;
    return rest;
  };
  return {
    ...memory,
    boxes: memory.boxes.map(({ said, ...box }) => {
      if (placeOfBox(box) === place) return { ...box, kept: true };
      return said ? { ...box, said } : box;
    }),
    dates: at === undefined ? without(memory.dates) : { ...memory.dates, [place]: at },
    slots: without(memory.slots),
    answers: without(memory.answers),
    pieces: Object.fromEntries(Object.entries(memory.pieces).filter(([, piece]) => piece.place !== place)),
    kept: memory.kept.includes(place) ? memory.kept : [...memory.kept, place],
  };
}

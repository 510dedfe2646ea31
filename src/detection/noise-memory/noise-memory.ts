import { decidedBy, isActive } from "../noise-rules/noise-rule.ts";
import type { Box, Ignored, NoiseReason } from "../verdict/verdict.ts";
import { isWithinMonth } from "./calendar.ts";
import {
  type Answer,
  addFeedback,
  findFeedback,
  noFeedback,
  type UserFeedback,
  updateFeedback,
} from "./feedback.ts";
import { type Habits, noHabits } from "./habits.ts";
import { hash } from "./hash.ts";
import {
  FORGET_AFTER,
  findFlickering,
  findVolatileSlot,
  type LearnedNoise,
  MAX_SAMPLE,
  nothingLearned,
  pairSlotsAt,
  sinceOf,
} from "./learned-noise.ts";
import type { Observation } from "./observation.ts";
import { own } from "./record.ts";
import { fits, type Shape } from "./shape.ts";

/**
 * What a job knows about its page, in three parts: what captures have shown, what the user said, what is usual. Plain
 * data, stored with the job and passed to the next comparison.
 */
export type NoiseMemory = { version: 1 } & LearnedNoise & UserFeedback & Habits;

export type Learned = {
  /** Set if the user marked one difference as noise, not the whole location. */
  id?: string;
  place: string;
  /** A capture and its confirmation differed there, or the user said so. */
  why: "twin" | "said";
  times: number;
  samples: string[];
  since?: string;
};

/** Why a difference is noise and since when: by its shape, learned, or by the user's feedback. */
type NoiseExplanation = Pick<Ignored, "why" | "since" | "said">;

export function emptyMemory(): NoiseMemory {
  return { version: 1, ...nothingLearned(), ...noFeedback(), ...noHabits() };
}

/** Completes a stored memory with the fields that later versions added. */
export function openMemory(stored: Partial<NoiseMemory> | null): NoiseMemory {
  return { ...emptyMemory(), ...stored };
}

/** Whether the user asked for alerts about a location although it looks like noise. A rule was set by the user. */
export function isWanted({ kept }: NoiseMemory, place: string, why: NoiseReason): boolean {
  return why !== "rule" && kept.includes(place);
}

/** Returns why a difference is noise, by its shape (`noise`) or by the memory, or null if it is news. */
export function explainNoise(
  memory: NoiseMemory,
  seen: Observation,
  noise: NoiseReason | null,
  askMemory: (memory: NoiseMemory, seen: Observation) => NoiseExplanation | null = recall,
): NoiseExplanation | null {
  return noise !== null && !isWanted(memory, seen.place, noise) ? { why: noise } : askMemory(memory, seen);
}

/**
 * Returns why the memory takes a difference for noise, or null if it is news. For a possible attack (`isGrave`), the
 * user's feedback covers only the exact difference that it was given for.
 */
export function recall(
  memory: NoiseMemory,
  observation: Observation,
  isGrave = false,
): NoiseExplanation | null {
  const { place, before, after, part } = observation;
  const feedback = recallFeedback(memory, observation, isGrave);
  if (feedback) return feedback;
  if (memory.kept.includes(place)) return null;
  if (!isGrave && findAnswer(memory, place, part) === "noise" && fits(anyShape, after ?? before ?? ""))
    return {
      why: decidedBy("rule.location"),
      ...sinceOf(own(memory.dates, place) ?? own(memory.dates, part ?? place)),
    };
  const slot = findVolatileSlot(memory, observation);
  if (slot) return { why: decidedBy("learned.value"), ...sinceOf(slot.since) };
  const [removedPiece, addedPiece] = [before, after].map((text) => findFlickering(memory, text));
  if (removedPiece !== undefined && addedPiece !== undefined)
    return { why: decidedBy("learned.piece"), ...sinceOf(addedPiece?.since ?? removedPiece?.since) };
  return memory.known?.has(keyOf(before, after)) ? { why: "learned" } : null;
}

/** Returns the user's feedback if it marks a difference as noise, else null. */
export function recallFeedback(
  memory: NoiseMemory,
  observation: Observation,
  isGrave = false,
): NoiseExplanation | null {
  const [id, feedback] = findFeedback(memory.said, observation, isGrave) ?? [];
  return id !== undefined && feedback
    ? { why: decidedBy("said.difference"), since: feedback.at, said: id }
    : null;
}

/** Updates the user's feedback with differences that a check saw besides the page's own. */
export function updateMemoryFeedback(memory: NoiseMemory, observations: Observation[]): NoiseMemory {
  return { ...memory, said: updateFeedback(memory.said, observations) };
}

// Characters that a verdict stores of an ignored difference.
const KNOWN_LENGTH = 300;

function keyOf(before: string | null, after: string | null): string {
  return JSON.stringify([before?.slice(0, KNOWN_LENGTH) ?? null, after?.slice(0, KNOWN_LENGTH) ?? null]);
}

/**
 * Returns the memory for replaying a past check. Confirmations aren't stored, so what they taught is known only from
 * what the check ignored.
 */
export function withReplayedNoise(memory: NoiseMemory, ignored: Ignored[]): NoiseMemory {
  const known = new Set<string>();
  for (const { place, before, after, why } of ignored) {
    if (why !== "learned" && why !== "alternating") continue;
    known.add(keyOf(before, after));
    // Differences behind the text are remembered with their kind as a prefix.
    const withKind = (text: string | null) => text && `${place.split(" ", 1)[0]} ${text}`;
    known.add(keyOf(withKind(before), withKind(after)));
  }
  return { ...memory, known };
}

/** Returns the user's answer for a location, else for the part it belongs to. */
export function findAnswer({ answers }: NoiseMemory, place: string, part?: string): Answer | undefined {
  return own(answers, place) ?? (part === undefined ? undefined : own(answers, part));
}

// The user's feedback covers any text at the location except defacement and spam.
const anyShape: Shape = { minLength: 0, maxLength: Number.POSITIVE_INFINITY, kinds: "ldmueck" };

/** Whether a script host, a form's target or a similar item was on the page lately, or was reported then. */
export function wasSeen(memory: NoiseMemory, item: string): boolean {
  if (memory.kept.includes(item.slice(0, MAX_SAMPLE))) return false;
  if (!isActive("alternating.source")) return false;
  const key = hash(item);
  const isRecent = (last: number | undefined) =>
    last !== undefined && (memory.captures - last <= FORGET_AFTER || isWithinMonth(memory, "captures", last));
  return isRecent(memory.seen[key]) || isRecent(memory.pieces[key]?.last);
}

/** Lists every location that no longer alerts, with the reason, the most frequently changed first. */
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
    for (const slot of pairSlotsAt(memory, place)) add(place, "twin", slot.changes, slot.sample, slot.since);
  }
  for (const piece of Object.values(memory.pieces)) {
    if (piece.twin || piece.flips >= 2) add(piece.place, "twin", piece.flips, piece.sample, piece.since);
  }
  for (const { x, y, width, height, since, kept, said } of memory.boxes) {
    const why = said ? "said" : "twin";
    if (!kept) add(nameBoxLocation({ x, y }), why, 0, `${width} × ${height} pixels`, since);
  }
  const places = [...learned.values()].sort((a, b) => b.times - a.times || (a.place < b.place ? -1 : 1));
  return [...listFeedback(memory), ...places];
}

/** Lists what the user marked as noise, the newest first. */
function listFeedback({ said }: NoiseMemory): Learned[] {
  return Object.entries(said)
    .map(([id, { place, before, after, at }]): Learned => {
      const samples = [before, after].filter((text) => text !== null);
      return { id, place, why: "said", times: 0, samples, since: at };
    })
    .reverse();
}

/** Returns the memory's name for a part of the picture. */
export function nameBoxLocation({ x, y }: Pick<Box, "x" | "y">): string {
  return `picture ${x}, ${y}`;
}

/** Records that the user marked differences as noise. */
export function addNoiseFeedback(memory: NoiseMemory, observations: Observation[], at: string): NoiseMemory {
  return { ...memory, said: addFeedback(memory.said, observations, at) };
}

function without<T>(record: Record<string, T>, name: string | undefined): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}

/** Withdraws the user's feedback: on one difference by its id, on a location by its name. */
export function takeBack(memory: NoiseMemory, { id, place }: { id?: string; place?: string }): NoiseMemory {
  return {
    ...memory,
    said: without(memory.said, id),
    answers: without(memory.answers, place),
    dates: without(memory.dates, place),
    kept: memory.kept.filter((kept) => kept !== place),
    boxes: memory.boxes.flatMap(({ kept, ...box }) => {
      if (nameBoxLocation(box) !== place) return [kept ? { ...box, kept } : box];
      return box.said ? [] : [box];
    }),
  };
}

/** Reduces the memory to known noise: what appeared or disappeared once must not hide the change that did it. */
export function keepKnownNoise(memory: NoiseMemory): NoiseMemory {
  const pieces = Object.fromEntries(
    Object.entries(memory.pieces).filter(([, { flips, twin }]) => twin || flips >= 2),
  );
  return { ...memory, pieces, seen: {}, told: {}, turns: {}, partial: 0, waiting: [] };
}

/** Forgets a location and never treats it as noise again. */
export function unlearn(memory: NoiseMemory, place: string, at?: string): NoiseMemory {
  return {
    ...memory,
    boxes: memory.boxes.map(({ said, ...box }) => {
      if (nameBoxLocation(box) === place) return { ...box, kept: true };
      return said ? { ...box, said } : box;
    }),
    dates: at === undefined ? without(memory.dates, place) : { ...memory.dates, [place]: at },
    slots: without(memory.slots, place),
    answers: without(memory.answers, place),
    pieces: Object.fromEntries(Object.entries(memory.pieces).filter(([, piece]) => piece.place !== place)),
    kept: memory.kept.includes(place) ? memory.kept : [...memory.kept, place],
  };
}

import { hash } from "./noise/hash.ts";
import { newest, own } from "./noise/record.ts";
import { fits, type Shape, shapeOf, widen } from "./noise/shape.ts";
import { type Answer, answerFor, type NoiseMemory, type Observation } from "./noise-memory.ts";
import type { Often } from "./verdict.ts";

// A place that changed at 3 of the last 5 checks changes often.
const WINDOW = 5;
const OFTEN = 3;
const MAX_TOLD = 1000;
const MAX_TURNS = 1000;

/** At how many of the last checks a place changed, the one at hand included. */
function timesOf(memory: NoiseMemory, place: string): number {
  const now = memory.checks + 1;
  return 1 + (own(memory.told, place)?.checks.filter((check) => now - check < WINDOW).length ?? 0);
}

/** Whether news is told in the feed and the digest only, for good or until the next check. */
export function isFolded(memory: NoiseMemory, seen: Observation): boolean {
  return isKnown(memory, seen) || waits(memory, seen);
}

/**
 * Whether the user asked for the digest, or news stands outside the main content and takes back what was told of
 * lately, or the place or the part of the frame it belongs to changes often and it says what is said there each time.
 */
function isKnown(memory: NoiseMemory, seen: Observation): boolean {
  const { place, part } = seen;
  const answer = answerFor(memory, place, part);
  if (isAsked(memory, seen)) return false;
  const usual = [place, ...(part === undefined ? [] : [part])].filter((name) => isUsual(memory, name, seen));
  if (answer === "daily") return usual.length > 0;
  return isAround(seen) && (isReturn(memory, seen) || usual.some((name) => timesOf(memory, name) >= OFTEN));
}

/** Whether news stands outside the main content. */
function isAround({ frame, beside }: Observation): boolean {
  return frame || beside === true;
}

function isAsked(memory: NoiseMemory, { place, part }: Observation): boolean {
  return answerFor(memory, place, part) === "keepTelling" || memory.kept.includes(place);
}

// A menu's own words; an address, money or a contact in it says something at once.
const plainWords: Shape = { minLength: 0, maxLength: 300, kinds: "ld" };

/** Whether news is a label of the frame: menus turn by themselves, so it is pushed if it stands at the next check. */
function waits(memory: NoiseMemory, seen: Observation): boolean {
  const { label, before, after } = seen;
  if (!label || isAsked(memory, seen) || isKnown(memory, seen)) return false;
  if (label === "link") return true;
  // What went was there before: only what came can be spam.
  return /^[ld]*$/.test(shapeOf(before ?? "").kinds) && (after === null || fits(plainWords, after));
}

/** Which parts of the frame hold news that waits for the next check. */
export function waitingParts(memory: NoiseMemory, news: Observation[]): string[] {
  return [...new Set(news.filter((seen) => waits(memory, seen)).map(partOf))];
}

/** Whether a part of the frame that waited says at this check what it said at the one before. */
export function stoodAgain(memory: NoiseMemory, news: Observation[]): boolean {
  const turned = new Set(news.map(partOf));
  return memory.waiting.some((part) => !turned.has(part));
}

function partOf({ place, part = place }: Observation): string {
  return part;
}

/** Whether the frame is again what it was before it was last told of: who was told what came knows what goes. */
function isReturn(memory: NoiseMemory, { place, part = place, before, after }: Observation): boolean {
  const isLate = (turn: string) =>
    memory.checks + 1 - (memory.turns[turn] ?? Number.NEGATIVE_INFINITY) < WINDOW;
  const isBack = (way: "came" | "went", text: string | null) =>
    text === null || isLate(turnOf(way, part, text));
  return isBack("came", before) && isBack("went", after);
}

function turnOf(way: "came" | "went", part: string, text: string): string {
  return hash(JSON.stringify([way, part, text]));
}

function isUsual(memory: NoiseMemory, name: string, { before, after }: Observation): boolean {
  const shape = own(memory.told, name)?.shape;
  return shape !== undefined && fits(shape, after ?? before ?? "");
}

/**
 * What changes often among the news and of which the user has not said what to do: places, and instead of several
 * that fold the part they belong to.
 */
export function oftenOf(memory: NoiseMemory, news: Observation[]): Often[] {
  const often = new Map<string, Often>();
  const add = (name: string, folded: boolean) => {
    const all = folded && (often.get(name)?.folded ?? true);
    const isNew = own(memory.told, name)?.asked !== true;
    often.set(name, { place: name, times: timesOf(memory, name), folded: all, isNew });
  };
  const folding = new Map<string, Set<string>>();
  for (const { place, part = "" } of news) folding.set(part, (folding.get(part) ?? new Set()).add(place));
  for (const seen of news) {
    const { place, part = "" } = seen;
    if (answerFor(memory, place, part) || memory.kept.includes(place)) continue;
    const folded = isKnown(memory, seen);
    const isPart = folded && timesOf(memory, part) >= OFTEN && (folding.get(part)?.size ?? 0) > 1;
    if (isPart) add(part, folded);
    else if (timesOf(memory, place) >= OFTEN) add(place, folded);
    else if (folded && timesOf(memory, part) >= OFTEN) add(part, folded);
  }
  return [...often.values()];
}

/** Counts one more check and the places that were news at it; those that `oftenOf` named are asked about. */
export function recordTold(memory: NoiseMemory, news: Observation[]): NoiseMemory {
  const check = memory.checks + 1;
  const told = { ...memory.told };
  const record = (name: string, text: string) => {
    const old = own(told, name);
    const shape = shapeOf(text);
    const isAsked = old?.asked === true || timesOf(memory, name) >= OFTEN;
    told[name] = {
      checks: [...(old?.checks.filter((at) => at !== check && check - at < WINDOW) ?? []), check],
      shape: old ? widen(old.shape, shape) : shape,
      ...(isAsked ? { asked: true } : {}),
    };
  };
  const turns = { ...memory.turns };
  for (const seen of news) {
    const { place, part, before, after } = seen;
    const frame = isAround(seen);
    if (frame && after !== null) turns[turnOf("came", part ?? place, after)] = check;
    if (frame && before !== null) turns[turnOf("went", part ?? place, before)] = check;
    record(place, after ?? before ?? "");
    if (part !== undefined && part !== place) record(part, after ?? before ?? "");
  }
  return {
    ...memory,
    checks: check,
    told: newest(told, MAX_TOLD, ({ checks }) => checks.at(-1) ?? 0),
    turns: newest(turns, MAX_TURNS, (at) => at),
  };
}

/** The memory after a check that found the page as it was, so that nothing had to be compared. */
export function countCheck(memory: NoiseMemory): NoiseMemory {
  return { ...memory, checks: memory.checks + 1, waiting: [] };
}

/** The memory once the user has said what to do about a place that keeps changing. */
export function answerOften(memory: NoiseMemory, place: string, answer: Answer, at?: string): NoiseMemory {
  const kept = memory.kept.filter((other) => other !== place);
  const dates = at === undefined ? memory.dates : { ...memory.dates, [place]: at };
  return { ...memory, answers: { ...memory.answers, [place]: answer }, kept, dates };
}

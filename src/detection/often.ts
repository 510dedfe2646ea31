import { newest, own } from "./noise/record.ts";
import { fits, shapeOf, widen } from "./noise/shape.ts";
import type { Answer, NoiseMemory, Observation } from "./noise-memory.ts";
import type { Often } from "./verdict.ts";

// A place that changed at 3 of the last 5 checks changes often.
const WINDOW = 5;
const OFTEN = 3;
const MAX_TOLD = 1000;

/** At how many of the last checks a place changed, the one at hand included. */
function timesOf(memory: NoiseMemory, place: string): number {
  const now = memory.checks + 1;
  return 1 + (own(memory.told, place)?.checks.filter((check) => now - check < WINDOW).length ?? 0);
}

/**
 * Whether news is told in the feed and the digest only: the user asked for that, or the place stands outside the
 * main content, changes often, and says the kind of thing that it says each time.
 */
export function isFolded(memory: NoiseMemory, { place, before, after, frame }: Observation): boolean {
  const answer = own(memory.answers, place);
  if (answer === "keepTelling" || memory.kept.includes(place)) return false;
  const shape = own(memory.told, place)?.shape;
  const isUsual = shape !== undefined && fits(shape, after ?? before ?? "");
  if (answer === "daily") return isUsual;
  return frame && isUsual && timesOf(memory, place) >= OFTEN;
}

/** The places among the news that change often and of which the user has not said what to do. */
export function oftenOf(memory: NoiseMemory, news: Observation[]): Often[] {
  const often = new Map<string, Often>();
  for (const seen of news) {
    const { place } = seen;
    const times = timesOf(memory, place);
    if (times < OFTEN || own(memory.answers, place) || memory.kept.includes(place)) continue;
    const folded = isFolded(memory, seen) && (often.get(place)?.folded ?? true);
    often.set(place, { place, times, folded, isNew: own(memory.told, place)?.asked !== true });
  }
  return [...often.values()];
}

/** Counts one more check and the places that were news at it; those that `oftenOf` named are asked about. */
export function recordTold(memory: NoiseMemory, news: Observation[]): NoiseMemory {
  const check = memory.checks + 1;
  const told = { ...memory.told };
  for (const { place, before, after } of news) {
    const old = own(told, place);
    const shape = shapeOf(after ?? before ?? "");
    const isAsked = old?.asked === true || timesOf(memory, place) >= OFTEN;
    told[place] = {
      checks: [...(old?.checks.filter((at) => at !== check && check - at < WINDOW) ?? []), check],
      shape: old ? widen(old.shape, shape) : shape,
      ...(isAsked ? { asked: true } : {}),
    };
  }
  return { ...memory, checks: check, told: newest(told, MAX_TOLD, ({ checks }) => checks.at(-1) ?? 0) };
}

/** The memory after a check that found the page as it was, so that nothing had to be compared. */
export function countCheck(memory: NoiseMemory): NoiseMemory {
  return { ...memory, checks: memory.checks + 1 };
}

/** The memory once the user has said what to do about a place that keeps changing. */
export function answerOften(memory: NoiseMemory, place: string, answer: Answer): NoiseMemory {
  const kept = memory.kept.filter((other) => other !== place);
  return { ...memory, answers: { ...memory.answers, [place]: answer }, kept };
}

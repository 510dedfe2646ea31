import { isWithinMonth } from "../noise-memory/calendar.ts";
import { type Answer } from "../noise-memory/feedback.ts";
import { hash } from "../noise-memory/hash.ts";
import { findAnswer, type NoiseMemory } from "../noise-memory/noise-memory.ts";
import { type Observation } from "../noise-memory/observation.ts";
import { newest, own } from "../noise-memory/record.ts";
import { fits, type Shape, shapeOf, widen } from "../noise-memory/shape.ts";
import type { Often } from "../verdict/verdict.ts";

// A location that changed at 3 of the last 5 checks changes frequently.
const WINDOW = 5;
const FREQUENT = 3;
const MAX_REPORTED = 1000;
const MAX_TURNS = 2000;
// A version of a part that comes back within 30 days, or this many checks, is the one that was reported.
const REMEMBERED = 60;
// The user is asked about a part that went back to a known version this often at the last ten checks.
const FEWEST_RETURNS = 2;
const VARIANT_WINDOW = 10;
const MAX_VERSIONS = 8;

/** Counts at how many of the last checks a location changed, including the current one. */
function countChanges(memory: NoiseMemory, place: string): number {
  const now = memory.checks + 1;
  return 1 + (own(memory.told, place)?.checks.filter((check) => now - check < WINDOW).length ?? 0);
}

/** Whether news goes to the feed and the digest only, permanently or until the next check. */
export function isDigestOnly(memory: NoiseMemory, seen: Observation): boolean {
  return isRoutine(memory, seen) || isPending(memory, seen);
}

/**
 * Whether news is routine, for the digest only: the user asked for the digest, or it is outside the main content and
 * reverts a recently reported change, or its location or boilerplate part changes frequently to text like this.
 */
function isRoutine(memory: NoiseMemory, seen: Observation): boolean {
  const { place, part } = seen;
  const answer = findAnswer(memory, place, part);
  if (isAlertRequested(memory, seen)) return false;
  const usual = [place, ...(part === undefined ? [] : [part])].filter((name) => isUsual(memory, name, seen));
  if (answer === "daily") return usual.length > 0;
  if (isKnownVariant(memory, seen)) return true;
  return isOutsideMainContent(seen) && usual.some((name) => countChanges(memory, name) >= FREQUENT);
}

/**
 * Whether news only goes back to a version that was reported before. A state in the main content that people watch is
 * alerted each time; anything else is a known variant: a part that another server, a test or a half-loaded page shows.
 */
export function isKnownVariant(memory: NoiseMemory, seen: Observation): boolean {
  if (isAlertRequested(memory, seen)) return false;
  if (isOutsideMainContent(seen)) {
    // Exactly this difference was reported before.
    const isReturn = isReversion(memory, { ...seen, before: seen.after, after: seen.before }, REMEMBERED);
    return isReturn || isReversion(memory, seen, WINDOW);
  }
  // A version that lasted longer than that was the page, and what ends it is a change.
  return (
    (seen.large === true || seen.unseen === true) && isReversion(memory, seen, VARIANT_WINDOW, REMEMBERED)
  );
}

function isOutsideMainContent({ frame, beside }: Observation): boolean {
  return frame || beside === true;
}

export function isAlertRequested(memory: NoiseMemory, { place, part }: Observation): boolean {
  return findAnswer(memory, place, part) === "keepTelling" || memory.kept.includes(place);
}

// Plain words, as in menus. Text with a URL, money or a contact isn't pending: it is alerted at once.
const plainWords: Shape = { minLength: 0, maxLength: 300, kinds: "ld" };

/** Whether news is a boilerplate label: menus change by themselves, so the next check must still see it to alert. */
function isPending(memory: NoiseMemory, seen: Observation): boolean {
  const { label, before, after } = seen;
  if (!label || isAlertRequested(memory, seen) || isRoutine(memory, seen)) return false;
  if (label === "link") return true;
  // Removed text was there before, so only added text can be spam.
  return /^[ld]*$/.test(shapeOf(before ?? "").kinds) && (after === null || fits(plainWords, after));
}

/** Returns the boilerplate parts that contain pending news. */
export function listPendingParts(memory: NoiseMemory, news: Observation[]): string[] {
  return [...new Set(news.filter((seen) => isPending(memory, seen)).map(partOf))];
}

/** Whether a boilerplate part with pending news is unchanged since the previous check. */
export function isPendingStillPresent(memory: NoiseMemory, news: Observation[]): boolean {
  const changedParts = new Set(news.map(partOf));
  return memory.waiting.some((part) => !changedParts.has(part));
}

const partOf = ({ place, part = place }: Observation) => part;

/**
 * Whether news reverts a recently reported change: users who know what was added needn't hear that it was removed.
 * What it goes back from came within `lasted` checks, and what it goes back to went within `checks`.
 */
function isReversion(
  memory: NoiseMemory,
  { place, part = place, before, after }: Observation,
  lasted: number,
  checks = lasted,
): boolean {
  const came = before === null || wasTurned(memory, "came", part, before, lasted);
  return came && (after === null || wasTurned(memory, "went", part, after, checks));
}

/** Whether a text was reported as added or removed at one of the last checks. */
function wasTurned(
  memory: NoiseMemory,
  direction: "came" | "went",
  part: string,
  text: string,
  checks: number,
): boolean {
  const last = memory.turns[turnKey(direction, part, text)];
  if (last === undefined) return false;
  return (
    memory.checks + 1 - last < checks || (checks === REMEMBERED && isWithinMonth(memory, "checks", last))
  );
}

function turnKey(direction: "came" | "went", part: string, text: string): string {
  return hash(JSON.stringify([direction, part, text]));
}

function isUsual(memory: NoiseMemory, name: string, { before, after }: Observation): boolean {
  const shape = own(memory.told, name)?.shape;
  return shape !== undefined && fits(shape, after ?? before ?? "");
}

/**
 * Lists the frequently changing locations among the news that the user hasn't given feedback on. Several routine
 * changes in one part are listed as that part.
 */
export function listFrequentChanges(memory: NoiseMemory, news: Observation[]): Often[] {
  const frequent = new Map<string, Often>();
  const add = (name: string, isDigestOnlyHere: boolean) => {
    const all = isDigestOnlyHere && (frequent.get(name)?.folded ?? true);
    const isNew = own(memory.told, name)?.asked !== true;
    frequent.set(name, { place: name, times: countChanges(memory, name), folded: all, isNew });
  };
  const locationsByPart = new Map<string, Set<string>>();
  for (const { place, part = "" } of news)
    locationsByPart.set(part, (locationsByPart.get(part) ?? new Set()).add(place));
  for (const seen of news) {
    const { place, part = "" } = seen;
    if (findAnswer(memory, place, part) || memory.kept.includes(place)) continue;
    const routine = isRoutine(memory, seen);
    const isPart =
      routine && countChanges(memory, part) >= FREQUENT && (locationsByPart.get(part)?.size ?? 0) > 1;
    if (isPart) add(part, routine);
    else if (countChanges(memory, place) >= FREQUENT) add(place, routine);
    else if (routine && countChanges(memory, part) >= FREQUENT) add(part, routine);
  }
  const variant = describeVariant(memory, news);
  if (variant)
    frequent.set(variant.place, {
      ...variant,
      ...frequent.get(variant.place),
      alternates: variant.alternates,
    });
  return [...frequent.values()];
}

/** The first location of a large part that went back to a known version at least twice, for all of that part. */
function describeVariant(
  memory: NoiseMemory,
  news: Observation[],
): (Often & Required<Pick<Often, "alternates">>) | null {
  const seen = news.find((one) => one.large && isKnownVariant(memory, one));
  if (!seen || findAnswer(memory, seen.place, seen.part)) return null;
  const { versions = [], returns = [], asked } = own(memory.told, seen.place) ?? {};
  const times = 1 + returns.filter((check) => memory.checks + 1 - check < VARIANT_WINDOW).length;
  if (times < FEWEST_RETURNS) return null;
  const alternates = { versions: versions.length, times };
  const changed = countChanges(memory, seen.place);
  return { place: seen.place, times: changed, folded: true, isNew: asked !== true, alternates };
}

/** The versions of a part and the checks at which it went back to one, with what it shows now. */
function recordVersion(
  { versions = [], returns = [] }: { versions?: string[]; returns?: number[] },
  { before, after }: Observation,
  check: number,
): { versions: string[]; returns: number[] } {
  const [old, now] = [hash(before ?? ""), hash(after ?? "")];
  const isReturn = versions.includes(now);
  return {
    versions: [...new Set([...versions, old, now])].slice(-MAX_VERSIONS),
    returns: isReturn ? [...returns, check].slice(-VARIANT_WINDOW) : returns,
  };
}

/** Records one more check and the locations that were news at it; marks those that `listFrequentChanges` listed as asked about. */
export function recordReportedChanges(
  memory: NoiseMemory,
  news: Observation[],
  turned: Observation[] = news,
): NoiseMemory {
  const check = memory.checks + 1;
  const reported = { ...memory.told };
  const record = (name: string, text: string, variant?: Observation) => {
    const old = own(reported, name);
    const shape = shapeOf(text);
    const isAsked = old?.asked === true || countChanges(memory, name) >= FREQUENT;
    reported[name] = {
      checks: [...(old?.checks.filter((at) => at !== check && check - at < WINDOW) ?? []), check],
      shape: old ? widen(old.shape, shape) : shape,
      ...(isAsked || (variant && (old?.returns?.length ?? 0) >= FEWEST_RETURNS - 1) ? { asked: true } : {}),
      ...(variant ? recordVersion(old ?? {}, variant, check) : {}),
    };
  };
  const turns = { ...memory.turns };
  for (const { place, part = place, before, after } of turned) {
    if (after !== null) turns[turnKey("came", part, after)] = check;
    if (before !== null) turns[turnKey("went", part, before)] = check;
  }
  for (const seen of news) {
    const { place, part, before, after } = seen;
    record(place, after ?? before ?? "", seen.large ? seen : undefined);
    if (part !== undefined && part !== place) record(part, after ?? before ?? "");
  }
  return {
    ...memory,
    checks: check,
    told: newest(reported, MAX_REPORTED, ({ checks }) => checks.at(-1) ?? 0),
    turns: newest(turns, MAX_TURNS, (at) => at),
  };
}

/** Records a check that found the page unchanged, so that nothing had to be compared. */
export function recordUnchangedCheck(memory: NoiseMemory): NoiseMemory {
  return { ...memory, checks: memory.checks + 1, waiting: [] };
}

/** Records the user's answer about a location that changes frequently. */
export function answerOften(memory: NoiseMemory, place: string, answer: Answer, at?: string): NoiseMemory {
  const kept = memory.kept.filter((other) => other !== place);
  const dates = at === undefined ? memory.dates : { ...memory.dates, [place]: at };
  return { ...memory, answers: { ...memory.answers, [place]: answer }, kept, dates };
}

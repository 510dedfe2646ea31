import { Cron } from "croner";

/** Hours and days, or a cron line, in a time zone. */
export type Timetable = {
  zone: string;
  /** Monday first: the hours of each day in which checks are made, as often as the frequency says. */
  week?: number[][] | undefined;
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron?: string | undefined;
};

type Rhythm = {
  frequencyMinutes: number;
  /** The plan's least minutes between two checks. */
  minimumMinutes: number;
};

const minute = 60_000;
const quarter = 15 * minute;
const hour = 60 * minute;
const quartersAWeek = 7 * 24 * 4;
const day = 24 * hour;
const longestLook = 200;
const mostKept = 5_000;

/** The first check after `after`, the one before it, that is not in the past; null where none ever comes. */
export function nextRun(timetable: Timetable, rhythm: Rhythm, after: Date, now: Date): Date | null {
  return timetable.cron
    ? nextOfCron(timetable.cron, timetable.zone, rhythm, after, now)
    : nextOfWeek(timetable, rhythm, after, now);
}

/** The next checks from now on, as they would be made. */
export function nextRuns(timetable: Timetable, rhythm: Rhythm, now: Date, count: number): Date[] {
  const runs: Date[] = [];
  let last = now;
  while (runs.length < count) {
    const next = nextRun(timetable, rhythm, last, last);
    if (!next) break;
    runs.push(next);
    last = next;
  }
  return runs;
}

function nextOfCron(
  line: string,
  zone: string,
  { minimumMinutes }: Rhythm,
  after: Date,
  now: Date,
): Date | null {
  const cron = readCron(line, zone);
  const least = after.getTime() + minimumMinutes * minute;
  // One that comes too soon after the last is left out.
  const from = new Date(Math.max(least - 1, now.getTime()));
  return cron.nextRun(from);
}

function readCron(line: string, zone: string): Cron {
  return new Cron(line, { timezone: zone, mode: "5-part", paused: true });
}

function nextOfWeek(
  { zone, week = [] }: Timetable,
  { frequencyMinutes, minimumMinutes }: Rhythm,
  after: Date,
  now: Date,
): Date | null {
  const every = Math.max(frequencyMinutes, minimumMinutes) * minute;
  const steps = Math.max(1, Math.floor((now.getTime() - after.getTime()) / every) + 1);
  const wanted = after.getTime() + steps * every;
  const clock = localClock(zone);
  if (isOpen(week, clock, wanted, frequencyMinutes)) return new Date(wanted);
  // Every zone's hours begin at a quarter of ours.
  const first = Math.ceil(wanted / quarter) * quarter;
  for (let step = 0; step <= quartersAWeek; step++) {
    const at = first + step * quarter;
    if (isOpen(week, clock, at, frequencyMinutes)) return new Date(at);
  }
  return null;
}

/**
 * Whether an hour of the week is one of those. An hour that the clock jumps over is made up for by the one after it; one
 * that comes twice counts once, but for checks that are made several times an hour anyway.
 */
function isOpen(week: number[][], clock: Clock, at: number, frequencyMinutes: number): boolean {
  const here = clock(at);
  const jump = here - clock(at - hour) - hour;
  const isAgain = jump < 0 && clock(at + jump) === here;
  if (isAgain && frequencyMinutes >= 60) return false;
  return holds(week, here) || (jump >= hour && holds(week, here - hour));
}

function holds(week: number[][], local: number): boolean {
  const date = new Date(local);
  return week[(date.getUTCDay() + 6) % 7]?.includes(date.getUTCHours()) ?? false;
}

/** Whether checks are made at a moment; a cron line only says when they begin. */
export function isOpenAt({ zone, week }: Timetable, at: Date): boolean {
  return week === undefined || isOpen(week, localClock(zone), at.getTime(), 1);
}

/** What a clock on a wall shows at a moment, as milliseconds. */
type Clock = (at: number) => number;

const clocks = new Map<string, Clock>();
const offsets = new Map<string, number>();

function localClock(zone: string): Clock {
  const known = clocks.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const read: Clock = (at) => {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(at)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour: hours = 0, minute: minutes = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hours, minutes, second);
  };
  // To ask takes long, and on most days it is the same all day.
  const offsetOn = (date: number): number => {
    const key = `${zone} ${date}`;
    const kept = offsets.get(key);
    if (kept !== undefined) return kept;
    const offset = read(date * day) - date * day;
    if (offsets.size >= mostKept) offsets.clear();
    offsets.set(key, offset);
    return offset;
  };
  const clock: Clock = (at) => {
    const date = Math.floor(at / day);
    const offset = offsetOn(date);
    return offset === offsetOn(date + 1) ? at + offset : read(at) + (at % 1000);
  };
  clocks.set(zone, clock);
  return clock;
}

export function isSameTimetable(one: Timetable | null, other: Timetable | null): boolean {
  const said = (timetable: Timetable | null) =>
    timetable && JSON.stringify([timetable.zone, timetable.cron ?? null, timetable.week ?? null]);
  return said(one) === said(other);
}

type TimetableRefusal = { field: "zone" | "week" | "cron"; reason: string };

/** Why a timetable cannot be kept; null where it can. How often the plan allows is `tooOften`'s matter. */
export function refuseTimetable({ zone, week, cron }: Timetable, now: Date): TimetableRefusal | null {
  if (!isZone(zone)) return { field: "zone", reason: `“${zone}” is no time zone: one as Europe/Berlin.` };
  if (!cron) {
    const isEmpty = !week || week.every((hours) => hours.length === 0);
    return isEmpty ? { field: "week", reason: "Choose at least one hour." } : null;
  }
  if (week) return { field: "cron", reason: "Either hours of the week or a cron line." };
  try {
    if (readCron(cron, zone).nextRun(now)) return null;
    return { field: "cron", reason: `“${cron}” never comes.` };
  } catch {
    const reason = `“${cron}” is no cron line: minute, hour, day, month, weekday, as 0 9 * * 1-5.`;
    return { field: "cron", reason };
  }
}

/** The least minutes between two of the next runs of a cron line. */
export function leastGap({ zone, cron }: Timetable, now: Date): number {
  if (!cron) return Number.POSITIVE_INFINITY;
  const runs = readCron(cron, zone).nextRuns(longestLook, now);
  let least = Number.POSITIVE_INFINITY;
  for (let at = 1; at < runs.length; at++) {
    const [one, other] = [runs[at - 1], runs[at]];
    if (one && other) least = Math.min(least, (other.getTime() - one.getTime()) / minute);
  }
  return least;
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone.trim() !== "";
  } catch {
    return false;
  }
}

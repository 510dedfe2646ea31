import { Cron } from "croner";

/** When a job is checked: in hours of the week or by a cron expression, in a time zone. */
export type Timetable = {
  zone: string;
  /** Monday first: the hours of each day in which checks are made, at the job's frequency. */
  week?: number[][] | undefined;
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron?: string | undefined;
};

type Rhythm = {
  frequencyMinutes: number;
  /** The plan's minimum number of minutes between two checks. */
  minimumMinutes: number;
};

const minute = 60_000;
const quarter = 15 * minute;
const hour = 60 * minute;
const day = 24 * hour;
/** A week, and two days because whole days are searched from the day before. */
const quartersSearched = 9 * 24 * 4;
const maxRunsCompared = 200;
const maxCachedOffsets = 5_000;

/**
 * The first check after the last one (`after`) that is not in the past; null if there is none. If the timetable is new
 * (`isFirst`), the last check was not made by it.
 */
export function nextRun(
  timetable: Timetable,
  rhythm: Rhythm,
  after: Date,
  now: Date,
  isFirst = false,
): Date | null {
  return timetable.cron
    ? nextOfCron(timetable.cron, timetable.zone, rhythm, after, now)
    : nextOfWeek(timetable, rhythm, after, now, isFirst);
}

/** The next checks from now on, as they would run. */
export function nextRuns(timetable: Timetable, rhythm: Rhythm, now: Date, count: number): Date[] {
  const runs: Date[] = [];
  let last = now;
  while (runs.length < count) {
    const next = nextRun(timetable, rhythm, last, last, runs.length === 0);
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
  // A run that comes too soon after the last check is skipped.
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
  isFirst: boolean,
): Date | null {
  const every = Math.max(frequencyMinutes, minimumMinutes) * minute;
  const clock = localClock(zone);
  const isOpenAt = (at: number) => isOpen(week, clock, at, frequencyMinutes);
  if (every % day === 0) {
    // Whole days are days of the calendar: "once a day at 3" runs at 3, whenever the last check was.
    const days = isFirst ? 0 : every / day;
    const firstDay = Math.floor(clock(after.getTime()) / day) + days;
    const least = Math.max(after.getTime() + minimumMinutes * minute, now.getTime());
    const from = Math.max(least, after.getTime() + (days - 1) * day);
    return findQuarter(from, (at) => clock(at) >= firstDay * day && isOpenAt(at));
  }
  const steps = Math.max(1, Math.floor((now.getTime() - after.getTime()) / every) + 1);
  const wanted = after.getTime() + steps * every;
  return isOpenAt(wanted) ? new Date(wanted) : findQuarter(wanted, isOpenAt);
}

/** The first quarter of an hour that fits. In every time zone, hours begin at a quarter of an hour in UTC. */
function findQuarter(from: number, fits: (at: number) => boolean): Date | null {
  const first = Math.ceil(from / quarter) * quarter;
  for (let step = 0; step <= quartersSearched; step++) {
    const at = first + step * quarter;
    if (fits(at)) return new Date(at);
  }
  return null;
}

/**
 * Whether a moment is in one of the hours of the week. An hour that a clock change skips is replaced by the next hour;
 * an hour that comes twice counts once, except for checks that are made several times an hour anyway.
 */
function isOpen(week: number[][], clock: Clock, at: number, frequencyMinutes: number): boolean {
  const localTime = clock(at);
  const jump = localTime - clock(at - hour) - hour;
  const isRepeated = jump < 0 && clock(at + jump) === localTime;
  if (isRepeated && frequencyMinutes >= 60) return false;
  return includesHour(week, localTime) || (jump >= hour && includesHour(week, localTime - hour));
}

function includesHour(week: number[][], local: number): boolean {
  const date = new Date(local);
  return week[(date.getUTCDay() + 6) % 7]?.includes(date.getUTCHours()) ?? false;
}

/** Whether checks may run at a moment; a cron expression only says when they start, so then always. */
export function isWithinHours({ zone, week }: Timetable, at: Date): boolean {
  return week === undefined || isOpen(week, localClock(zone), at.getTime(), 1);
}

/** Converts a moment to local clock time, both in milliseconds. */
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
  // Formatting takes long, and on most days the offset is the same all day.
  const offsetOn = (date: number): number => {
    const key = `${zone} ${date}`;
    const cached = offsets.get(key);
    if (cached !== undefined) return cached;
    const offset = read(date * day) - date * day;
    if (offsets.size >= maxCachedOffsets) offsets.clear();
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
  const toKey = (timetable: Timetable | null) =>
    timetable && JSON.stringify([timetable.zone, timetable.cron ?? null, timetable.week ?? null]);
  return toKey(one) === toKey(other);
}

type TimetableRefusal = { field: "zone" | "week" | "cron"; reason: string };

/** Why a timetable is refused; null if it is valid. The plan's minimum interval is checked with `minimumGapMinutes` instead. */
export function refuseTimetable({ zone, week, cron }: Timetable, now: Date): TimetableRefusal | null {
  if (!isZone(zone))
    return { field: "zone", reason: `“${zone}” isn’t a time zone. Use one like Europe/Berlin.` };
  if (!cron) {
    const isEmpty = !week || week.every((hours) => hours.length === 0);
    return isEmpty ? { field: "week", reason: "Choose at least one hour." } : null;
  }
  if (week) return { field: "cron", reason: "Choose either hours of the week or a cron line." };
  const reason = `“${cron}” isn’t a cron line. Use minute, hour, day, month, weekday, like 0 9 * * 1-5.`;
  // The library also reads a single moment, such as 9999-12-31T23:59:59Z; only that has a colon.
  if (cron.includes(":")) return { field: "cron", reason };
  try {
    if (readCron(cron, zone).nextRun(now)) return null;
    return { field: "cron", reason: `“${cron}” never occurs.` };
  } catch {
    return { field: "cron", reason };
  }
}

/** The smallest number of minutes between two of the next runs of a cron expression. */
export function minimumGapMinutes({ zone, cron }: Timetable, now: Date): number {
  if (!cron) return Number.POSITIVE_INFINITY;
  const runs = readCron(cron, zone).nextRuns(maxRunsCompared, now);
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

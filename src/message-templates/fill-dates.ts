const placeholder = /\{\{\s*date:([^{}]*)\}\}/g;
const formatParts = /yyyy|yy|MM|M|dd|d|HH|H|mm|m|ss|s|[a-zA-Z]+/g;

/** A shift at the end of a placeholder, such as “, -1 day” or “, + 2 weeks”. */
const shiftPattern = /,\s*([+-])?\s*(\d{1,6})\s*(minute|hour|day|week|month|year)s?\s*$/;
const maxShift = 1_000;

type Shift = { amount: number; unit: "minute" | "hour" | "day" | "week" | "month" | "year" };
type Clock = Record<"year" | "month" | "day" | "hour" | "minute" | "second", string>;

const formatters: Record<string, (clock: Clock) => string> = {
  yyyy: ({ year }) => year,
  yy: ({ year }) => year.slice(-2),
  MM: ({ month }) => month,
  M: ({ month }) => String(Number(month)),
  dd: ({ day }) => day,
  d: ({ day }) => String(Number(day)),
  HH: ({ hour }) => hour,
  H: ({ hour }) => String(Number(hour)),
  mm: ({ minute }) => minute,
  m: ({ minute }) => String(Number(minute)),
  ss: ({ second }) => second,
  s: ({ second }) => String(Number(second)),
};

/** Replaces placeholders such as {{date:yyyy-MM-dd}} and {{date:MM, -1 month}} with the time of a check. */
export function fillDates(text: string, now: Date, zone = "UTC"): string {
  if (!text.includes("{{")) return text;
  return text.replace(placeholder, (_, inner: string) => fillDate(inner, now, zone));
}

/** What “yyyy-MM-dd, -1 day” is at a moment. */
export function fillDate(inner: string, now: Date, zone = "UTC"): string {
  const { format, shift } = readDate(inner);
  const clock = clockOf(now, zone, shift);
  return format.replace(formatParts, (part) => formatters[part]?.(clock) ?? part);
}

/** Says why a text's date placeholders can't be filled; null if they can. */
export function refuseDates(text: string): string | null {
  for (const [whole, inner = ""] of text.matchAll(placeholder)) {
    const { format, shift } = readDate(inner);
    const unknown = (format.match(formatParts) ?? []).find((part) => !Object.hasOwn(formatters, part));
    if (format.trim() === "") return `${whole} says no date: as {{date:yyyy-MM-dd}}.`;
    if (unknown)
      return `${whole} has “${unknown}”, which isn’t part of a date. You can use yyyy, MM, dd, HH, mm and ss, and a shift such as “, -1 day”.`;
    if (Math.abs(shift?.amount ?? 0) > maxShift) return `${whole} is shifted by more than ${maxShift}.`;
  }
  return null;
}

function readDate(inner: string): { format: string; shift: Shift | undefined } {
  const found = shiftPattern.exec(inner);
  if (!found) return { format: inner, shift: undefined };
  const [, sign, amount, unit] = found;
  return {
    format: inner.slice(0, found.index),
    shift: { amount: Number(amount) * (sign === "-" ? -1 : 1), unit: unit as Shift["unit"] },
  };
}

/** The clock of a zone, shifted: hours and minutes as time passes, longer units by the calendar of the zone. */
function clockOf(now: Date, timeZone: string, shift: Shift | undefined): Clock {
  const { amount, unit } = shift ?? { amount: 0, unit: "day" };
  const milliseconds = unit === "hour" ? 3_600_000 : unit === "minute" ? 60_000 : 0;
  const clock = readClock(new Date(now.getTime() + amount * milliseconds), timeZone);
  if (amount === 0 || milliseconds > 0) return clock;
  const months = unit === "month" ? amount : unit === "year" ? 12 * amount : 0;
  const days = unit === "day" ? amount : unit === "week" ? 7 * amount : 0;
  const [year, month, day] = [Number(clock.year), Number(clock.month) - 1 + months, Number(clock.day)];
  // A month before March 31 is the last day of February.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const date = new Date(Date.UTC(year, month, Math.min(day, lastDay) + days));
  return { ...clock, ...datePartsOf(date) };
}

const datePartsOf = (date: Date) => ({
  year: String(date.getUTCFullYear()),
  month: String(date.getUTCMonth() + 1).padStart(2, "0"),
  day: String(date.getUTCDate()).padStart(2, "0"),
});

function readClock(now: Date, timeZone: string): Clock {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value])) as Clock;
}

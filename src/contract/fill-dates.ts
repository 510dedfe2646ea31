const token = /\{\{\s*date:([^{}]*)\}\}/g;
const letters = /yyyy|yy|MM|M|dd|d|HH|H|mm|m|ss|s|[a-zA-Z]+/g;

type Clock = Record<"year" | "month" | "day" | "hour" | "minute" | "second", string>;

const written: Record<string, (clock: Clock) => string> = {
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

/** Puts the time of a check where {{date:yyyy-MM-dd}} stands. */
export function fillDates(text: string, now: Date, zone = "UTC"): string {
  if (!text.includes("{{")) return text;
  const clock = clockOf(now, zone);
  return text.replace(token, (_, format: string) =>
    format.replace(letters, (part) => written[part]?.(clock) ?? part),
  );
}

/** Why a text's dates cannot be filled in; null where they can. */
export function refuseDates(text: string): string | null {
  for (const [whole, format = ""] of text.matchAll(token)) {
    const unknown = (format.match(letters) ?? []).find((part) => !Object.hasOwn(written, part));
    if (format.trim() === "") return `${whole} says no date: as {{date:yyyy-MM-dd}}.`;
    if (unknown)
      return `${whole} has “${unknown}”, which is no part of a date: there are yyyy, MM, dd, HH, mm and ss.`;
  }
  return null;
}

function clockOf(now: Date, timeZone: string): Clock {
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

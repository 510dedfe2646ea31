const placeholder = /\{\{\s*date:([^{}]*)\}\}/g;
const formatParts = /yyyy|yy|MM|M|dd|d|HH|H|mm|m|ss|s|[a-zA-Z]+/g;

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

/** Replaces placeholders such as {{date:yyyy-MM-dd}} with the time of a check. */
export function fillDates(text: string, now: Date, zone = "UTC"): string {
  if (!text.includes("{{")) return text;
  const clock = clockOf(now, zone);
  return text.replace(placeholder, (_, format: string) =>
    format.replace(formatParts, (part) => formatters[part]?.(clock) ?? part),
  );
}

/** Says why a text's date placeholders can't be filled; null if they can. */
export function refuseDates(text: string): string | null {
  for (const [whole, format = ""] of text.matchAll(placeholder)) {
    const unknown = (format.match(formatParts) ?? []).find((part) => !Object.hasOwn(formatters, part));
    if (format.trim() === "") return `${whole} says no date: as {{date:yyyy-MM-dd}}.`;
    if (unknown)
      return `${whole} has “${unknown}”, which isn’t part of a date. You can use yyyy, MM, dd, HH, mm and ss.`;
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

import { monthsByName } from "../vocabularies/locale-words.ts";
import { weekday } from "./times.ts";

const DAY = 86_400_000;
const word = "\\p{L}{3,10}";
const date = new RegExp(
  `(?<![\\p{L}\\d])(?:(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})|(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4}|\\d{2})|(\\d{1,2})(?:st|nd|rd|th|\\.|er)?\\s+(?:de\\s+)?(${word})\\.?,?\\s+(?:de\\s+)?(\\d{4})|(${word})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4}))(?!\\d)`,
  "giu",
);
const clock =
  /(?<![\d.,:])([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d(?:[.,]\d{1,9})?)?(?![\d:])(?:\s*[ap]\.?m\b\.?)?/gi;
const shortWeekday = /\b(?:mon|tue|wed|thu|fri|sat|sun)(?=,)/gi;

/** Replaces the day and time at which a text was sent by marks; other dates stay as they are. */
export function maskNow(text: string, now: number): string {
  let isToday = false;
  const masked = text.replace(date, (match, ...groups: (string | undefined)[]) => {
    if (!daysOf(groups).some((day) => Math.abs(day - Math.floor(now / DAY)) <= 1)) return match;
    isToday = true;
    return "⟨today⟩";
  });
  if (!isToday) return text;
  // Time zones differ by whole or half hours, so comparing the minutes is enough.
  const minutes = Math.floor(now / 60_000) % 30;
  const withoutDay = masked.replace(weekday(), "⟨weekday⟩").replace(shortWeekday, "⟨weekday⟩");
  return withoutDay.replace(clock, (match, _hour, minute: string) => {
    const minutesLate = (((minutes - (Number(minute) % 30)) % 30) + 30) % 30;
    return minutesLate <= 10 || minutesLate >= 28 ? "⟨now⟩" : match;
  });
}

/** The days that a date may mean, counted since 1970: 3/4 is a day in March or one in April. */
function daysOf(groups: (string | undefined)[]): number[] {
  const [y1, m1, d1, a, b, y2, d3, name3, y3, name4, d4, y4] = groups;
  const day = (year = "", month = 0, dayOfMonth = "") =>
    Math.floor(Date.UTC(Number(year.length === 2 ? `20${year}` : year), month, Number(dayOfMonth)) / DAY);
  if (y1) return [day(y1, Number(m1) - 1, d1)];
  if (y2) return [day(y2, Number(b) - 1, a), day(y2, Number(a) - 1, b)];
  return y3 ? [day(y3, monthOf(name3), d3)] : [day(y4, monthOf(name4), d4)];
}

function monthOf(name = ""): number {
  return monthsByName().get(name.toLowerCase()) ?? Number.NaN;
}

import { monthsByName } from "../vocabularies/locale-words.ts";
import { clock, date, weekday } from "./times.ts";

const DAY = 86_400_000;
const shortWeekday = /\b(?:mon|tue|wed|thu|fri|sat|sun)(?=,)/gi;

/** Replaces the day and time at which a text was sent by marks; other dates stay as they are. */
export function maskNow(text: string, now: number): string {
  let isToday = false;
  const masked = text.replace(date(), (match) => {
    if (!daysOf(match).some((day) => Math.abs(day - Math.floor(now / DAY)) <= 1)) return match;
    isToday = true;
    return "⟨today⟩";
  });
  if (!isToday) return text;
  // Time zones differ by whole or half hours, so comparing the minutes is enough.
  const minutes = Math.floor(now / 60_000) % 30;
  const withoutDay = masked.replace(weekday(), "⟨weekday⟩").replace(shortWeekday, "⟨weekday⟩");
  return withoutDay.replace(clock, (match) => {
    const minute = Number(/\d\D+(\d\d)/.exec(match)?.[1] ?? 0);
    const minutesLate = (((minutes - (minute % 30)) % 30) + 30) % 30;
    return minutesLate <= 10 || minutesLate >= 28 ? "⟨now⟩" : match;
  });
}

/** The days that a date may mean, counted since 1970: 3/4 is a day in March or one in April. None without a year. */
function daysOf(text: string): number[] {
  const [first = "", second = "", third = ""] = text.match(/\d+/g) ?? [];
  const dayOf = (year: string, month: number, day: string) =>
    Math.floor(Date.UTC(Number(year.length === 2 ? `20${year}` : year), month, Number(day)) / DAY);
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  const month = words.map((word) => monthsByName().get(word)).find((found) => found !== undefined);
  if (month !== undefined) return second === "" ? [] : [dayOf(second, month, first)];
  if (first.length === 4) return [dayOf(first, Number(second) - 1, third)];
  return third === ""
    ? []
    : [dayOf(third, Number(second) - 1, first), dayOf(third, Number(first) - 1, second)];
}

import type { Timetable } from "#scheduling/timetable.ts";
import { isRecord, shorten } from "./draft.ts";

const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** Translates changedetection.io's hours of each weekday; half hours become whole ones. Null if there is no limit. */
export function readTimeLimit(limit: unknown, defaultZone: string, left: string[]): Timetable | null {
  if (!isRecord(limit) || limit.enabled !== true) return null;
  const week = days.map(() => new Set<number>());
  let isRounded = false;
  for (const [at, name] of days.entries()) {
    const day = limit[name];
    if (!isRecord(day) || day.enabled === false) continue;
    const [, hour = "0", minute = "0"] =
      /^(\d{1,2}):(\d{2})$/.exec(typeof day.start_time === "string" ? day.start_time : "") ?? [];
    const duration = isRecord(day.duration) ? day.duration : {};
    const from = Number(hour) * 60 + Number(minute);
    const end = from + (Number(duration.hours) || 0) * 60 + (Number(duration.minutes) || 0);
    if (from % 60 !== 0 || end % 60 !== 0) isRounded = true;
    // Hours after midnight belong to the next day.
    for (let h = Math.floor(from / 60); h * 60 < Math.min(end, from + 1_440); h++)
      week[(at + Math.floor(h / 24)) % 7]?.add(h % 24);
  }
  const zone = (typeof limit.timezone === "string" && limit.timezone.trim()) || defaultZone;
  if (isRounded) left.push("The hours of the schedule are rounded to whole hours.");
  if (week.every((hours) => hours.size === 0)) {
    left.push("The schedule has no hours, so it is left out.");
    return null;
  }
  if (!isZone(zone)) {
    left.push(`The schedule's time zone “${shorten(zone, 60)}” is not known: UTC is used.`);
    return { zone: "UTC", week: week.map(toList) };
  }
  return { zone, week: week.map(toList) };
}

const toList = (hours: Set<number>) => [...hours].toSorted((a, b) => a - b);

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

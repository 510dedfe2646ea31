import type { Pace } from "./pace.ts";
import { nextRun } from "./timetable.ts";

const rhythm = { frequencyMinutes: 60, minimumMinutes: 1 };
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const isQuiet = ({ from, to }: { from: number; to: number }, hour: number) =>
  from < to ? hour >= from && hour < to : hour >= from || hour < to;

/** When a message may be sent by a channel: now, with the hour's or the day's others, or after its quiet hours. */
export function momentFor(pace: Pace, severity: string, now: Date): Date {
  if (severity === "critical") return now;
  const { quiet, zone } = pace;
  const speed = severity === "important" ? pace.important : pace.notice;
  const next = (cron: string) => nextRun({ zone, cron }, rhythm, now, now) ?? now;
  const wanted =
    speed === "hourly" ? next("0 * * * *") : speed === "daily" ? next(`0 ${pace.dailyAt} * * *`) : now;
  if (!quiet || !isQuiet(quiet, hourIn(zone, wanted))) return wanted;
  const loud = hours.filter((hour) => !isQuiet(quiet, hour));
  const week = Array.from({ length: 7 }, () => loud);
  return nextRun({ zone, week }, { frequencyMinutes: 1, minimumMinutes: 1 }, wanted, wanted) ?? wanted;
}

function hourIn(zone: string, at: Date): number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", hour: "numeric" });
  return Number(format.format(at));
}

import type { Pace } from "#contract/delivery-schedule.ts";
import { nextRun } from "#scheduling/timetable.ts";

const rhythm = { frequencyMinutes: 60, minimumMinutes: 1 };
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const isQuiet = ({ from, to }: { from: number; to: number }, hour: number) =>
  from < to ? hour >= from && hour < to : hour >= from || hour < to;

/** When a channel may send a message: now, with the hourly or daily digest, or after its quiet hours. */
export function deliveryTimeFor(pace: Pace, severity: string, now: Date): Date {
  if (severity === "critical") return now;
  const { quiet, zone } = pace;
  const speed = severity === "important" ? pace.important : pace.notice;
  const next = (cron: string) => nextRun({ zone, cron }, rhythm, now, now) ?? now;
  const sendAt =
    speed === "hourly" ? next("0 * * * *") : speed === "daily" ? next(`0 ${pace.dailyAt} * * *`) : now;
  if (!quiet || !isQuiet(quiet, hourIn(zone, sendAt))) return sendAt;
  const allowedHours = hours.filter((hour) => !isQuiet(quiet, hour));
  const week = Array.from({ length: 7 }, () => allowedHours);
  return nextRun({ zone, week }, { frequencyMinutes: 1, minimumMinutes: 1 }, sendAt, sendAt) ?? sendAt;
}

function hourIn(zone: string, at: Date): number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", hour: "numeric" });
  return Number(format.format(at));
}

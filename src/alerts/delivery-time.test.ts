import { expect, test } from "vitest";
import type { Pace } from "#contract/delivery-schedule.ts";
import { deliveryTimeFor } from "./delivery-time.ts";

const pace: Pace = {
  important: "at-once",
  notice: "at-once",
  dailyAt: 8,
  quiet: null,
  zone: "Europe/Berlin",
};
const night = { from: 22, to: 7 };
const at = (time: string) => new Date(`2027-07-01T${time}:00Z`);

// Berlin is two hours ahead of UTC on this day.
test.for<[title: string, pace: Partial<Pace>, severity: string, now: string, expected: string]>([
  ["immediate delivery sends at once", {}, "notice", "10:20", "2027-07-01T10:20"],
  [
    "hourly delivery sends at the next full hour",
    { notice: "hourly" },
    "notice",
    "10:20",
    "2027-07-01T11:00",
  ],
  [
    "hourly delivery of one severity does not delay another",
    { notice: "hourly" },
    "important",
    "10:20",
    "2027-07-01T10:20",
  ],
  [
    "daily delivery sends at the daily hour of the next day",
    { important: "daily" },
    "important",
    "10:20",
    "2027-07-02T06:00",
  ],
  [
    "daily delivery sends on the same day if the daily hour is still to come",
    { important: "daily" },
    "important",
    "05:20",
    "2027-07-01T06:00",
  ],
  [
    "a critical alert is sent at once",
    { important: "daily", notice: "daily" },
    "critical",
    "10:20",
    "2027-07-01T10:20",
  ],
  [
    "a severity below notice follows the schedule of notices",
    { notice: "daily" },
    "info",
    "10:20",
    "2027-07-02T06:00",
  ],
  ["quiet hours delay an alert until they end", { quiet: night }, "notice", "21:10", "2027-07-02T05:00"],
  ["outside quiet hours an alert is sent at once", { quiet: night }, "notice", "19:59", "2027-07-01T19:59"],
  [
    "quiet hours within one day delay an alert until they end",
    { quiet: { from: 9, to: 17 } },
    "notice",
    "10:20",
    "2027-07-01T15:00",
  ],
  ["quiet hours do not delay a critical alert", { quiet: night }, "critical", "21:10", "2027-07-01T21:10"],
  [
    "an hourly digest that is due in quiet hours waits until they end",
    { notice: "hourly", quiet: night },
    "notice",
    "19:30",
    "2027-07-02T05:00",
  ],
  [
    "a daily digest that is due in quiet hours waits until they end",
    { notice: "daily", dailyAt: 6, quiet: night },
    "notice",
    "10:00",
    "2027-07-02T05:00",
  ],
])("%s", ([, part, severity, now, expected]) => {
  expect(
    deliveryTimeFor({ ...pace, ...part }, severity, at(now))
      .toISOString()
      .slice(0, 16),
  ).toBe(expected);
});

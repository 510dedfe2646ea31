import { expect, test } from "vitest";
import { momentFor } from "./moment-for.ts";
import type { Pace } from "./pace.ts";

const pace: Pace = {
  important: "at-once",
  notice: "at-once",
  dailyAt: 8,
  quiet: null,
  zone: "Europe/Berlin",
};
const night = { from: 22, to: 7 };
const at = (time: string) => new Date(`2027-07-01T${time}:00Z`);

// Berlin is two hours ahead.
test.for<[what: string, pace: Partial<Pace>, severity: string, now: string, then: string]>([
  ["at once", {}, "notice", "10:20", "2027-07-01T10:20"],
  ["hourly", { notice: "hourly" }, "notice", "10:20", "2027-07-01T11:00"],
  ["hourly, another severity", { notice: "hourly" }, "important", "10:20", "2027-07-01T10:20"],
  ["daily", { important: "daily" }, "important", "10:20", "2027-07-02T06:00"],
  ["daily, earlier that day", { important: "daily" }, "important", "05:20", "2027-07-01T06:00"],
  [
    "critical is told at once",
    { important: "daily", notice: "daily" },
    "critical",
    "10:20",
    "2027-07-01T10:20",
  ],
  ["what is less than a notice", { notice: "daily" }, "info", "10:20", "2027-07-02T06:00"],
  ["quiet hours are waited for", { quiet: night }, "notice", "21:10", "2027-07-02T05:00"],
  ["outside of them", { quiet: night }, "notice", "19:59", "2027-07-01T19:59"],
  ["within one day", { quiet: { from: 9, to: 17 } }, "notice", "10:20", "2027-07-01T15:00"],
  ["not by what is critical", { quiet: night }, "critical", "21:10", "2027-07-01T21:10"],
  [
    "the hour's others in a quiet hour",
    { notice: "hourly", quiet: night },
    "notice",
    "19:30",
    "2027-07-02T05:00",
  ],
  [
    "a daily message in a quiet hour",
    { notice: "daily", dailyAt: 6, quiet: night },
    "notice",
    "10:00",
    "2027-07-02T05:00",
  ],
])("%s", ([, part, severity, now, then]) => {
  expect(
    momentFor({ ...pace, ...part }, severity, at(now))
      .toISOString()
      .slice(0, 16),
  ).toBe(then);
});

import { expect, test } from "vitest";
import { leastGap, nextRun, nextRuns, refuseTimetable, type Timetable } from "./timetable.ts";

const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];
const hourly = { frequencyMinutes: 60, minimumMinutes: 5 };
const start = new Date("2027-01-01T00:00:00Z");
const end = new Date("2028-01-01T00:00:00Z");
const minute = 60_000;

/** Every run of a year. */
function year(timetable: Timetable, rhythm = hourly): Date[] {
  const runs: Date[] = [];
  for (let last = start; ; ) {
    const next = nextRun(timetable, rhythm, last, last);
    if (!next || next >= end) return runs;
    runs.push(next);
    last = next;
  }
}

const wall = (zone: string) => {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (run: Date) => format.format(run);
};
const gaps = (runs: Date[]) =>
  runs.slice(1).map((run, i) => (run.getTime() - (runs[i]?.getTime() ?? 0)) / minute);
const only = (hours: number[]) => Array.from({ length: 7 }, () => hours);
const all = Array.from({ length: 24 }, (_, i) => i);

test.for(zones)(
  "a year in %s: once a day by cron, also in the hour that is jumped over or comes twice",
  (zone) => {
    const shown = wall(zone);
    for (const line of ["0 2 * * *", "30 2 * * *", "15 1 * * *", "0 9 * * *"]) {
      const days = year({ zone, cron: line }).map((run) => shown(run).slice(0, 10));
      expect(new Set(days).size).toBe(days.length);
      expect(days.length).toBeGreaterThanOrEqual(364);
      expect(days.length).toBeLessThanOrEqual(366);
    }
  },
);

test.for(zones)("a year in %s: once a day by the grid", (zone) => {
  const shown = wall(zone);
  for (const hour of [1, 2, 3, 9, 23]) {
    const days = year({ zone, week: only([hour]) }).map((run) => shown(run).slice(0, 10));
    expect(new Set(days).size).toBe(days.length);
    expect(days.length).toBeGreaterThanOrEqual(364);
    expect(days.length).toBeLessThanOrEqual(366);
  }
});

test.for(zones)("a year in %s: the office's hours on weekdays, and no others", (zone) => {
  const office = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17];
  const week = [office, office, office, office, office, [], []];
  const runs = year({ zone, week }, { frequencyMinutes: 20, minimumMinutes: 20 });
  const shown = runs.map(wall(zone));
  expect(shown.every((time) => office.includes(Number(time.slice(11, 13))))).toBe(true);
  expect(shown.some((time) => [0, 6].includes(new Date(`${time.slice(0, 10)}T12:00Z`).getUTCDay()))).toBe(
    false,
  );
  expect(Math.min(...gaps(runs))).toBe(20);
  // 261 working days of thirty runs, a few of them at the year's edge.
  expect(runs.length).toBeGreaterThan(261 * 30 - 31);
  expect(runs.length).toBeLessThan(262 * 30 + 1);
});

test.for(zones)("a year in %s: no hour of the clock twice, and every one of them", (zone) => {
  const shown = year({ zone, week: only(all) }).map(wall(zone));
  expect(new Set(shown).size).toBe(shown.length);
  expect(shown.length).toBeGreaterThanOrEqual(8758);
  const often = year({ zone, week: only(all) }, { frequencyMinutes: 20, minimumMinutes: 20 });
  expect(new Set(gaps(often))).toEqual(new Set([20]));
});

test.for(zones)("a year in %s: the plan's least interval holds for every pair of runs", (zone) => {
  const rhythm = { frequencyMinutes: 60, minimumMinutes: 60 };
  for (const cron of ["*/7 * * * *", "0,59 * * * *", "58 23 * * *", "0 2,3 * * *"]) {
    const few = nextRuns({ zone, cron }, rhythm, new Date("2027-03-01T00:00:00Z"), 300);
    expect(Math.min(...gaps(few))).toBeGreaterThanOrEqual(60);
  }
  expect(Math.min(...gaps(year({ zone, week: only([1, 2, 9]) }, rhythm)))).toBeGreaterThanOrEqual(60);
});

test("what was missed is made up for once: the next is the first that is not past", () => {
  const timetable = { zone: "UTC", cron: "0 9 * * *" };
  const next = nextRun(timetable, hourly, new Date("2027-01-01T09:00Z"), new Date("2027-01-05T12:00Z"));
  expect(next?.toISOString()).toBe("2027-01-06T09:00:00.000Z");
  const week = { zone: "UTC", week: only([9, 10]) };
  const after = nextRun(week, hourly, new Date("2027-01-01T09:00Z"), new Date("2027-01-05T09:30Z"));
  expect(after?.toISOString()).toBe("2027-01-05T10:00:00.000Z");
});

test("what cannot be is said", () => {
  const refuse = (timetable: Timetable) => refuseTimetable(timetable, start);
  expect(refuse({ zone: "UTC", cron: "0 9 * * 1-5" })).toBeNull();
  expect(refuse({ zone: "UTC", week: only([9]) })).toBeNull();
  expect(refuse({ zone: "Moon/Tycho", cron: "0 9 * * *" })?.field).toBe("zone");
  expect(refuse({ zone: "UTC", cron: "0 0 31 2 *" })?.reason).toBe("“0 0 31 2 *” never comes.");
  for (const cron of ["9", "0 25 * * *", "* * * * * *", "every day", "0 9 * * 1-5 2027", "@@"])
    expect(refuse({ zone: "UTC", cron })?.reason).toContain("is no cron line");
  expect(refuse({ zone: "UTC", week: only([]) })).toEqual({
    field: "week",
    reason: "Choose at least one hour.",
  });
  expect(refuse({ zone: "UTC", week: only([9]), cron: "0 9 * * *" })?.field).toBe("cron");
  expect(leastGap({ zone: "UTC", cron: "*/7 * * * *" }, start)).toBe(4);
  expect(leastGap({ zone: "UTC", cron: "0 */2 * * *" }, start)).toBe(120);
});

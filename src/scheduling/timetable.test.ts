import { expect, test } from "vitest";
import { minimumGapMinutes, nextRun, nextRuns, refuseTimetable, type Timetable } from "./timetable.ts";

const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];
const hourly = { frequencyMinutes: 60, minimumMinutes: 5 };
const start = new Date("2027-01-01T00:00:00Z");
const end = new Date("2028-01-01T00:00:00Z");
const minute = 60_000;

/** Returns every run of a year. */
function runsOfYear(timetable: Timetable, rhythm = hourly): Date[] {
  const runs: Date[] = [];
  for (let last = start; ; ) {
    const next = nextRun(timetable, rhythm, last, last);
    if (!next || next >= end) return runs;
    runs.push(next);
    last = next;
  }
}

const localTimeIn = (zone: string) => {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (run: Date) => format.format(run);
};
const gaps = (runs: Date[]) =>
  runs.slice(1).map((run, i) => (run.getTime() - (runs[i]?.getTime() ?? 0)) / minute);
const everyDayAt = (hours: number[]) => Array.from({ length: 7 }, () => hours);
const allHours = Array.from({ length: 24 }, (_, i) => i);

test.for(zones)(
  "in a year in %s, a daily cron line runs once a day, even in an hour that is skipped or repeated",
  (zone) => {
    const shown = localTimeIn(zone);
    for (const line of ["0 2 * * *", "30 2 * * *", "15 1 * * *", "0 9 * * *"]) {
      const days = runsOfYear({ zone, cron: line }).map((run) => shown(run).slice(0, 10));
      expect(new Set(days).size).toBe(days.length);
      expect(days.length).toBeGreaterThanOrEqual(364);
      expect(days.length).toBeLessThanOrEqual(366);
    }
  },
);

test.for(zones)("in a year in %s, a timetable with one hour a day runs once a day", (zone) => {
  const shown = localTimeIn(zone);
  for (const hour of [1, 2, 3, 9, 23]) {
    const days = runsOfYear({ zone, week: everyDayAt([hour]) }).map((run) => shown(run).slice(0, 10));
    expect(new Set(days).size).toBe(days.length);
    expect(days.length).toBeGreaterThanOrEqual(364);
    expect(days.length).toBeLessThanOrEqual(366);
  }
});

test.for(zones)(
  "in a year in %s, a timetable with office hours on weekdays runs then and at no other time",
  (zone) => {
    const office = [8, 9, 10, 11, 12, 13, 14, 15, 16, 17];
    const week = [office, office, office, office, office, [], []];
    const runs = runsOfYear({ zone, week }, { frequencyMinutes: 20, minimumMinutes: 20 });
    const shown = runs.map(localTimeIn(zone));
    expect(shown.every((time) => office.includes(Number(time.slice(11, 13))))).toBe(true);
    expect(shown.some((time) => [0, 6].includes(new Date(`${time.slice(0, 10)}T12:00Z`).getUTCDay()))).toBe(
      false,
    );
    expect(Math.min(...gaps(runs))).toBe(20);
    // 261 working days of thirty runs each; a few runs may be missing at the edges of the year.
    expect(runs.length).toBeGreaterThan(261 * 30 - 31);
    expect(runs.length).toBeLessThan(262 * 30 + 1);
  },
);

test.for(zones)(
  "in a year in %s, a timetable with all hours runs exactly once at every local hour",
  (zone) => {
    const shown = runsOfYear({ zone, week: everyDayAt(allHours) }).map(localTimeIn(zone));
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.length).toBeGreaterThanOrEqual(8758);
    const frequentRuns = runsOfYear(
      { zone, week: everyDayAt(allHours) },
      { frequencyMinutes: 20, minimumMinutes: 20 },
    );
    expect(new Set(gaps(frequentRuns))).toEqual(new Set([20]));
  },
);

test.for(zones)("in a year in %s, no two runs are closer than the plan's minimum interval", (zone) => {
  const rhythm = { frequencyMinutes: 60, minimumMinutes: 60 };
  for (const cron of ["*/7 * * * *", "0,59 * * * *", "58 23 * * *", "0 2,3 * * *"]) {
    const runs = nextRuns({ zone, cron }, rhythm, new Date("2027-03-01T00:00:00Z"), 300);
    expect(Math.min(...gaps(runs))).toBeGreaterThanOrEqual(60);
  }
  expect(Math.min(...gaps(runsOfYear({ zone, week: everyDayAt([1, 2, 9]) }, rhythm)))).toBeGreaterThanOrEqual(
    60,
  );
});

test("after missed runs, the next run is the first one that isn't past", () => {
  const timetable = { zone: "UTC", cron: "0 9 * * *" };
  const next = nextRun(timetable, hourly, new Date("2027-01-01T09:00Z"), new Date("2027-01-05T12:00Z"));
  expect(next?.toISOString()).toBe("2027-01-06T09:00:00.000Z");
  const week = { zone: "UTC", week: everyDayAt([9, 10]) };
  const after = nextRun(week, hourly, new Date("2027-01-01T09:00Z"), new Date("2027-01-05T09:30Z"));
  expect(after?.toISOString()).toBe("2027-01-05T10:00:00.000Z");
});

test("once a day at 3, planned at 5:53 or just before 3, runs at the next 3 o'clock, and then each day", () => {
  const daily = { frequencyMinutes: 1440, minimumMinutes: 5 };
  const at3 = { zone: "Europe/Berlin", week: everyDayAt([3]) };
  const shown = (from: string, rhythm = daily) =>
    nextRuns(at3, rhythm, new Date(from), 3).map(localTimeIn(at3.zone));
  const tomorrow = ["2027-03-27 03:00", "2027-03-28 03:00", "2027-03-29 03:00"];
  expect(shown("2027-03-26T04:53:00Z")).toEqual(tomorrow);
  expect(shown("2027-03-27T01:40:00Z")).toEqual(tomorrow);
  // On the day on which the clock goes back, an elapsed day is an hour longer.
  expect(shown("2027-10-29T12:00:00Z")).toEqual(["2027-10-30 03:00", "2027-10-31 03:00", "2027-11-01 03:00"]);
  expect(shown("2027-06-01T12:00:00Z", { frequencyMinutes: 3 * 1440, minimumMinutes: 5 })).toEqual([
    "2027-06-02 03:00",
    "2027-06-05 03:00",
    "2027-06-08 03:00",
  ]);
  const weekly = { frequencyMinutes: 7 * 1440, minimumMinutes: 5 };
  expect(shown("2027-06-01T12:00:00Z", weekly).at(-1)).toBe("2027-06-16 03:00");
});

test("once a day in office hours runs on every weekday", () => {
  const office = [8, 9, 10, 11];
  const week = [office, office, office, office, office, [], []];
  const runs = nextRuns(
    { zone: "UTC", week },
    { frequencyMinutes: 1440, minimumMinutes: 5 },
    new Date("2027-06-03T09:50Z"),
    4,
  );
  expect(runs.map((run) => run.toISOString().slice(5, 16))).toEqual([
    "06-03T10:00",
    "06-04T08:00",
    "06-07T08:00",
    "06-08T08:00",
  ]);
});

test("an invalid timetable is refused with its field and a reason, and a valid one has a minimum gap", () => {
  const refuse = (timetable: Timetable) => refuseTimetable(timetable, start);
  expect(refuse({ zone: "UTC", cron: "0 9 * * 1-5" })).toBeNull();
  expect(refuse({ zone: "UTC", week: everyDayAt([9]) })).toBeNull();
  expect(refuse({ zone: "Moon/Tycho", cron: "0 9 * * *" })?.field).toBe("zone");
  expect(refuse({ zone: "UTC", cron: "0 0 31 2 *" })?.reason).toBe("“0 0 31 2 *” never occurs.");
  for (const cron of [
    "9",
    "0 25 * * *",
    "* * * * * *",
    "every day",
    "0 9 * * 1-5 2027",
    "@@",
    "9999-12-31T23:59:59.999Z",
  ])
    expect(refuse({ zone: "UTC", cron })?.reason).toContain("isn’t a cron line");
  expect(refuse({ zone: "UTC", week: everyDayAt([]) })).toEqual({
    field: "week",
    reason: "Choose at least one hour.",
  });
  expect(refuse({ zone: "UTC", week: everyDayAt([9]), cron: "0 9 * * *" })?.field).toBe("cron");
  expect(minimumGapMinutes({ zone: "UTC", cron: "*/7 * * * *" }, start)).toBe(4);
  expect(minimumGapMinutes({ zone: "UTC", cron: "0 */2 * * *" }, start)).toBe(120);
});

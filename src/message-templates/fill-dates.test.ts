import { expect, test } from "vitest";
import { parseEgressAllow } from "#network/address-rules/egress-allow.ts";
import { judgeUrl } from "#network/judge-url.ts";
import { fillDates, refuseDates } from "./fill-dates.ts";

const now = new Date("2027-03-04T22:05:09Z");

test.for<[text: string, filled: string, zone?: string]>([
  ["https://a.example/{{date:yyyy-MM-dd}}", "https://a.example/2027-03-04"],
  ["{{ date:yy/M/d H:m:s }}", "27/3/4 22:5:9 "],
  ["{{date:yyyyMMdd}}T{{date:HHmmss}}", "20270304T220509"],
  ["{{date:yyyy-MM-dd HH:mm}}", "2027-03-05 07:05", "Asia/Tokyo"],
  ["{{summary}} stays", "{{summary}} stays"],
  ["{{date:yyyy-MM-dd, -1 day}}", "2027-03-03"],
  ["{{date:yyyy-MM-dd,+2 days}}", "2027-03-06"],
  ["{{date: MM, 1 week }}", " 03"],
  // Yesterday by the clock of the job's zone, where it is already March 5.
  ["{{date:yyyy-MM-dd, -1 day}}", "2027-03-04", "Asia/Tokyo"],
  ["{{date:HH:mm, -23 hours}}", "23:05"],
  ["{{date:yyyy-MM-dd HH:mm, +115 minutes}}", "2027-03-05 00:00"],
  ["{{date:yyyy-MM, -3 months}}", "2026-12"],
  ["{{date:yyyy, - 1000 years}}", "1027"],
  ["{{date:yyyy-MM-dd, -1 year}} to {{date:yyyy-MM-dd}}", "2026-03-04 to 2027-03-04"],
])("%s is filled as %s", ([text, filled, zone]) => expect(fillDates(text, now, zone)).toBe(filled));

test("a date pattern that is not valid is refused with the reason", () => {
  expect(refuseDates("/{{date:yyyy-MM-dd}}?a={{date:HH}}")).toBeNull();
  expect(refuseDates("/{{date:YYYY}}")).toContain("“YYYY”, which isn’t part of a date");
  expect(refuseDates("/{{date:}}")).toContain("says no date");
  expect(refuseDates("/{{date:, -1 day}}")).toContain("says no date");
  expect(refuseDates("/{{date:yyyy, -1 day}}")).toBeNull();
  expect(refuseDates("/{{date:yyyy, -1 fortnight}}")).toContain("“fortnight”, which isn’t part of a date");
  expect(refuseDates("/{{date:yyyy, -1001 days}}")).toContain("shifted by more than 1000");
});

test.for<[now: string, text: string, filled: string, zone?: string]>([
  ["2027-03-31T12:00:00Z", "{{date:yyyy-MM-dd, -1 month}}", "2027-02-28"],
  ["2028-02-29T12:00:00Z", "{{date:yyyy-MM-dd, +1 year}}", "2029-02-28"],
  ["2027-01-01T00:30:00Z", "{{date:yyyy-MM-dd, -1 day}}", "2026-12-31"],
  // The night in which the clock goes forward has 23 hours: a day before is the same time of the day before.
  ["2027-03-28T22:30:00Z", "{{date:dd HH:mm, -1 day}}", "28 00:30", "Europe/Berlin"],
  ["2027-03-28T22:30:00Z", "{{date:dd HH:mm, -24 hours}}", "27 23:30", "Europe/Berlin"],
])("at %s %s is %s", ([at, text, filled, zone]) => {
  expect(fillDates(text, new Date(at), zone)).toBe(filled);
});

test.for([
  "http://a{{date:@10.0.0.1/}}x",
  "http://{{date:d}}@a.example/",
  "http://a.example{{date:.b@10.0.0.1}}/",
])("E3 %s has credentials as typed or as filled, which the guard refuses", (url) => {
  const allowNothing = parseEgressAllow("");
  for (const text of [url, fillDates(url, now)])
    expect(judgeUrl(text, allowNothing)).toMatchObject({ ok: false });
});

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
])("%s is filled as %s", ([text, filled, zone]) => expect(fillDates(text, now, zone)).toBe(filled));

test("a date pattern that is not valid is refused with the reason", () => {
  expect(refuseDates("/{{date:yyyy-MM-dd}}?a={{date:HH}}")).toBeNull();
  expect(refuseDates("/{{date:YYYY}}")).toContain("“YYYY”, which isn’t part of a date");
  expect(refuseDates("/{{date:}}")).toContain("says no date");
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

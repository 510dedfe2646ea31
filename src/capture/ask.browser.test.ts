import { afterAll, beforeAll, expect, test } from "vitest";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

let it: TestCapture;
beforeAll(async () => {
  it = await openCapture();
});
afterAll(() => it.close());

const ask = {
  method: "POST" as const,
  body: "q=lamps&day=2027-03-04",
  contentType: "application/x-www-form-urlencoded",
  headers: [
    ["user-agent", "Prices/1.0"],
    ["accept-language", "de-DE, de;q=0.8, *;q=0.1"],
  ] as [string, string][],
};

test("a form is sent, by whom and in which language its user says; what the page loads is asked for plainly, and its scripts see the same", async () => {
  const result = await it.capture("/echo-post", { ask });
  if (!result.ok || result.unchanged) throw new Error(JSON.stringify(result));
  expect(result.snapshot.text.map(({ text }) => text)).toEqual([
    "POST q=lamps&day=2027-03-04",
    "application/x-www-form-urlencoded",
    "Prices/1.0",
    "de-DE, de;q=0.8, *;q=0.1",
    "then GET Prices/1.0, Prices/1.0 de-DE de-DE,de",
  ]);
});

test("an API that takes JSON is asked once, by HTTP", async () => {
  const before = it.zoo.seen.length;
  const result = await it.capture("/echo-json", {
    ask: { ...ask, method: "PUT", body: '{"a":1}', contentType: "application/json" },
  });
  if (!result.ok || result.unchanged) throw new Error(JSON.stringify(result));
  expect(JSON.parse(result.snapshot.html)).toEqual({
    method: "PUT",
    body: '{"a":1}',
    type: "application/json",
  });
  expect(it.zoo.seen.length - before).toBe(1);
});

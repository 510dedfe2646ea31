import { afterAll, beforeAll, expect, test } from "vitest";
import type { CaptureRequest } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

let it: TestCapture;
beforeAll(async () => {
  it = await openCapture({ concurrency: 4 });
});
afterAll(() => it.close());

async function see(path: string, request: Partial<CaptureRequest> = {}) {
  const result = await it.capture(path, request);
  if (!result.ok || result.unchanged) throw new Error(`${path}: ${JSON.stringify(result)}`);
  return result;
}

async function words(path: string, request: Partial<CaptureRequest> = {}) {
  const { snapshot } = await see(path, request);
  return snapshot.text.map((block) => block.text);
}

test("text that comes up to five seconds after loading is seen, however it comes", async () => {
  const typed = "… piece piece piece piece";
  expect(await words("/late-text")).toEqual(["after 5 s", "after 2 + 2 s", "asked for, 4.5 s", typed, "…"]);
});

test("what comes later is seen by those who wait for seconds or for an element", async () => {
  const [bySeconds, byElement, plain] = await Promise.all([
    words("/very-late", { waitFor: { seconds: 7 } }),
    words("/very-late", { waitFor: { selector: ".there" } }),
    words("/very-late"),
  ]);
  expect([bySeconds, byElement, plain]).toEqual([["there"], ["there"], ["not yet"]]);
});

test("what is waited for must be a selector", async () => {
  const result = await it.capture("/calm", { waitFor: { selector: "p[" } });
  expect(result).toMatchObject({ ok: false, failure: { kind: "selector" } });
});

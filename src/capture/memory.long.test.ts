import sharp from "sharp";
import { afterEach, expect, test } from "vitest";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

const MiB = 1024 ** 2;
let testCapture: TestCapture;
const open = (maxBrowserBytes: number) =>
  openCapture(
    { concurrency: 2, maxPageBytes: 500 * MiB, maxBrowserBytes, watchdogMs: 160_000 },
    // These tests are about memory, so the time limits are generous.
    { loadMs: 4_000, quietMs: 2_000, totalMs: 150_000 },
  );
afterEach(() => testCapture.close());

test("B5 a page that fills the browser's own memory fails, and a concurrent capture succeeds", async () => {
  testCapture = await open(600 * MiB);
  // Waits for an element that never appears, so that the page can fill memory even on a slow machine.
  const waitForever = { waitFor: { selector: ".never" } };
  const [hostile, concurrent] = await Promise.all([
    testCapture.capture("/blobs", waitForever),
    testCapture.capture("/never-loads"),
  ]);
  expect(hostile).toMatchObject({ ok: false, failure: { kind: "crashed" } });
  expect(concurrent).toMatchObject({ ok: true, snapshot: { status: 200 } });
  expect(await testCapture.capture("/calm")).toMatchObject({ ok: true });
});

test("a page a hundred times as high as its picture is read completely and drawn within its memory limit", {
  timeout: 180_000,
}, async () => {
  testCapture = await open(900 * MiB);
  const result = await testCapture.capture("/register");
  if (!result.ok || result.unchanged) throw new Error(JSON.stringify(result));
  const { text: blocks, html, picture } = result.snapshot;
  expect(blocks.at(-1)?.text).toBe("The end");
  expect(blocks).toHaveLength(40_001);
  expect(html).toContain("<p>The end</p>");
  expect(html).not.toContain("below-picture");
  expect(picture).toMatchObject({ height: 16_000, isCut: true });
  const bottom = { left: 0, top: 15_900, width: 1280, height: 100 };
  const { channels } = await sharp(picture?.png).extract(bottom).stats();
  // There is black text on blue down to the last line.
  expect(channels[2]).toMatchObject({ min: 0, max: 255 });
});

import sharp from "sharp";
import { afterEach, expect, test } from "vitest";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

const MiB = 1024 ** 2;
let it: TestCapture;
const open = (maxBrowserBytes: number) =>
  openCapture(
    { concurrency: 2, maxPageBytes: 500 * MiB, maxBrowserBytes, watchdogMs: 160_000 },
    // Memory is looked at here: what else the machine does may take its time.
    { loadMs: 4_000, quietMs: 2_000, totalMs: 150_000 },
  );
afterEach(() => it.close());

test("B5 a page that fills the browser's own memory ends; the capture beside it is taken all the same", async () => {
  it = await open(600 * MiB);
  // Long enough for the page to fill memory on a slow machine: it waits for what never comes.
  const waits = { waitFor: { selector: ".never" } };
  const [hostile, beside] = await Promise.all([it.capture("/blobs", waits), it.capture("/never-loads")]);
  expect(hostile).toMatchObject({ ok: false, failure: { kind: "crashed" } });
  expect(beside).toMatchObject({ ok: true, snapshot: { status: 200 } });
  expect(await it.capture("/calm")).toMatchObject({ ok: true });
});

test("a page a hundred times as high as its picture is read whole and drawn within its memory", {
  timeout: 180_000,
}, async () => {
  it = await open(900 * MiB);
  const result = await it.capture("/register");
  if (!result.ok || result.unchanged) throw new Error(JSON.stringify(result));
  const { text: blocks, html, picture } = result.snapshot;
  expect(blocks.at(-1)?.text).toBe("The end");
  expect(blocks).toHaveLength(40_001);
  expect(html).toContain("<p>The end</p>");
  expect(html).not.toContain("below-picture");
  expect(picture).toMatchObject({ height: 16_000, isCut: true });
  const bottom = { left: 0, top: 15_900, width: 1280, height: 100 };
  const { channels } = await sharp(picture?.png).extract(bottom).stats();
  // Black on blue to the last line.
  expect(channels[2]).toMatchObject({ min: 0, max: 255 });
});

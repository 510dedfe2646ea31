import { afterAll, beforeAll, expect, test } from "vitest";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

const MiB = 1024 ** 2;
let it: TestCapture;
beforeAll(async () => {
  const memory = { maxPageBytes: 500 * MiB, maxBrowserBytes: 900 * MiB };
  it = await openCapture({ concurrency: 2, ...memory }, { loadMs: 4_000, quietMs: 2_000 });
});
afterAll(() => it.close());

test("B5 a page that fills the browser's own memory ends; the capture beside it is taken all the same", async () => {
  // Long enough for the page to fill memory on a slow machine: it waits for what never comes.
  const waits = { waitFor: { selector: ".never" } };
  const [hostile, beside] = await Promise.all([it.capture("/blobs", waits), it.capture("/never-loads")]);
  expect(hostile).toMatchObject({ ok: false, failure: { kind: "crashed" } });
  expect(beside).toMatchObject({ ok: true, snapshot: { status: 200 } });
  expect(await it.capture("/calm")).toMatchObject({ ok: true });
});

import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyRules, readRules } from "#detection/apply-rules.ts";
import type { CaptureRequest } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";
import { recordVideo } from "./testing/record-video.ts";

let it: TestCapture;
beforeAll(async () => {
  it = await openCapture();
  it.zoo.video = await it.pool.withOfflineTab(recordVideo);
});
afterAll(() => it.close());

async function see(path: string, request: Partial<CaptureRequest> = {}) {
  const result = await it.capture(path, request);
  if (!result.ok || result.unchanged) throw new Error(`${path}: ${JSON.stringify(result)}`);
  const { html, text, picture, body } = result.snapshot;
  return { html, text, body: Buffer.from(body), png: Buffer.from(picture?.png ?? []) };
}

test.for(["/calm", "/fonts", "/lazy", "/animation", "/carousel", "/video", "/framed"])(
  "two captures of %s are byte-equal",
  async (path) => {
    const [first, second] = [await see(path), await see(path)];
    const alone = await Promise.all([see(path), see("/calm")]);
    for (const other of [second, alone[0]]) {
      expect(other.html).toBe(first.html);
      expect(other.text).toEqual(first.text);
      expect(other.body.equals(first.body)).toBe(true);
      expect(other.png.equals(first.png)).toBe(true);
    }
  },
);

test("lazy images are loaded, those a script loads too", async () => {
  it.zoo.seen.length = 0;
  const { png } = await see("/lazy");
  const asked = it.zoo.seen.map((each) => each.path).filter((path) => path.startsWith("/slow.png"));
  expect(asked.sort()).toEqual(
    [...Array.from({ length: 6 }, (_, i) => `/slow.png?${i}`), "/slow.png?observed"].sort(),
  );
  const last = await sharp(png).extract({ left: 20, top: 9_030, width: 150, height: 60 }).stats();
  expect(last.dominant.r).toBeGreaterThan(240);
});

test("a late web font is waited for", async () => {
  it.zoo.seen.length = 0;
  await see("/fonts");
  expect(it.zoo.seen.map((each) => each.path)).toContain("/late.ttf");
});

test("what moves stands still after what it put off once by up to five seconds", async () => {
  expect((await see("/carousel")).text.map((block) => block.text)).toEqual(["2"]);
});

test("the text of frames is read where they stand, whosever site they are", async () => {
  const url = `${it.zoo.origin.replace("127.0.0.1", "www.site.test")}/framed`;
  const { text } = await see(url);
  const near = ["near soon", "spin"];
  const deep = ["Far", "deep soon", "spin"];
  expect(text.map((block) => block.text)).toEqual(["Before", ...near, ...deep, "Boxed", "After"]);
});

test("a frame that the job ignores goes with all that is in it", async () => {
  const result = await it.capture("/framed");
  if (!result.ok || result.unchanged) throw new Error(JSON.stringify(result));
  const { snapshot } = applyRules(result.snapshot, readRules({ selector: null, ignore: ["iframe"] }));
  expect(snapshot.text.map((block) => block.text)).toEqual(["Before", "After"]);
});

import sharp from "sharp";
import { expect, test } from "vitest";
import { drawBeforeAfter } from "./draw-before-after.ts";

/** A white page, with one colored band if given. */
function page(width: number, height: number, band?: { top: number; height: number; color: number }) {
  const data = Buffer.alloc(width * height * 4, 255);
  if (band) {
    for (let at = band.top * width * 4; at < (band.top + band.height) * width * 4; at += 4)
      data.set([band.color, 0, 0, 255], at);
  }
  return { width, height, data };
}

async function pixel(jpeg: Buffer, left: number, top: number): Promise<number[]> {
  const raw = await sharp(jpeg).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...raw];
}

test("shows both pictures scaled down at the location where they first differ", async () => {
  const jpeg = await drawBeforeAfter(
    page(1280, 9000),
    page(1280, 9000, { top: 7000, height: 1500, color: 200 }),
  );
  const { width, height, format } = await sharp(jpeg).metadata();
  expect([width, height, format]).toEqual([984, 376, "jpeg"]);
  expect(jpeg.length).toBeLessThan(200_000);
  const [before, after] = [await pixel(jpeg, 240, 300), await pixel(jpeg, 730, 300)];
  expect(before.every((value) => value > 245)).toBe(true);
  expect([(after[0] ?? 0) > 180, (after[1] ?? 255) < 30]).toEqual([true, true]);
});

test.each([
  ["a page that became shorter", page(1280, 5000), page(1280, 300)],
  ["a page that became longer", page(1280, 300), page(1280, 5000)],
  ["another width", page(1280, 800), page(400, 3000)],
  ["a tiny page", page(1, 1), page(3, 2)],
  ["no difference", page(1280, 3000), page(1280, 3000)],
])("draws %s", async (_, before, after) => {
  const { width, height } = await sharp(await drawBeforeAfter(before, after)).metadata();
  expect([width, height]).toEqual([984, 376]);
});

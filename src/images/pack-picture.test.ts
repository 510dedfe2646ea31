import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { decodePicture, hashPixels, packPicture, unpackPicture } from "./open-threads.ts";
import { encodePng } from "./pack-picture.ts";
import type { Pixels } from "./pixels.ts";

function noise(width: number, height: number, channels: 3 | 4, seed: number): Pixels {
  const data = new Uint8Array(width * height * channels);
  let state = seed | 1;
  for (let i = 0; i < data.length; i++) {
    state = Math.imul(state ^ (state >>> 13), 0x5bd1e995);
    data[i] = state >>> 24;
  }
  return { width, height, channels, data };
}

test("a picture without a predecessor is restored with the same pixels", async () => {
  const picture = noise(37, 23, 3, 5);
  expect(await unpackPicture([await packPicture(picture)])).toEqual(picture);
});

test("transparent pixels keep their color", async () => {
  const picture = noise(8, 8, 4, 9);
  for (let i = 3; i < picture.data.length; i += 8) picture.data[i] = 0;
  expect(await unpackPicture([await packPicture(picture)])).toEqual(picture);
});

test("an opaque RGBA file is stored as RGB and restored as the same picture", async () => {
  const picture = noise(16, 16, 3, 3);
  const rgba = await sharp(await encodePng(picture))
    .ensureAlpha()
    .png()
    .toBuffer();
  const read = await decodePicture(rgba);
  expect(await hashPixels(read)).toEqual(await hashPixels(picture));
  expect(await hashPixels(await decodePicture(await encodePng(read)))).toEqual(await hashPixels(picture));
});

test("a grayscale file becomes RGB", async () => {
  const grey = await sharp(noise(6, 6, 3, 2).data, { raw: { width: 6, height: 6, channels: 3 } })
    .greyscale()
    .png()
    .toBuffer();
  expect((await decodePicture(grey)).channels).toBe(3);
});

test("content that moves down costs only the inserted rows", async () => {
  const before = noise(64, 400, 3, 7);
  const banner = noise(64, 10, 3, 8);
  const data = new Uint8Array(banner.data.length + before.data.length);
  data.set(banner.data);
  data.set(before.data, banner.data.length);
  const after: Pixels = { width: 64, height: 410, channels: 3, data };
  const [first, second, alone] = [
    await packPicture(before),
    await packPicture(after, before),
    await packPicture(banner),
  ];
  expect(second.length).toBeLessThan(alone.length + 40);
  expect(await unpackPicture([second, first])).toEqual(after);
});

test("a few pixels changed in every row cost little", async () => {
  const before = noise(200, 200, 3, 11);
  const after = { ...before, data: before.data.slice() };
  for (let row = 0; row < 200; row++) after.data[row * 600] = (after.data[row * 600] ?? 0) + 1;
  const packed = await packPicture(after, before);
  expect(packed.length).toBeLessThan(1000);
  expect(await unpackPicture([packed, await packPicture(before)])).toEqual(after);
});

test("a picture taller than WebP allows is restored", async () => {
  const picture = noise(2, 16_400, 3, 1);
  expect(await unpackPicture([await packPicture(picture)])).toEqual(picture);
});

test("every picture of any chain of edits is restored exactly", async () => {
  const edit = fc.record({
    cut: fc.nat(60),
    rows: fc.nat(20),
    seed: fc.integer(),
    speckle: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), async (edits) => {
      const width = 12;
      const stride = width * 3;
      const pictures = [noise(width, 60, 3, 42)];
      for (const { cut, rows, seed, speckle } of edits) {
        const last = pictures.at(-1)?.data ?? new Uint8Array();
        const at = Math.min(cut * stride, last.length);
        const data = Buffer.concat([
          last.subarray(0, at),
          noise(width, rows, 3, seed).data,
          last.subarray(at + stride),
        ]);
        if (speckle) for (let i = 0; i < data.length; i += 97) data[i] = (data[i] ?? 0) ^ 1;
        pictures.push({ width, height: data.length / stride, channels: 3, data: new Uint8Array(data) });
      }
      const links: Uint8Array[] = [];
      for (const [i, picture] of pictures.entries()) {
        if (picture.height === 0) return;
        links.unshift(await packPicture(picture, pictures[i - 1]));
        expect(await hashPixels(await unpackPicture(links))).toEqual(await hashPixels(picture));
      }
    }),
    { numRuns: 40 },
  );
});

test("text is packed with zstd and a photograph with WebP, and both are restored", async () => {
  const lines = {
    width: 400,
    height: 300,
    channels: 3 as const,
    data: new Uint8Array(400 * 300 * 3).fill(255),
  };
  for (let row = 20; row < 300; row += 20) lines.data.fill(30, row * 1200 + 90, row * 1200 + 900);
  const photo = noise(400, 300, 3, 11);
  for (let i = 3; i < photo.data.length; i++)
    photo.data[i] = ((photo.data[i - 3] ?? 0) * 7 + (photo.data[i] ?? 0)) >> 3;
  const [text, picture] = [await packPicture(lines), await packPicture(photo)];
  expect([text[0], picture[0]]).toEqual([18, 16]);
  expect(await unpackPicture([text])).toEqual(lines);
  expect(await unpackPicture([picture])).toEqual(photo);
});

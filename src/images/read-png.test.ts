import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { readPlainPng, readPng } from "./read-png.ts";

const limit = 1_000_000;

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

type Drawn = { width: number; height: number; rows: Uint8Array };

function head({ width, height }: Drawn, form = [8, 2, 0, 0, 0]): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  return chunk("IHDR", Buffer.concat([size, Buffer.from(form)]));
}

const png = (...chunks: Buffer[]) => Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]);
const end = chunk("IEND", new Uint8Array());

/** A PNG file with two chunks of data; a browser writes many. */
function encodeFile(drawn: Drawn): Buffer {
  const data = deflateSync(drawn.rows);
  const half = data.length >> 1;
  return png(head(drawn), chunk("IDAT", data.subarray(0, half)), chunk("IDAT", data.subarray(half)), end);
}

const rows = (filters: number[], width: number, color: (at: number) => number): Uint8Array =>
  Uint8Array.from(
    filters.flatMap((filter, row) => [
      filter,
      ...Array.from({ length: width * 3 }, (_, at) => color(row * width * 3 + at)),
    ]),
  );

const drawing = fc
  .record({
    width: fc.constantFrom(4, 8, 12),
    filters: fc.array(fc.constantFrom(0, 2), { minLength: 1, maxLength: 9 }),
    blank: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
    colors: fc.uint8Array({ minLength: 1, maxLength: 40 }),
  })
  .map(({ width, filters, blank, colors }) => ({
    width,
    height: filters.length,
    rows: rows(filters, width, (at) =>
      blank[Math.floor(at / (width * 3))] ? 0 : (colors[at % colors.length] ?? 0),
    ),
  }));

test("readPlainPng reads any picture of plain rows as the library does", async () => {
  await fc.assert(
    fc.asyncProperty(drawing, async (drawn) => {
      const file = encodeFile(drawn);
      const read = readPlainPng(file, limit);
      expect(read).toMatchObject({ width: drawn.width, height: drawn.height, channels: 3 });
      expect(Buffer.from(read?.data ?? [])).toEqual(await sharp(file).raw().toBuffer());
    }),
  );
});

const plain: Drawn = { width: 4, height: 2, rows: rows([2, 2], 4, (at) => at * 9) };
const data = chunk("IDAT", deflateSync(plain.rows));

test.for([
  ["no PNG signature", Buffer.from("GIF89a")],
  ["no bytes", Buffer.alloc(0)],
  ["another filter", encodeFile({ ...plain, rows: rows([2, 4], 4, () => 1) })],
  ["a width that is no multiple of 4", encodeFile({ width: 5, height: 2, rows: rows([2, 2], 5, () => 1) })],
  ["too few rows", encodeFile({ ...plain, height: 3 })],
  ["too many rows", encodeFile({ ...plain, height: 1 })],
  ["no IHDR chunk", png(data, end)],
  ["a width of 0", encodeFile({ width: 0, height: 2, rows: Uint8Array.of(0, 0) })],
  ["two IHDR chunks", png(head(plain), head(plain), data, end)],
  ["a short IHDR chunk", png(chunk("IHDR", Buffer.from([8, 2, 0, 0, 0])), data, end)],
  ["an alpha channel", png(head(plain, [8, 6, 0, 0, 0]), data, end)],
  ["a palette", png(head(plain, [8, 3, 0, 0, 0]), data, end)],
  ["interlaced rows", png(head(plain, [8, 2, 0, 0, 1]), data, end)],
  ["a gamma chunk", png(head(plain), chunk("gAMA", Buffer.alloc(4)), data, end)],
  ["a missing end", encodeFile(plain).subarray(0, -20)],
  ["more pixels than allowed", encodeFile({ ...plain, width: 1000, height: 1001 })],
] as const)("readPlainPng leaves a file with %s to the library", ([, file]) => {
  expect(readPlainPng(file, limit)).toBeNull();
});

test("readPng reads a picture of any filter, width or transparency as the library does", async () => {
  const picture = fc.record({
    width: fc.integer({ min: 1, max: 9 }),
    filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 9 }),
    format: fc.constantFrom({ colorType: 2, channels: 3 }, { colorType: 6, channels: 4 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(picture, async ({ width, filters, format, bytes }) => {
      const { colorType, channels } = format;
      const stride = width * channels;
      const filtered = filters.flatMap((filter, row) => [
        filter,
        ...Array.from({ length: stride }, (_, at) => bytes[(row * stride + at) % bytes.length] ?? 0),
      ]);
      const drawn = { width, height: filters.length, rows: Uint8Array.from(filtered) };
      const file = png(
        head(drawn, [8, colorType, 0, 0, 0]),
        chunk("pHYs", Buffer.alloc(9)),
        chunk("IDAT", deflateSync(drawn.rows)),
        end,
      );
      const read = readPng(file, limit);
      expect(read).toMatchObject({ width, height: drawn.height, channels });
      expect(Buffer.from(read?.data ?? [])).toEqual(await sharp(file).raw().toBuffer());
    }),
  );
});

test.for([
  ["no PNG signature", Buffer.from("GIF89a")],
  ["an unknown filter", encodeFile({ ...plain, rows: rows([2, 5], 4, () => 1) })],
  ["too few rows", encodeFile({ ...plain, height: 3 })],
  ["too many rows", encodeFile({ ...plain, height: 1 })],
  ["a palette", png(head(plain, [8, 3, 0, 0, 0]), data, end)],
  ["interlaced rows", png(head(plain, [8, 2, 0, 0, 1]), data, end)],
  ["a cut end", encodeFile(plain).subarray(0, -1)],
  ["bytes after the end", Buffer.concat([encodeFile(plain), Buffer.from("x")])],
  ["more pixels than allowed", encodeFile({ ...plain, width: 1000, height: 1001 })],
] as const)("readPng returns null for a file with %s", ([, file]) => {
  expect(readPng(file, limit)).toBeNull();
});

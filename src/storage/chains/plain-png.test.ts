import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { readPlainPng } from "./plain-png.ts";

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

/** A file in two pieces of data, as a browser writes many. */
function written(drawn: Drawn): Buffer {
  const data = deflateSync(drawn.rows);
  const half = data.length >> 1;
  return png(head(drawn), chunk("IDAT", data.subarray(0, half)), chunk("IDAT", data.subarray(half)), end);
}

const rows = (filters: number[], width: number, colour: (at: number) => number): Uint8Array =>
  Uint8Array.from(
    filters.flatMap((filter, row) => [
      filter,
      ...Array.from({ length: width * 3 }, (_, at) => colour(row * width * 3 + at)),
    ]),
  );

const drawing = fc
  .record({
    width: fc.constantFrom(4, 8, 12),
    filters: fc.array(fc.constantFrom(0, 2), { minLength: 1, maxLength: 9 }),
    blank: fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
    colours: fc.uint8Array({ minLength: 1, maxLength: 40 }),
  })
  .map(({ width, filters, blank, colours }) => ({
    width,
    height: filters.length,
    rows: rows(filters, width, (at) =>
      blank[Math.floor(at / (width * 3))] ? 0 : (colours[at % colours.length] ?? 0),
    ),
  }));

test("any picture of plain rows is read as the library reads it", async () => {
  await fc.assert(
    fc.asyncProperty(drawing, async (drawn) => {
      const file = written(drawn);
      const read = readPlainPng(file, limit);
      expect(read).toMatchObject({ width: drawn.width, height: drawn.height, channels: 3 });
      expect(Buffer.from(read?.data ?? [])).toEqual(await sharp(file).raw().toBuffer());
    }),
  );
});

const plain: Drawn = { width: 4, height: 2, rows: rows([2, 2], 4, (at) => at * 9) };
const data = chunk("IDAT", deflateSync(plain.rows));

test.for([
  ["no PNG", Buffer.from("GIF89a")],
  ["nothing", Buffer.alloc(0)],
  ["another filter", written({ ...plain, rows: rows([2, 4], 4, () => 1) })],
  ["an uneven width", written({ width: 5, height: 2, rows: rows([2, 2], 5, () => 1) })],
  ["too few rows", written({ ...plain, height: 3 })],
  ["too many rows", written({ ...plain, height: 1 })],
  ["no size", png(data, end)],
  ["no width", written({ width: 0, height: 2, rows: Uint8Array.of(0, 0) })],
  ["a size twice", png(head(plain), head(plain), data, end)],
  ["a short size", png(chunk("IHDR", Buffer.from([8, 2, 0, 0, 0])), data, end)],
  ["an alpha channel", png(head(plain, [8, 6, 0, 0, 0]), data, end)],
  ["a palette", png(head(plain, [8, 3, 0, 0, 0]), data, end)],
  ["interlaced rows", png(head(plain, [8, 2, 0, 0, 1]), data, end)],
  ["colours of its own", png(head(plain), chunk("gAMA", Buffer.alloc(4)), data, end)],
  ["cut short", written(plain).subarray(0, -20)],
  ["more pixels than allowed", written({ ...plain, width: 1000, height: 1001 })],
] as const)("%s is left to the library", ([, file]) => {
  expect(readPlainPng(file, limit)).toBeNull();
});

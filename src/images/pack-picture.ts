import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import sharp from "sharp";
import { packBytes, unpackBytes } from "#storage/pack-bytes.ts";
import { diffRows, type RowDelta, type RowRun, rebuildRows } from "./diff-rows.ts";
import { allocatePixels, type Pixels, pixelLimit } from "./pixels.ts";
import { readPlainPng } from "./read-png.ts";

const format = { webp: 16, png: 17, zstd: 18 } as const;
const webpLimit = 16_383;
// A picture that zstd packs to more than this share of its pixels contains photographs, which WebP packs better.
const photoShare = 0.15;
const kinds = ["copy", "new", "patch"] as const;

// A window of 8 MiB, more than a screen, so that repeated content is found far away.
const zstdParams = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: 23 },
};

type Head = { width: number; height: number; channels: 3 | 4; runs: number[] };

/** Reads a picture file into pixels. */
export async function decodePicture(file: Uint8Array): Promise<Pixels> {
  const plain = readPlainPng(file, pixelLimit);
  if (plain) return plain;
  const { data, info } = await sharp(file, { limitInputPixels: pixelLimit })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  if (info.channels === 4 && isOpaque(data)) {
    return { width, height, channels: 3, data: withoutAlpha(data) };
  }
  return { width, height, channels: info.channels === 4 ? 4 : 3, data: copyToShared(data) };
}

function copyToShared(bytes: Uint8Array): Uint8Array {
  const pixels = allocatePixels(bytes.length);
  pixels.set(bytes);
  return pixels;
}

/** A PNG of exactly these pixels. */
export function encodePng({ data, ...raw }: Pixels): Promise<Uint8Array> {
  return sharp(data, { raw }).png({ compressionLevel: 4, adaptiveFiltering: false }).toBuffer();
}

/** Packs a picture; with a `base` of the same width, only the rows that are not in it. */
export async function packPicture(pixels: Pixels, base?: Pixels): Promise<Uint8Array> {
  const stride = pixels.width * pixels.channels;
  const delta = base
    ? diffRows(base.data, pixels.data, stride)
    : { runs: [{ kind: "new" as const, from: 0, rows: pixels.height }], residue: pixels.data };
  const { width, height, channels } = pixels;
  const runs = delta.runs.flatMap((run) => [kinds.indexOf(run.kind), run.from, run.rows]);
  const head = await packBytes(Buffer.from(JSON.stringify({ width, height, channels, runs } satisfies Head)));
  const { kind, image } = await encodeRows(delta.residue, width, channels);
  const packed = Buffer.alloc(5 + head.length + image.length);
  packed[0] = format[kind];
  packed.writeUInt32LE(head.length, 1);
  packed.set(head, 5);
  packed.set(image, 5 + head.length);
  return packed;
}

/** Whether the rows of two pictures have the same format, so that one can be the base of the other. */
export function alike(a: Pixels, b: Pixels): boolean {
  return a.width === b.width && a.channels === b.channels;
}

/** Rebuilds a picture from its packed delta and those it builds on, newest first. */
export async function unpackPicture(packed: Uint8Array[]): Promise<Pixels> {
  const links = await Promise.all(packed.map(unpackLink));
  const [newest] = links;
  if (!newest) throw new Error("a picture's chain is empty");
  const { width, height, channels } = newest.head;
  return { width, height, channels, data: rebuildRows(links, height, width * channels) };
}

type Link = RowDelta & { head: Head };

async function unpackLink(packed: Uint8Array): Promise<Link> {
  const headEnd = 5 + Buffer.from(packed.buffer, packed.byteOffset, packed.length).readUInt32LE(1);
  const head = JSON.parse(Buffer.from(await unpackBytes(packed.subarray(5, headEnd))).toString()) as Head;
  const runs: RowRun[] = [];
  for (let i = 0; i < head.runs.length; i += 3) {
    const [kind = 0, from = 0, rows = 0] = head.runs.slice(i, i + 3);
    runs.push({ kind: kinds[kind] ?? "copy", from, rows });
  }
  const image = packed.subarray(headEnd);
  const rows = runs.reduce((sum, run) => sum + (run.kind === "copy" ? 0 : run.rows), 0);
  const length = rows * head.width * head.channels;
  return { head, runs, residue: await decodeRows(image, head.channels, packed[0], length) };
}

type Encoded = { kind: keyof typeof format; image: Uint8Array };

/** Text and areas of one color are repeated rows; zstd packs them to a third of WebP's bytes in a tenth of the time. */
async function encodeRows(data: Uint8Array, width: number, channels: 3 | 4): Promise<Encoded> {
  if (data.length === 0) return { kind: "zstd", image: data };
  const zstd = zstdCompressSync(data, zstdParams);
  if (zstd.length <= data.length * photoShare) return { kind: "zstd", image: zstd };
  const height = data.length / (width * channels);
  const isSmall = width <= webpLimit && height <= webpLimit;
  const image = sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
  // Effort 0, because higher efforts take ten times as long to save a fifth of the bytes.
  const packed = await (isSmall
    ? image.webp({ lossless: true, effort: 0, exact: true })
    : image.png()
  ).toBuffer();
  if (zstd.length <= packed.length) return { kind: "zstd", image: zstd };
  return { kind: isSmall ? "webp" : "png", image: packed };
}

async function decodeRows(
  image: Uint8Array,
  channels: 3 | 4,
  kind: number | undefined,
  length: number,
): Promise<Uint8Array> {
  if (image.length === 0) return image;
  if (kind === format.zstd) {
    // One chunk with room to detect the end of the data; many small chunks take twice as long.
    return zstdDecompressSync(image, {
      chunkSize: length + 64,
      params: { [constants.ZSTD_d_windowLogMax]: 27 },
    });
  }
  const decoder = sharp(image, { limitInputPixels: false });
  // An encoder may drop an alpha channel that is fully opaque.
  return (channels === 4 ? decoder.ensureAlpha() : decoder.removeAlpha()).raw().toBuffer();
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let i = 3; i < rgba.length; i += 4) if (rgba[i] !== 255) return false;
  return true;
}

function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = allocatePixels((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    rgb[to] = rgba[from] ?? 0;
    rgb[to + 1] = rgba[from + 1] ?? 0;
    rgb[to + 2] = rgba[from + 2] ?? 0;
  }
  return rgb;
}

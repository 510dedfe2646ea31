// This file and pixels.ts become part of the verifier of exports (evidence/build-verifier.ts), so no packages here.
import { crc32, inflateSync } from "node:zlib";
import { allocatePixels, type Pixels, pixelLimit } from "./pixels.ts";

const pngSignature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
// The end of the IHDR chunk: 8 bits per channel, RGB or RGBA, deflated, filtered, not interlaced.
const pngFormats = [
  { headEnd: Buffer.from([8, 2, 0, 0, 0]), channels: 3 },
  { headEnd: Buffer.from([8, 6, 0, 0, 0]), channels: 4 },
] as const;
const pngFilters = { none: 0, left: 1, above: 2, average: 3, paeth: 4 } as const;
type Filter = (typeof pngFilters)[keyof typeof pngFilters];
const allFilters: readonly number[] = Object.values(pngFilters);
const plainFilters: readonly number[] = [pngFilters.none, pngFilters.above];

type PackedPng = Omit<Pixels, "data"> & { deflated: Buffer[]; hasOtherChunks: boolean };
type Chunk = { type: string; data: Buffer; crc: number };

/** Decodes a PNG of 8-bit RGB or RGBA; null for any other picture. */
export function readPng(file: Uint8Array, maxPixels: number): Pixels | null {
  const png = parsePng(file, maxPixels);
  return png && decodePng(png, allFilters);
}

/**
 * Decodes a PNG in which nothing but its pixels is shown: no animation, text or color profile, and no byte that belongs
 * to none of its chunks. Null for any other picture.
 */
export function readBarePng(file: Uint8Array, maxPixels: number): Pixels | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const chunks = readChunks(bytes);
  const png = parsePng(file, maxPixels);
  return chunks && png && isBare(chunks) && isWholeStream(png.deflated) ? decodePng(png, allFilters) : null;
}

/** Our own pictures have a header, sometimes the size of a square pixel, the pixels and an end. */
function isBare(chunks: Chunk[]): boolean {
  const order = chunks.map(({ type }) => type).join(" ");
  const size = chunks.find(({ type }) => type === "pHYs")?.data;
  const isSquare = size === undefined || (size.length === 9 && size.readUInt32BE(0) === size.readUInt32BE(4));
  const isSound = ({ type, data, crc }: Chunk) => crc32(data, crc32(type)) === crc;
  const [head, end] = [chunks[0], chunks.at(-1)];
  return (
    /^IHDR( pHYs)?( IDAT)+ IEND$/.test(order) &&
    head?.data.length === 13 &&
    end?.data.length === 0 &&
    isSquare &&
    chunks.every(isSound)
  );
}

/** Whether the packed pixels end where their last chunk does. */
function isWholeStream(deflated: Buffer[]): boolean {
  try {
    const packed = Buffer.concat(deflated);
    const { engine } = inflateSync(packed, { info: true, maxOutputLength: 5 * pixelLimit }) as unknown as {
      engine: { bytesWritten: number };
    };
    return engine.bytesWritten === packed.length;
  } catch {
    return false;
  }
}

/** Decodes a PNG as the browser writes it, in half the time of a general decoder; null for any other picture. */
export function readPlainPng(file: Uint8Array, maxPixels: number): Pixels | null {
  const png = parsePng(file, maxPixels);
  // Another chunk may change the meaning of the colors. Only rows of whole words of four bytes are fast.
  if (!png || png.hasOtherChunks || png.channels !== 3 || png.width % 4 > 0) return null;
  return decodePng(png, plainFilters);
}

function parsePng(file: Uint8Array, maxPixels: number): PackedPng | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (!bytes.subarray(0, pngSignature.length).equals(pngSignature)) return null;
  const chunks = readChunks(bytes);
  if (!chunks) return null;
  let head: Buffer | undefined;
  let hasOtherChunks = false;
  const deflated: Buffer[] = [];
  for (const { type, data } of chunks) {
    if (type === "IDAT") deflated.push(data);
    else if (type === "IHDR" && !head) head = data;
    else if (type !== "IEND") hasOtherChunks = true;
  }
  const format = pngFormats.find(({ headEnd }) => head?.subarray(8).equals(headEnd));
  if (!head || !format) return null;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  if (width * height === 0 || width * height > maxPixels) return null;
  return { width, height, channels: format.channels, deflated, hasOtherChunks };
}

/** Null if the file ends in the middle of a chunk. */
function readChunks(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  for (let at = pngSignature.length; at < bytes.length; ) {
    const end = at + 12 <= bytes.length ? at + 12 + bytes.readUInt32BE(at) : Number.POSITIVE_INFINITY;
    if (end > bytes.length) return null;
    chunks.push({
      type: bytes.toString("latin1", at + 4, at + 8),
      data: bytes.subarray(at + 8, end - 4),
      crc: bytes.readUInt32BE(end - 4),
    });
    at = end;
  }
  return chunks;
}

function decodePng(
  { width, height, channels, deflated }: PackedPng,
  filters: readonly number[],
): Pixels | null {
  const stride = width * channels;
  const rows = inflateRows(deflated, (stride + 1) * height);
  const data = rows && unfilterRows(rows, stride, channels, filters);
  return data && { width, height, channels, data };
}

function inflateRows(deflated: Buffer[], length: number): Buffer | null {
  try {
    const bytes = inflateSync(Buffer.concat(deflated), {
      chunkSize: length + 64,
      maxOutputLength: length + 64,
    });
    return bytes.length === length ? bytes : null;
  } catch {
    return null;
  }
}

/** Undoes the filters: a row is stored as it is, or as the difference from its neighbors. */
function unfilterRows(
  rows: Buffer,
  stride: number,
  channels: number,
  filters: readonly number[],
): Uint8Array | null {
  const nothing = Buffer.alloc(stride);
  const data = allocatePixels((rows.length / (stride + 1)) * stride);
  const words = stride % 4 === 0 ? new Int32Array(data.buffer) : null;
  for (let from = 0, to = 0; to < data.length; from += stride + 1, to += stride) {
    const filter = rows[from] ?? -1;
    if (!filters.includes(filter)) return null;
    const row = rows.subarray(from + 1, from + 1 + stride);
    const isAdded = filter === pngFilters.above && to > 0;
    if (isAdded && nothing.equals(row)) {
      data.copyWithin(to, to - stride, to);
      continue;
    }
    data.set(row, to);
    if (isAdded && words) addAbove(words, to / 4, stride / 4);
    else if (filter !== pngFilters.none) addPrediction(filter as Filter, data, to, stride, channels);
  }
  return data;
}

const lowBits = 0x7f7f7f7f;

/** Adds the row above, four bytes at once without carries between them: twice as fast as one byte at a time. */
function addAbove(words: Int32Array, at: number, length: number): void {
  for (let i = at; i < at + length; i++) {
    const own = words[i] ?? 0;
    const above = words[i - length] ?? 0;
    words[i] = ((own & lowBits) + (above & lowBits)) ^ ((own ^ above) & ~lowBits);
  }
}

/** Adds what the filter predicts from the pixels to the left and above. */
function addPrediction(filter: Filter, data: Uint8Array, at: number, stride: number, channels: number): void {
  for (let i = at; i < at + stride; i++) {
    const isLeftmost = i < at + channels;
    const left = isLeftmost ? 0 : (data[i - channels] ?? 0);
    const above = at === 0 ? 0 : (data[i - stride] ?? 0);
    const corner = isLeftmost || at === 0 ? 0 : (data[i - stride - channels] ?? 0);
    data[i] = (data[i] ?? 0) + predictByte(filter, left, above, corner);
  }
}

function predictByte(filter: Filter, left: number, above: number, corner: number): number {
  if (filter === pngFilters.left) return left;
  if (filter === pngFilters.above) return above;
  if (filter === pngFilters.average) return (left + above) >> 1;
  const estimate = left + above - corner;
  const toLeft = Math.abs(estimate - left);
  const toAbove = Math.abs(estimate - above);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

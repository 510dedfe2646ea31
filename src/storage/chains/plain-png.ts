import { inflateSync } from "node:zlib";
import { sharedPixels } from "./diff-rows.ts";

type Pixels = { width: number; height: number; channels: 3; data: Uint8Array };

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
// RGB of 8 bits, deflated, filtered, not interlaced.
const form = Buffer.from([8, 2, 0, 0, 0]);
const filters = { none: 0, up: 2 } as const;

/** The pixels of a PNG as the browser writes it, in half the time that a reader of any picture takes; null for any other. */
export function readPlainPng(file: Uint8Array, pixelLimit: number): Pixels | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (!bytes.subarray(0, signature.length).equals(signature)) return null;
  let size: { width: number; height: number } | undefined;
  const deflated: Buffer[] = [];
  for (const { type, data } of chunksOf(bytes)) {
    if (type === "IDAT") deflated.push(data);
    else if (type === "IHDR" && !size && data.subarray(8).equals(form))
      size = { width: data.readUInt32BE(0), height: data.readUInt32BE(4) };
    // Whatever else there may be says that a colour is not what it seems.
    else if (type !== "IEND") return null;
  }
  const pixels = size ? size.width * size.height : 0;
  // Rows are worked on in words of four bytes.
  if (!size || size.width % 4 > 0 || pixels === 0 || pixels > pixelLimit) return null;
  const stride = size.width * 3;
  const rows = inflate(deflated, (stride + 1) * size.height);
  const data = rows && unfilter(rows, stride);
  return data && { ...size, channels: 3, data };
}

function* chunksOf(bytes: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = signature.length; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    yield { type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, end) };
    at = end + 4;
  }
}

function inflate(deflated: Buffer[], length: number): Buffer | null {
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

/** Rows as they are, or as what they add to the row above. */
function unfilter(rows: Buffer, stride: number): Uint8Array | null {
  const nothing = Buffer.alloc(stride);
  const data = sharedPixels((rows.length / (stride + 1)) * stride);
  const words = new Int32Array(data.buffer);
  for (let from = 0, to = 0; to < data.length; from += stride + 1, to += stride) {
    const filter = rows[from];
    if (filter !== filters.none && filter !== filters.up) return null;
    const row = rows.subarray(from + 1, from + 1 + stride);
    const isAdded = filter === filters.up && to > 0;
    if (isAdded && nothing.equals(row)) {
      data.copyWithin(to, to - stride, to);
      continue;
    }
    data.set(row, to);
    if (isAdded) addAbove(words, to / 4, stride / 4);
  }
  return data;
}

const low = 0x7f7f7f7f;

/** Adds the row above byte by byte, four at once, none carrying into the next: twice as fast as one at a time. */
function addAbove(words: Int32Array, at: number, length: number): void {
  for (let i = at; i < at + length; i++) {
    const own = words[i] ?? 0;
    const above = words[i - length] ?? 0;
    words[i] = ((own & low) + (above & low)) ^ ((own ^ above) & ~low);
  }
}

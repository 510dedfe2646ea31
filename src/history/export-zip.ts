import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

export type ZipEntry = { name: string; bytes: Uint8Array; modified: Date; compress: boolean };

type Listed = {
  // Not its bytes: a small buffer keeps the whole slab alive that it was cut from.
  name: string;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
  time: number;
};

const deflate = promisify(deflateRaw);
const limit32 = 0xffffffff;
const limit16 = 0xffff;

/** A ZIP file piece by piece: no more than one entry and the list of names is ever in memory. */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const listed: Listed[] = [];
  let offset = 0;
  for await (const { name, bytes, modified, compress } of entries) {
    const packed = compress ? await deflate(bytes) : bytes;
    const entry: Listed = {
      name,
      method: compress ? 8 : 0,
      crc: crc32(bytes),
      packed: packed.length,
      size: bytes.length,
      offset,
      time: dosTime(modified),
    };
    listed.push(entry);
    const head = localHead(entry);
    yield head;
    yield packed;
    offset += head.length + packed.length;
  }
  const start = offset;
  for (const entry of listed) {
    const line = centralLine(entry);
    yield line;
    offset += line.length;
  }
  yield ending(listed.length, offset - start, start);
}

function localHead({ name, method, crc, packed, size, time }: Listed): Buffer {
  const bytes = Buffer.from(name);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  // Names are UTF-8.
  head.writeUInt16LE(0x0800, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt32LE(time, 10);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(packed, 18);
  head.writeUInt32LE(size, 22);
  head.writeUInt16LE(bytes.length, 26);
  return Buffer.concat([head, bytes]);
}

function centralLine({ name, method, crc, packed, size, offset, time }: Listed): Buffer {
  const isFar = offset >= limit32;
  const bytes = Buffer.from(name);
  const line = Buffer.alloc(46);
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt16LE(45, 4);
  line.writeUInt16LE(isFar ? 45 : 20, 6);
  line.writeUInt16LE(0x0800, 8);
  line.writeUInt16LE(method, 10);
  line.writeUInt32LE(time, 12);
  line.writeUInt32LE(crc, 16);
  line.writeUInt32LE(packed, 20);
  line.writeUInt32LE(size, 24);
  line.writeUInt16LE(bytes.length, 28);
  line.writeUInt16LE(isFar ? 12 : 0, 30);
  line.writeUInt32LE(isFar ? limit32 : offset, 42);
  if (!isFar) return Buffer.concat([line, bytes]);
  const far = Buffer.alloc(12);
  far.writeUInt16LE(1, 0);
  far.writeUInt16LE(8, 2);
  far.writeBigUInt64LE(BigInt(offset), 4);
  return Buffer.concat([line, bytes, far]);
}

/** The last record, with the larger form of it before where a number does not fit. */
function ending(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, limit16), 8);
  end.writeUInt16LE(Math.min(count, limit16), 10);
  end.writeUInt32LE(Math.min(size, limit32), 12);
  end.writeUInt32LE(Math.min(start, limit32), 16);
  if (count < limit16 && start < limit32 && size < limit32) return end;
  const large = Buffer.alloc(76);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(45, 12);
  large.writeUInt16LE(45, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(start), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(start + size), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}

/** Date and time as ZIP has them: UTC here, two-second steps, from 1980. */
function dosTime(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return ((date << 16) | time) >>> 0;
}

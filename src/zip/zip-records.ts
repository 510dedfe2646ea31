// The records of a ZIP around its files' bytes. The verifier of exports compares a ZIP with these records, so this file
// becomes part of it and imports nothing.

export type ListedEntry = {
  // As a string: a small buffer would keep the whole slab that it was cut from in memory.
  name: string;
  method: number;
  crc: number;
  packed: number;
  size: number;
  offset: number;
  time: number;
};

const limit32 = 0xffffffff;
const limit16 = 0xffff;

export function localHead({ name, method, crc, packed, size, time }: ListedEntry): Buffer {
  const bytes = Buffer.from(name);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  // Flag: names are UTF-8.
  head.writeUInt16LE(0x0800, 6);
  head.writeUInt16LE(method, 8);
  head.writeUInt32LE(time, 10);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(packed, 18);
  head.writeUInt32LE(size, 22);
  head.writeUInt16LE(bytes.length, 26);
  return Buffer.concat([head, bytes]);
}

export function centralLine({ name, method, crc, packed, size, offset, time }: ListedEntry): Buffer {
  const needsZip64 = offset >= limit32;
  const bytes = Buffer.from(name);
  const line = Buffer.alloc(46);
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt16LE(45, 4);
  line.writeUInt16LE(needsZip64 ? 45 : 20, 6);
  line.writeUInt16LE(0x0800, 8);
  line.writeUInt16LE(method, 10);
  line.writeUInt32LE(time, 12);
  line.writeUInt32LE(crc, 16);
  line.writeUInt32LE(packed, 20);
  line.writeUInt32LE(size, 24);
  line.writeUInt16LE(bytes.length, 28);
  line.writeUInt16LE(needsZip64 ? 12 : 0, 30);
  line.writeUInt32LE(needsZip64 ? limit32 : offset, 42);
  if (!needsZip64) return Buffer.concat([line, bytes]);
  const zip64 = Buffer.alloc(12);
  zip64.writeUInt16LE(1, 0);
  zip64.writeUInt16LE(8, 2);
  zip64.writeBigUInt64LE(BigInt(offset), 4);
  return Buffer.concat([line, bytes, zip64]);
}

/** The end record, preceded by its ZIP64 form if a number doesn't fit. */
export function endRecord(count: number, size: number, start: number): Buffer {
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

/** Date and time in ZIP's format: here in UTC, in two-second steps, from 1980. */
export function dosTime(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  return ((date << 16) | time) >>> 0;
}

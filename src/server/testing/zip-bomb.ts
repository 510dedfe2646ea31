import { constants, crc32, deflateRawSync } from "node:zlib";

/** Really 10 GiB of zeros: the same block 10,240 times. A block is independent, so it is compressed only once. */
function tenGiB(): { packed: Buffer; size: number } {
  const block = deflateRawSync(Buffer.alloc(1024 ** 2), { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const times = 10 * 1024;
  const end = deflateRawSync(Buffer.alloc(0));
  return { packed: Buffer.concat([...Array<Buffer>(times).fill(block), end]), size: times * 1024 ** 2 };
}

/**
 * A ZIP whose last file holds 10 GiB, even if its directory claims another size. The files in `others` precede it,
 * uncompressed.
 */
export function createZipBomb(
  name: string,
  claim?: number,
  others: Record<string, Buffer> = {},
): Uint8Array<ArrayBuffer> {
  const { packed, size } = tenGiB();
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  const add = (fileName: string, bytes: Buffer, method: number, claimedSize: number) => {
    const nameBytes = Buffer.from(fileName);
    const extra = Buffer.alloc(claimedSize > 0xffffffff ? 12 : 0);
    if (extra.length > 0) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(8, 2);
      extra.writeBigUInt64LE(BigInt(claimedSize), 4);
    }
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(45, 6);
    entry.writeUInt16LE(method, 10);
    if (method === 0) entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(bytes.length, 20);
    entry.writeUInt32LE(Math.min(claimedSize, 0xffffffff), 24);
    entry.writeUInt16LE(nameBytes.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, nameBytes, extra);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    entry.copy(local, 4, 6, 30);
    local.writeUInt16LE(0, 28);
    parts.push(local, nameBytes, bytes);
    offset += local.length + nameBytes.length + bytes.length;
  };
  for (const [fileName, bytes] of Object.entries(others)) add(fileName, bytes, 0, bytes.length);
  add(name, packed, 8, claim ?? size);
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  const count = Object.keys(others).length + 1;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, central, end]));
}

import { constants, crc32, deflateRawSync } from "node:zlib";

/** 10 GiB of zeros, truly: ten thousand times the same block, which stands alone and so needs to be packed once. */
function tenGiB(): { packed: Buffer; size: number } {
  const block = deflateRawSync(Buffer.alloc(1024 ** 2), { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const times = 10 * 1024;
  const end = deflateRawSync(Buffer.alloc(0));
  return { packed: Buffer.concat([...Array<Buffer>(times).fill(block), end]), size: times * 1024 ** 2 };
}

/** A ZIP whose last file holds 10 GiB, whatever its list says of it; before it the files given, as they are. */
export function zipBomb(
  name: string,
  claim?: number,
  others: Record<string, Buffer> = {},
): Uint8Array<ArrayBuffer> {
  const { packed, size } = tenGiB();
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  const add = (called: string, bytes: Buffer, method: number, said: number) => {
    const title = Buffer.from(called);
    const extra = Buffer.alloc(said > 0xffffffff ? 12 : 0);
    if (extra.length > 0) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(8, 2);
      extra.writeBigUInt64LE(BigInt(said), 4);
    }
    const head = Buffer.alloc(46);
    head.writeUInt32LE(0x02014b50, 0);
    head.writeUInt16LE(45, 6);
    head.writeUInt16LE(method, 10);
    if (method === 0) head.writeUInt32LE(crc32(bytes), 16);
    head.writeUInt32LE(bytes.length, 20);
    head.writeUInt32LE(Math.min(said, 0xffffffff), 24);
    head.writeUInt16LE(title.length, 28);
    head.writeUInt16LE(extra.length, 30);
    head.writeUInt32LE(offset, 42);
    list.push(head, title, extra);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    head.copy(local, 4, 6, 30);
    local.writeUInt16LE(0, 28);
    parts.push(local, title, bytes);
    offset += local.length + title.length + bytes.length;
  };
  for (const [called, bytes] of Object.entries(others)) add(called, bytes, 0, bytes.length);
  add(name, packed, 8, claim ?? size);
  const central = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  const count = Object.keys(others).length + 1;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, central, end]));
}

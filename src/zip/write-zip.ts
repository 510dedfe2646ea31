import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";
import { centralLine, dosTime, endRecord, type ListedEntry, localHead } from "./zip-records.ts";

export type ZipEntry = { name: string; bytes: Uint8Array; modified: Date; compress: boolean };

const deflate = promisify(deflateRaw);

/** Writes a ZIP file piece by piece: only one entry and the list of names are in memory at any time. */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const listed: ListedEntry[] = [];
  let offset = 0;
  for await (const { name, bytes, modified, compress } of entries) {
    const packed = compress ? await deflate(bytes) : bytes;
    const entry: ListedEntry = {
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
  yield endRecord(listed.length, offset - start, start);
}

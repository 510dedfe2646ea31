import { createHash } from "node:crypto";
import { fstatSync, readSync } from "node:fs";
import { crc32, inflateRawSync } from "node:zlib";
import { centralLine, endRecord, type ListedEntry, localHead } from "#zip/zip-records.ts";

/** The file can't be checked, because it isn't a complete export. */
export class BadFile extends Error {}

/** The file is a ZIP, but not byte for byte as Watchglass writes one, so programs may read different things in it. */
export class ForeignZip extends Error {}

export type Archive = {
  /** In the order of the file. */
  names: string[];
  has(name: string): boolean;
  /** Undefined when there is no such file; `bytes` is null when it is damaged. */
  read(name: string): { bytes: Buffer | null } | undefined;
  /** The SHA-256 of a file; an empty text if it is damaged or missing. */
  hash(name: string): string;
  sizeOf(name: string): number;
  /** The date and time in the list of files, in ZIP's format. */
  timeOf(name: string): number;
};
type ReadAt = (offset: number, length: number) => Buffer;

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
/** In bytes. No file of an export is nearly as large. */
const largestFile = 512 * 1024 * 1024;
const endMissing = "The end of the ZIP is missing: the download was interrupted, or the file was cut.";

/** Reads the list of files of a ZIP, in which every byte must be accounted for; each file is read on request. */
export function openZip(file: number): Archive {
  const { size } = fstatSync(file);
  const readAt: ReadAt = (offset, length) => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
    readSync(file, bytes, 0, bytes.length, offset);
    return bytes;
  };
  const entries = new Map<string, ListedEntry>();
  const spellings = new Set<string>();
  for (const entry of readEntries(readAt, size)) {
    // Some file systems treat these spellings as one file, so that the second would replace the first.
    const spelling = entry.name.normalize("NFKC").toLowerCase();
    if (spellings.has(spelling)) throw new ForeignZip(`There are two files called ${entry.name}.`);
    spellings.add(spelling);
    entries.set(entry.name, entry);
  }
  return archiveOf(entries, readAt);
}

function archiveOf(entries: Map<string, ListedEntry>, readAt: ReadAt): Archive {
  const hashes = new Map<string, string>();
  const archive: Archive = {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name);
      return entry && { bytes: readEntry(readAt, entry) };
    },
    hash(name) {
      const known = hashes.get(name);
      if (known !== undefined) return known;
      const bytes = archive.read(name)?.bytes;
      const hash = bytes ? createHash("sha256").update(bytes).digest("hex") : "";
      hashes.set(name, hash);
      return hash;
    },
    sizeOf: (name) => entries.get(name)?.size ?? 0,
    timeOf: (name) => entries.get(name)?.time ?? 0,
  };
  return archive;
}

/** The files of one folder, named without it. */
export function openFolder(zip: Archive, folder: string): Archive {
  const inside = (name: string) => `${folder}/${name}`;
  return {
    names: zip.names.flatMap((name) =>
      name.startsWith(`${folder}/`) ? [name.slice(folder.length + 1)] : [],
    ),
    has: (name) => zip.has(inside(name)),
    read: (name) => zip.read(inside(name)),
    hash: (name) => zip.hash(inside(name)),
    sizeOf: (name) => zip.sizeOf(inside(name)),
    timeOf: (name) => zip.timeOf(inside(name)),
  };
}

/**
 * Walks through the files from the first byte on, then compares the rest with the list of files that belongs to them.
 * So nothing can be hidden before, between or behind the files, and no program finds other files than this one.
 */
function readEntries(readAt: ReadAt, size: number): ListedEntry[] {
  if (readAt(0, 2).toString("latin1") !== "PK") {
    if (readAt(Math.max(0, size - 65_700), 65_700).includes("PK\x05\x06", 0, "latin1"))
      throw new ForeignZip("There are bytes before its first file.");
    throw new BadFile("It is not a ZIP or WACZ file.");
  }
  const entries: ListedEntry[] = [];
  let at = 0;
  for (;;) {
    const head = readAt(at, 30);
    if (head.length < 4 || (head.length < 22 && head.readUInt32LE(0) === localSignature))
      throw new BadFile(endMissing);
    if (head.readUInt32LE(0) !== localSignature) break;
    const entry = readHead(readAt, head, at);
    entries.push(entry);
    at += 30 + Buffer.byteLength(entry.name) + entry.packed;
    if (at > size) throw new BadFile(endMissing);
  }
  assertDirectory(entries, readAt, at, size);
  return entries;
}

function readHead(readAt: ReadAt, head: Buffer, offset: number): ListedEntry {
  if (head.length < 30) throw new BadFile(endMissing);
  const written = readAt(offset + 30, head.readUInt16LE(26));
  const name = written.toString("utf8");
  const entry: ListedEntry = {
    name,
    method: head.readUInt16LE(8),
    crc: head.readUInt32LE(14),
    packed: head.readUInt32LE(18),
    size: head.readUInt32LE(22),
    offset,
    time: head.readUInt32LE(10),
  };
  const isPlain = entry.method === 8 || (entry.method === 0 && entry.packed === entry.size);
  if (!isPlain || !localHead(entry).equals(Buffer.concat([head, written])))
    throw new ForeignZip(`The header of ${name} is not one that Watchglass writes.`);
  if (entry.size > largestFile)
    throw new ForeignZip(`${name} says that it is larger than 512 MiB, which no file of an export is.`);
  return entry;
}

/** Compares the list of files and the end with those that belong to the files. */
function assertDirectory(entries: ListedEntry[], readAt: ReadAt, start: number, size: number): void {
  const last = entries.at(-1)?.name ?? "the start";
  const first = readAt(start, 4).readUInt32LE(0);
  if (entries.length > 0 && first !== centralSignature)
    throw new ForeignZip(`There are bytes after ${last} that belong to no file.`);
  let at = start;
  for (const entry of entries) {
    const line = centralLine(entry);
    const found = readAt(at, line.length);
    if (!found.equals(line)) {
      if (at + line.length > size && line.subarray(0, found.length).equals(found))
        throw new BadFile(endMissing);
      throw new ForeignZip(`Its list of files describes ${entry.name} differently than the file itself.`);
    }
    at += line.length;
  }
  const end = endRecord(entries.length, at - start, start);
  const found = readAt(at, end.length);
  if (!found.equals(end)) {
    if (at + end.length > size && end.subarray(0, found.length).equals(found)) throw new BadFile(endMissing);
    if (found.length >= 4 && found.readUInt32LE(0) === centralSignature)
      throw new ForeignZip("Its list of files names a file that is missing.");
    throw new ForeignZip("Its end is not one that Watchglass writes.");
  }
  if (at + end.length < size)
    throw new ForeignZip(`There are ${size - at - end.length} bytes after its end.`);
}

/** Null for a file that doesn't unpack to exactly what its header says. */
function readEntry(readAt: ReadAt, { name, offset, packed, method, size, crc }: ListedEntry): Buffer | null {
  const bytes = readAt(offset + 30 + Buffer.byteLength(name), packed);
  const whole = method === 8 ? inflateWhole(bytes, size) : bytes;
  return whole && whole.length === size && crc32(whole) === crc ? whole : null;
}

/** Unpacks deflated bytes; null if they are damaged, larger than expected, or followed by others. */
function inflateWhole(bytes: Buffer, size: number): Buffer | null {
  try {
    const { buffer, engine } = inflateRawSync(bytes, {
      maxOutputLength: size || 1,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    return engine.bytesWritten === bytes.length ? buffer : null;
  } catch {
    return null;
  }
}

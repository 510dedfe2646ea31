import { crc32, inflateRawSync } from "node:zlib";
import { hashText, keyFile, signatureFile, signedList } from "#evidence/seal-format.ts";
import type { SigningKey } from "#evidence/signing-key.ts";
import { type Resource, writeDataPackage } from "#evidence/warc-format.ts";
import { zip } from "#zip/write-zip.ts";

/** The files of an export by name, with the date of each, to be altered as a forger would. */
export class ExportFiles extends Map<string, Buffer> {
  dates = new Map<string, Date>();

  text(name: string): string {
    return String(this.get(name));
  }

  json<T>(name: string): T {
    return JSON.parse(this.text(name)) as T;
  }

  /** Lines of JSON. */
  lines<T>(name: string): T[] {
    return this.text(name)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T);
  }

  /** Writes JSON as an export does. */
  put(name: string, value: unknown, indent?: number): void {
    this.set(name, Buffer.from(JSON.stringify(value, null, indent)));
  }

  putLines(name: string, list: unknown[]): void {
    this.set(name, Buffer.from(list.map((line) => `${JSON.stringify(line)}\n`).join("")));
  }

  replace(name: string, from: string, to: string): void {
    if (!this.text(name).includes(from)) throw new Error(`${name} has no ${from}`);
    this.set(name, Buffer.from(this.text(name).replaceAll(from, to)));
  }
}

/** Unpacks a file of our own ZIP writer; checksums are tested elsewhere. */
export function unpackExport(file: Buffer): ExportFiles {
  const files = new ExportFiles();
  for (let at = 0; file.readUInt32LE(at) === 0x04034b50; ) {
    const start = at + 30 + file.readUInt16LE(at + 26);
    const bytes = file.subarray(start, start + file.readUInt32LE(at + 18));
    const name = file.toString("utf8", at + 30, start);
    files.set(name, file.readUInt16LE(at + 8) === 8 ? inflateRawSync(bytes) : Buffer.from(bytes));
    files.dates.set(name, toDate(file.readUInt32LE(at + 10)));
    at = start + bytes.length;
  }
  return files;
}

function toDate(time: number): Date {
  const [day, clock] = [time >>> 16, time & 0xffff];
  return new Date(
    Date.UTC(
      1980 + (day >> 9),
      ((day >> 5) & 15) - 1,
      day & 31,
      clock >> 11,
      (clock >> 5) & 63,
      (clock & 31) * 2,
    ),
  );
}

export async function packExport(files: ExportFiles): Promise<Buffer> {
  async function* each() {
    for (const [name, bytes] of files) {
      const modified = files.dates.get(name) ?? files.dates.get("job.json") ?? new Date();
      yield { name, bytes, modified, compress: !/\.(png|gz)$/.test(name) };
    }
  }
  const parts: Uint8Array[] = [];
  for await (const part of zip(each())) parts.push(part);
  return Buffer.concat(parts);
}

const unlisted = [signedList, signatureFile, "datapackage.json", "datapackage-digest.json"];

/** Lists and signs the files anew, as whoever holds the installation's key can. */
export function signAgain(files: ExportFiles, key: Pick<SigningKey, "pem" | "sign">): void {
  files.set(keyFile, Buffer.from(key.pem));
  const names = [...files.keys()].filter((name) => !unlisted.includes(name));
  const list = names.map((name) => `${hashText(files.get(name) ?? "")}  ${name}\n`).join("");
  files.set(signedList, Buffer.from(list));
  files.set(signatureFile, key.sign(list));
  if (files.has("datapackage.json")) describeAgain(files);
}

/** Describes the files of a web archive anew, which anyone can. */
function describeAgain(files: ExportFiles): void {
  const { title, created, mainPageUrl } = files.json<Record<string, string>>("datapackage.json");
  const names = [...files.keys()].filter((name) => !/^datapackage(-digest)?\.json$/.test(name));
  const resources = names.map((path): Resource => {
    const bytes = files.get(path) ?? Buffer.of();
    return { path, hash: hashText(bytes), bytes: bytes.length };
  });
  const about = { name: String(title), url: String(mainPageUrl), created: String(created) };
  const { description, digest } = writeDataPackage(about, resources);
  files.set("datapackage.json", Buffer.from(description));
  files.set("datapackage-digest.json", Buffer.from(digest));
}

/** The chunks of a PNG, and a PNG of chunks. */
export function splitPng(file: Buffer): { type: string; data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    chunks.push({
      type: file.toString("latin1", at + 4, at + 8),
      data: file.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

export function joinPng(chunks: { type: string; data: Buffer }[]): Buffer {
  const parts = chunks.map(({ type, data }) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  });
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

import { open as openFile, readFile, stat } from "node:fs/promises";
import { openZip } from "../open-zip.ts";
import { UnreadableFile } from "../unreadable-file.ts";
import { assertCount, type Draft, isRecord } from "./draft.ts";
import { readChangedetection } from "./read-changedetection.ts";
import { readDistill } from "./read-distill.ts";
import { readCsv, readOpml, readUrlList } from "./read-lists.ts";
import { type OwnSettings, readOwn } from "./read-own.ts";
import { readUrlwatch } from "./read-urlwatch.ts";

type ReadFile = { format: string; drafts: Draft[]; channels: string[]; own?: OwnSettings };
/** What a file says, of bounded size. `isZip`: it may hold the history of its jobs. */
export type ImportFile = ReadFile & { isZip: boolean };

const MiB = 1024 * 1024;
const limits = { text: 10 * MiB, entries: 200_000, unpacked: 10 * MiB };

/** Reads a file of any of the formats known, told by what is in it. */
export async function readImport(given: Buffer | string): Promise<ImportFile> {
  const zipped = await isZip(given);
  const file = zipped ? await readZip(given) : readText(await whole(given));
  if (file.drafts.length === 0 && !file.own) throw new UnreadableFile("There is no address in this file.");
  assertCount(file.drafts.length);
  return { ...file, isZip: zipped };
}

/** Whether it begins as a ZIP does. */
async function isZip(given: Buffer | string): Promise<boolean> {
  const mark = "PK\u0003\u0004";
  if (typeof given !== "string") return given.subarray(0, 4).toString("latin1") === mark;
  const file = await openFile(given);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("latin1") === mark;
  } finally {
    await file.close();
  }
}

async function whole(given: Buffer | string): Promise<Buffer> {
  if (typeof given !== "string") return given;
  if ((await stat(given)).size > limits.text) throw new UnreadableFile("The file is larger than 10 MiB.");
  return readFile(given);
}

function readText(bytes: Buffer): ReadFile {
  if (bytes.length > limits.text) throw new UnreadableFile("The file is larger than 10 MiB.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).trim();
  } catch {
    throw new UnreadableFile("The file is neither text in UTF-8 nor a ZIP.");
  }
  if (text === "") throw new UnreadableFile("The file is empty.");
  const none: string[] = [];
  if (/^[[{]/.test(text)) return readJson(text);
  if (text.startsWith("<")) return { format: "OPML", drafts: readOpml(text), channels: none };
  if (/^(---|(url|name|navigate|command|kind)\s*:)/m.test(text) && !/^https?:/.test(text))
    return { format: "urlwatch or webchanges", drafts: readUrlwatch(text), channels: none };
  const [first = ""] = text.split(/\r?\n/, 1);
  return /[,;\t]/.test(first) && !/^https?:\/\/[^\s,;]+$/.test(first)
    ? { format: "CSV", drafts: readCsv(text), channels: none }
    : { format: "list of addresses", drafts: readUrlList(text), channels: none };
}

function readJson(text: string): ReadFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableFile("The file begins as JSON and is none.");
  }
  if (isRecord(value) && value.watchglass !== undefined) return { format: "Watchglass", ...readOwn(value) };
  if (isRecord(value) && isRecord(value.watching))
    return { format: "changedetection.io", ...readChangedetection(value) };
  if (isRecord(value) && Array.isArray(value.data))
    return { format: "Distill", drafts: readDistill(value), channels: [] };
  throw new UnreadableFile("This JSON is no export of Watchglass, changedetection.io or Distill.");
}

/** Of an archive only the files that are looked for are unpacked, and none beyond what it should hold. */
async function readZip(given: Buffer | string): Promise<ReadFile> {
  const files = await unpack(given, (name) =>
    /^(?:[^/]+\/)?(watchglass\.json|url-watches\.json|changedetection\.json|[\w-]+\/watch\.json)$/.test(name),
  );
  const own = files.get("watchglass.json");
  if (own) return readJson(own);
  const [, store] = [...files].find(([name]) => name.endsWith("url-watches.json")) ?? [];
  if (store) return readJson(store);
  const watches = [...files].filter(([name]) => name.endsWith("/watch.json"));
  const [, settings] = [...files].find(([name]) => name.endsWith("changedetection.json")) ?? [];
  assertCount(watches.length);
  if (watches.length === 0)
    throw new UnreadableFile("The ZIP is no backup of changedetection.io and no archive of Watchglass.");
  const watching = Object.fromEntries(watches.map(([name, text]) => [name, parsed(text)]));
  const known = parsed(settings ?? "{}");
  return {
    format: "changedetection.io",
    ...readChangedetection({ ...(isRecord(known) ? known : {}), watching }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableFile("A file in the ZIP is not JSON.");
  }
}

async function unpack(
  given: Buffer | string,
  wanted: (name: string) => boolean,
): Promise<Map<string, string>> {
  const zip = await openZip(given, limits.entries);
  try {
    const found = new Map<string, string>();
    let total = 0;
    for (const [name, { size }] of zip.entries) {
      if (!wanted(name)) continue;
      total += size;
      if (total > limits.unpacked)
        throw new UnreadableFile("What the ZIP holds is larger than 10 MiB unpacked.");
      found.set(name, (await zip.read(name)).toString());
    }
    return found;
  } finally {
    zip.close();
  }
}

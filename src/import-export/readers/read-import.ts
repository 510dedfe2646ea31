import { open as openFile, readFile, stat } from "node:fs/promises";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import { type OpenZip, openZip } from "#zip/read-zip.ts";
import { type ArchiveSettings, readArchive } from "../account-archive/read-archive.ts";
import { assertCount, type Draft, isRecord } from "./draft.ts";
import { parseJson } from "./parse-json.ts";
import { readChangedetection } from "./read-changedetection.ts";
import { readDistill } from "./read-distill.ts";
import { readOpml, readUrlList } from "./read-lists.ts";
import { readSpreadsheet, workbookPart } from "./read-sheet.ts";
import { readCsv } from "./read-table.ts";
import { readUrlwatch } from "./read-urlwatch.ts";

type ReadFile = { format: string; drafts: Draft[]; channels: string[]; own?: ArchiveSettings };
/** The contents of a file, limited in size. `isZip`: the file may contain the history of its jobs. */
export type ImportFile = ReadFile & { isZip: boolean };

const MiB = 1024 * 1024;
const limits = { text: 10 * MiB, entries: 200_000, unpacked: 10 * MiB, drafts: 20 * MiB };

/** Reads a file in any known format, which is recognized by its contents. */
export async function readImport(given: Buffer | string): Promise<ImportFile> {
  const zipped = await isZip(given);
  const file = zipped ? await readZip(given) : readText(await readWhole(given));
  if (file.drafts.length === 0 && !file.own) throw new UnreadableFile("This file has no URLs.");
  assertCount(file.drafts.length);
  assertSize(file.drafts);
  return { ...file, isZip: zipped };
}

/** Tags and global settings are repeated in every job that has them, so a small file may describe very large jobs. */
function assertSize(drafts: Draft[]): void {
  let size = 0;
  for (const draft of drafts) {
    size += JSON.stringify(draft).length;
    if (size > limits.drafts)
      throw new UnreadableFile(
        "The jobs in the file are larger than 20 MiB, with the settings that they share. Split the file and import its parts.",
      );
  }
}

/** Whether a file begins with the signature of a ZIP. */
async function isZip(given: Buffer | string): Promise<boolean> {
  const signature = "PK\u0003\u0004";
  if (typeof given !== "string") return given.subarray(0, 4).toString("latin1") === signature;
  const file = await openFile(given);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("latin1") === signature;
  } finally {
    await file.close();
  }
}

async function readWhole(given: Buffer | string): Promise<Buffer> {
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
  const isListed = /^https?:\/\/[^\s,;]+( [^;\t]*)?$/.test(first);
  return /[,;\t]/.test(first) && !isListed
    ? { format: "CSV", drafts: readCsv(text), channels: none }
    : { format: "list of URLs", drafts: readUrlList(text), channels: none };
}

function readJson(text: string): ReadFile {
  const value = parseJson(text, "The file looks like JSON, but isn’t valid JSON.");
  if (isRecord(value) && value.watchglass !== undefined)
    return { format: "Watchglass", ...readArchive(value) };
  if (isRecord(value) && isRecord(value.watching))
    return { format: "changedetection.io", ...readChangedetection(value) };
  if (isRecord(value) && Array.isArray(value.data))
    return { format: "Distill", drafts: readDistill(value), channels: [] };
  throw new UnreadableFile("This JSON isn’t an export of Watchglass, changedetection.io or Distill.");
}

/** Unpacks only the files of an archive that are needed, and no more than its size limit. */
async function readZip(given: Buffer | string): Promise<ReadFile> {
  const zip = await openZip(given, limits.entries);
  try {
    const unpack = openUnpacking(zip);
    if (zip.entries.has(workbookPart)) return { format: "Excel", ...(await readSpreadsheet(unpack)) };
    const wanted = [...zip.entries.keys()].filter((name) => ownOrWatches.test(name));
    const files = new Map<string, string>();
    for (const name of wanted) files.set(name, (await unpack(name)) ?? "");
    return readStores(files);
  } finally {
    zip.close();
  }
}

const ownOrWatches =
  /^(?:[^/]+\/)?(watchglass\.json|url-watches\.json|changedetection\.json|[\w-]+\/watch\.json)$/;

function readStores(files: Map<string, string>): ReadFile {
  const own = files.get("watchglass.json");
  if (own) return readJson(own);
  const [, store] = [...files].find(([name]) => name.endsWith("url-watches.json")) ?? [];
  if (store) return readJson(store);
  const watches = [...files].filter(([name]) => name.endsWith("/watch.json"));
  const [, settings] = [...files].find(([name]) => name.endsWith("changedetection.json")) ?? [];
  assertCount(watches.length);
  if (watches.length === 0)
    throw new UnreadableFile(
      "The ZIP isn’t a backup of changedetection.io, an archive of Watchglass or an Excel file.",
    );
  const parseFile = (text: string) => parseJson(text, "A file in the ZIP isn’t valid JSON.");
  const watching = Object.fromEntries(watches.map(([name, text]) => [name, parseFile(text)]));
  const known = parseFile(settings ?? "{}");
  return {
    format: "changedetection.io",
    ...readChangedetection({ ...(isRecord(known) ? known : {}), watching }),
  };
}

/** Reads files of a ZIP as texts, together no more than the size limit. */
function openUnpacking(zip: OpenZip): (name: string) => Promise<string | undefined> {
  let total = 0;
  return async (name) => {
    const entry = zip.entries.get(name);
    if (!entry) return undefined;
    total += entry.size;
    if (total > limits.unpacked)
      throw new UnreadableFile("The contents of the ZIP are larger than 10 MiB unpacked.");
    return (await zip.read(name)).toString();
  };
}

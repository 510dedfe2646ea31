import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import {
  differences,
  firstLink,
  hashJson,
  hashText,
  linkOf,
  type SealedPart,
  type Statement,
  textOf,
} from "#checks/verify.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { OpenZip } from "#jobs/open-zip.ts";
import { UnreadableFile } from "#jobs/unreadable-file.ts";
import { About, ChainLine, Facts, Memory, PastExecution, Sealed } from "./past-shapes.ts";

// Each archive is read by a thread of its own: what this file imports is loaded for every one.

/** What was learned of a job's noise and said of it, beside its history. */
export const noiseFile = "noise.json";

const MiB = 1024 * 1024;
export const pastLimits = {
  files: 200_000,
  executions: 60_000,
  record: 20 * MiB,
  part: 64 * MiB,
  unpacked: 4096 * MiB,
};

/** An archive that is not whole, in a sentence. */
export const refusePast = (why: string) =>
  new UnreadableFile(`The archive cannot be taken: ${why} Nothing was imported.`);

const endings = { html: "html.txt", response: "response.bin", facts: "facts.json", picture: "png" } as const;
export type PastParts = {
  html: Uint8Array;
  response: Uint8Array;
  facts: Uint8Array;
  picture: Uint8Array | null;
};
/** An execution's capture, and what is known of it once it is read. */
export type PastCapture = {
  /** What its files are called before their ending. */
  stem: string;
  parts: PastParts;
  /** Of its text and headers, as seals have them. */
  hashes: { text: string; headers: string };
  /** Of its picture's file. */
  pictureName: string | null;
  /** What the picture's pixels must be. */
  sealedPixels: string | null;
};

/** What an archive has of one job, by its list. */
export type PastFiles = {
  /** What the files of each execution are called before their ending, oldest first. */
  stems: string[];
  /** Of its chain. */
  pages: string[];
  bytes: number;
  tooLarge: string | null;
};

/** The number of an execution that a record is of; each has one name only. */
function numberOf(file: string): number | null {
  const [, digits = ""] = /^(\d{6,9})\.json$/.exec(file) ?? [];
  const number = Number(digits);
  return number > 0 && String(number).padStart(6, "0") === digits ? number : null;
}
const isPart = (file: string) => Object.values(endings).some((ending) => file.endsWith(`.${ending}`));
const none: PastFiles = { stems: [], pages: [], bytes: 0, tooLarge: null };

/** Goes over an archive's list once, however many jobs there are; answers what it has in a folder. */
export function indexPast(zip: OpenZip): (folder: string) => PastFiles {
  const folders = new Map<string, PastFiles>();
  for (const [name, { size }] of zip.entries) {
    const at = name.lastIndexOf("/");
    const place = name.slice(0, Math.max(at, 0));
    const kind = ["/executions", "/chain"].find((ending) => place.endsWith(ending)) ?? "";
    const folder = place.slice(0, place.length - kind.length);
    const file = name.slice(at + 1);
    const files = folders.get(folder) ?? { ...none, stems: [], pages: [] };
    folders.set(folder, files);
    if (kind === "/executions" && numberOf(file)) files.stems.push(name.slice(0, -".json".length));
    if (kind === "/chain" && file.startsWith("seals-")) files.pages.push(name);
    files.bytes += size;
    if (size > pastLimits.record && (size > pastLimits.part || !isPart(file))) files.tooLarge = name;
  }
  for (const { stems, pages } of folders.values()) {
    stems.sort();
    pages.sort();
  }
  return (folder) => folders.get(folder) ?? none;
}

/** Reads a job's chain, and the seal of each execution by its stem; each execution that it says is kept must be there, in the words that were sealed. */
export async function readSeals(
  zip: OpenZip,
  folder: string,
  pages: string[],
): Promise<Map<string, Statement>> {
  const about = await readJson(zip, `${folder}/job.json`, About);
  const seals = new Map<string, Statement>();
  let previous = firstLink(about.id);
  let place = 0;
  for (const page of pages) {
    for (const text of (await zip.read(page)).toString().split("\n").filter(Boolean)) {
      const line = shaped(text, page, ChainLine);
      place++;
      if (line.position !== place || linkOf(previous, line.digest) !== line.hash)
        throw refusePast(`The chain of seals is broken at place ${place} of ${page}.`);
      previous = line.hash;
      const stem = `${folder}/executions/${String(line.number).padStart(6, "0")}`;
      const statement = await readSeal(zip, stem, line);
      if (statement) seals.set(stem, statement);
    }
  }
  if (place < (about.chain?.length ?? 0))
    throw refusePast(`The chain of seals in ${folder} ends at place ${place} of ${about.chain?.length}.`);
  return seals;
}

async function readSeal(
  zip: OpenZip,
  stem: string,
  { kept, digest }: z.infer<typeof ChainLine>,
): Promise<Statement | null> {
  const name = `${stem}.seal`;
  if (!zip.entries.has(name)) {
    if (kept) throw refusePast(`${name} is missing.`);
    return null;
  }
  if (!zip.entries.has(`${stem}.json`)) throw refusePast(`${stem}.json is missing.`);
  const bytes = await zip.read(name);
  if (hashText(bytes) !== digest) throw refusePast(`${name} is not what was sealed.`);
  return shaped(bytes.toString(), name, Sealed) as unknown as Statement;
}

/** Reads what is recorded of an execution, which must be what was sealed. */
export async function readRecord(zip: OpenZip, stem: string, statement?: Statement): Promise<PastExecution> {
  const name = `${stem}.json`;
  const text = (await zip.read(name)).toString();
  const record = shaped(text, name, PastExecution);
  // As it stands in the file: shapes leave out what they do not know.
  if (statement && !isAsSealed(JSON.parse(text), statement))
    throw refusePast(`${name} is not what was sealed.`);
  if (record.index !== numberOf(name.slice(name.lastIndexOf("/") + 1)))
    throw refusePast(`${name} is named after another execution.`);
  return record;
}

function isAsSealed(record: Record<string, unknown>, statement: Statement): boolean {
  const { parts, logLines } = statement;
  const log = Array.isArray(record.log) ? record.log.slice(0, logLines) : [];
  return (
    differences(record, statement).length === 0 &&
    (parts.verdict === undefined || (!!record.verdict && hashJson(record.verdict) === parts.verdict)) &&
    (parts.log === undefined || record.logGone === true || hashJson(log) === parts.log)
  );
}

/** Reads an execution's capture; each part must be what was sealed, and none may be missing. */
export async function readCapture(
  zip: OpenZip,
  stem: string,
  statement: Statement | undefined,
): Promise<PastCapture | null> {
  const parts: Partial<Record<keyof typeof endings, Buffer>> = {};
  for (const [part, ending] of Object.entries(endings) as [keyof typeof endings, string][]) {
    const name = `${stem}.${ending}`;
    const hash = statement?.parts[part as SealedPart];
    if (!zip.entries.has(name)) {
      if (hash !== undefined) throw refusePast(`${name} is missing.`);
      continue;
    }
    const bytes = await zip.read(name);
    // A picture is sealed by its pixels, which are known once it is decoded.
    if (part !== "picture" && hash !== undefined && hashText(bytes) !== hash)
      throw refusePast(`${name} is not what was sealed.`);
    parts[part] = bytes;
  }
  const { html, response, facts, picture = null } = parts;
  if (!html && !response && !facts && !picture) return null;
  if (!html || !response || !facts)
    throw refusePast(
      `${stem}.${!html ? endings.html : !response ? endings.response : endings.facts} is missing.`,
    );
  const given = parsed(facts.toString(), `${stem}.${endings.facts}`);
  const known = judged(given, `${stem}.${endings.facts}`, Facts);
  // Only what is known of a capture is kept; where that is all of it, in the very bytes that were sealed.
  const kept = isDeepStrictEqual(given, known) ? facts : Buffer.from(JSON.stringify(known));
  return {
    stem,
    parts: { html, response, facts: kept, picture },
    hashes: { text: hashText(textOf(known)), headers: hashJson(known.headers) },
    pictureName: picture && createHash("sha256").update(picture).digest("hex"),
    sealedPixels: (picture && statement?.parts.picture) ?? null,
  };
}

/** Archives of earlier versions have none. */
export async function readNoise(zip: OpenZip, folder: string): Promise<NoiseMemory | null> {
  const name = `${folder}/${noiseFile}`;
  if (!zip.entries.has(name)) return null;
  return (await readJson(zip, name, Memory)) as NoiseMemory;
}

async function readJson<Shape extends z.ZodType>(
  zip: OpenZip,
  name: string,
  shape: Shape,
): Promise<z.output<Shape>> {
  if (!zip.entries.has(name)) throw refusePast(`${name} is missing.`);
  return shaped((await zip.read(name)).toString(), name, shape);
}

function shaped<Shape extends z.ZodType>(text: string, name: string, shape: Shape): z.output<Shape> {
  return judged(parsed(text, name), name, shape);
}

function judged<Shape extends z.ZodType>(given: unknown, name: string, shape: Shape): z.output<Shape> {
  const { data, error } = shape.safeParse(given);
  if (!data) throw refusePast(`${name} is not whole: ${error?.issues[0]?.path.join(".") || "its shape"}.`);
  return data;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refusePast(`${name} is not JSON.`);
  }
}

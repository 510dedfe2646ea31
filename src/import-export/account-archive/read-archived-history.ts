import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import { type NoiseMemory } from "#detection/noise-memory/noise-memory.ts";
import {
  canonicalJson,
  type DayLine,
  daysFile,
  differences,
  firstLink,
  hashJson,
  hashText,
  type KeyLine,
  keysFile,
  linkOf,
  type Origin,
  type SealedPart,
  type Statement,
  textOf,
} from "#evidence/seal-format.ts";
import { checkOrigin } from "#evidence/verify/check-origins.ts";
import type { OpenZip } from "#zip/read-zip.ts";
import { About, ArchivedExecution, ChainLine, Facts, Memory, Sealed } from "./archive-schemas.ts";

// Each archive is read by its own thread, so everything that this file imports is loaded for each archive.

/** The file next to a job's history with its noise memory and the user's feedback. */
export const noiseFile = "noise.json";

const MiB = 1024 * 1024;
export const archiveLimits = {
  files: 200_000,
  executions: 60_000,
  record: 20 * MiB,
  part: 64 * MiB,
  origin: 256 * MiB,
  unpacked: 4096 * MiB,
};

// A capture has at most 16 MiB of response and as many characters of HTML; other versions may have had some more.
const captureLimits = { htmlCharacters: 20 * MiB, responseBytes: 20 * MiB };

/** The error for an archive that is incomplete or altered, as a sentence. */
export const refuseArchive = (why: string) =>
  new UnreadableFile(`We can’t import this archive: ${why} Nothing was imported.`);

const endings = { html: "html.txt", response: "response.bin", facts: "facts.json", picture: "png" } as const;
export type ArchivedParts = {
  html: Uint8Array;
  response: Uint8Array;
  facts: Uint8Array;
  picture: Uint8Array | null;
};
/** An execution's capture, and what is known about it after reading. */
export type ArchivedCapture = {
  /** The name of its files without the extension. */
  stem: string;
  parts: ArchivedParts;
  /** Hashes of its text and headers, as they are in seals. */
  hashes: { text: string; headers: string };
  /** SHA-256 of the picture's file. */
  pictureName: string | null;
  /** The hash that the picture's pixels must have. */
  sealedPixels: string | null;
};

/** The files of one job in an archive's directory. */
export type ArchivedFiles = {
  /** The name of each execution's files without the extension, oldest first. */
  stems: string[];
  /** The files of its chain. */
  pages: string[];
  /** The seals that came with earlier imports. */
  origins: string[];
  bytes: number;
  tooLarge: string | null;
};

/** The execution number in a record's file name; each number has only one valid name. */
function numberOf(file: string): number | null {
  const [, digits = ""] = /^(\d{6,9})\.json$/.exec(file) ?? [];
  const number = Number(digits);
  return number > 0 && String(number).padStart(6, "0") === digits ? number : null;
}
const isPart = (file: string) => Object.values(endings).some((ending) => file.endsWith(`.${ending}`));
const noFiles: ArchivedFiles = { stems: [], pages: [], origins: [], bytes: 0, tooLarge: null };

/** Reads an archive's directory once, however many jobs it has; returns a function that gives the files of a folder. */
export function indexArchive(zip: OpenZip): (folder: string) => ArchivedFiles {
  const folders = new Map<string, ArchivedFiles>();
  for (const [name, { size }] of zip.entries) {
    const at = name.lastIndexOf("/");
    const directory = name.slice(0, Math.max(at, 0));
    const kind = ["/executions", "/chain", "/origins"].find((ending) => directory.endsWith(ending)) ?? "";
    const folder = directory.slice(0, directory.length - kind.length);
    const file = name.slice(at + 1);
    const files = folders.get(folder) ?? { ...noFiles, stems: [], pages: [], origins: [] };
    folders.set(folder, files);
    if (kind === "/executions" && numberOf(file)) files.stems.push(name.slice(0, -".json".length));
    if (kind === "/chain" && file.startsWith("seals-")) files.pages.push(name);
    if (kind === "/origins") files.origins.push(name);
    files.bytes += size;
    if (kind === "/origins" && size <= archiveLimits.origin) continue;
    if (size > archiveLimits.record && (size > archiveLimits.part || !isPart(file))) files.tooLarge = name;
  }
  for (const { stems, pages } of folders.values()) {
    stems.sort();
    pages.sort();
  }
  return (folder) => folders.get(folder) ?? noFiles;
}

/** An execution's seal in the archive, and its place in the archive's chain. */
type ArchivedSeal = { statement: Statement; position: number; hash: string };
/** The seals of a job in the archive: by the execution's stem, and as a text that stays with the job. */
export type ArchivedSeals = {
  seals: Map<string, ArchivedSeal>;
  /** The text of the archive's own chain, then of those that had been imported into it. Empty without a chain. */
  origins: string[];
};

/**
 * Reads and verifies a job's chain. Each execution that the chain says is kept must be there, exactly as it was sealed.
 * The daily fingerprints and time stamps are verified too.
 */
export async function readSeals(
  zip: OpenZip,
  folder: string,
  { pages, origins }: ArchivedFiles,
): Promise<ArchivedSeals> {
  const about = await readJson(zip, `${folder}/job.json`, About);
  const seals: ArchivedSeals["seals"] = new Map();
  const origin: Origin = {
    watchglass: "origin 1",
    job: about.id,
    chain: [],
    statements: [],
    days: await readLines<DayLine>(zip, `${folder}/${daysFile}`),
    keys: await readLines<KeyLine>(zip, `${folder}/${keysFile}`),
  };
  let previous = firstLink(about.id);
  let position = 0;
  for (const page of pages) {
    for (const text of (await zip.read(page)).toString().split("\n").filter(Boolean)) {
      const line = parseShape(text, page, ChainLine);
      position++;
      if (line.position !== position || linkOf(previous, line.digest) !== line.hash)
        throw refuseArchive(`The chain of seals is broken at position ${position} of ${page}.`);
      previous = line.hash;
      const stem = `${folder}/executions/${String(line.number).padStart(6, "0")}`;
      const seal = await readSeal(zip, stem, line);
      if (seal) seals.set(stem, { statement: seal.statement, position, hash: line.hash });
      origin.chain.push(line);
      origin.statements.push(seal?.text ?? null);
    }
  }
  if (position < (about.chain?.length ?? 0))
    throw refuseArchive(
      `The chain of seals in ${folder} ends at position ${position} of ${about.chain?.length}.`,
    );
  const texts = position === 0 ? [] : [JSON.stringify(origin)];
  for (const name of origins.toSorted()) texts.push((await zip.read(name)).toString());
  for (const text of texts) {
    const problem = problemOfOrigin(text);
    if (problem) throw refuseArchive(`The seals in ${folder} do not hold. ${problem}`);
  }
  return { seals, origins: texts };
}

function problemOfOrigin(text: string): string | undefined {
  const checked = checkOrigin(text);
  return checked ? checked.findings.problems[0]?.text : "A file of origins can’t be read.";
}

/** Lines of JSON; none if an older archive doesn't have the file. Their content is verified with the chain. */
async function readLines<Line>(zip: OpenZip, name: string): Promise<Line[]> {
  if (!zip.entries.has(name)) return [];
  const lines = (await zip.read(name)).toString().split("\n").filter(Boolean);
  return lines.map((line) => parseJson(line, name) as Line);
}

async function readSeal(
  zip: OpenZip,
  stem: string,
  { kept, digest }: z.infer<typeof ChainLine>,
): Promise<{ statement: Statement; text: string } | null> {
  const name = `${stem}.seal`;
  if (!zip.entries.has(name)) {
    if (kept) throw refuseArchive(`${name} is missing.`);
    return null;
  }
  if (!zip.entries.has(`${stem}.json`)) throw refuseArchive(`${stem}.json is missing.`);
  const bytes = await zip.read(name);
  if (hashText(bytes) !== digest) throw refuseArchive(`${name} is not what was sealed.`);
  const text = bytes.toString();
  return { statement: parseShape(text, name, Sealed) as unknown as Statement, text };
}

/** Reads an execution's record, which must match its seal. */
export async function readRecord(
  zip: OpenZip,
  stem: string,
  statement?: Statement,
): Promise<ArchivedExecution> {
  const name = `${stem}.json`;
  const text = (await zip.read(name)).toString();
  const record = parseShape(text, name, ArchivedExecution);
  // The text of the file is compared, because schemas drop unknown fields.
  if (statement && !isAsSealed(JSON.parse(text), statement))
    throw refuseArchive(`${name} is not what was sealed.`);
  if (record.index !== numberOf(name.slice(name.lastIndexOf("/") + 1)))
    throw refuseArchive(`${name} is named after another execution.`);
  return record;
}

function isAsSealed(record: Record<string, unknown>, statement: Statement): boolean {
  const { parts, logLines } = statement;
  const log = Array.isArray(record.log) ? record.log.slice(0, logLines) : [];
  return (
    differences(record, statement).length === 0 &&
    areValuesAsSealed(record.kept, statement) &&
    (parts.verdict === undefined || (!!record.verdict && hashJson(record.verdict) === parts.verdict)) &&
    (parts.log === undefined || record.logGone === true || hashJson(log) === parts.log)
  );
}

/** The followed values are restored from what only an import reads, so they must be those that were sealed. */
function areValuesAsSealed(kept: unknown, { values }: Statement): boolean {
  const { followed } = (kept ?? {}) as {
    followed?: Record<string, { text: unknown; number: unknown }> | null;
  };
  if (followed === undefined || values === undefined) return true;
  if (followed === null) return values === null;
  const restored = Object.entries(followed).map(([name, value]) => [
    name,
    { text: value?.text, number: value?.number },
  ]);
  return canonicalJson(Object.fromEntries(restored)) === canonicalJson(values);
}

/** Reads an execution's capture; each part must match its seal, and none may be missing. */
export async function readCapture(
  zip: OpenZip,
  stem: string,
  statement: Statement | undefined,
): Promise<ArchivedCapture | null> {
  const parts: Partial<Record<keyof typeof endings, Buffer>> = {};
  for (const [part, ending] of Object.entries(endings) as [keyof typeof endings, string][]) {
    const name = `${stem}.${ending}`;
    const hash = statement?.parts[part as SealedPart];
    if (!zip.entries.has(name)) {
      if (hash !== undefined) throw refuseArchive(`${name} is missing.`);
      continue;
    }
    const bytes = await zip.read(name);
    // A picture is sealed by its pixels, which are only known after decoding.
    if (part !== "picture" && hash !== undefined && hashText(bytes) !== hash)
      throw refuseArchive(`${name} is not what was sealed.`);
    parts[part] = bytes;
  }
  const { html, response, facts, picture = null } = parts;
  if (!html && !response && !facts && !picture) return null;
  if (!html || !response || !facts)
    throw refuseArchive(
      `${stem}.${!html ? endings.html : !response ? endings.response : endings.facts} is missing.`,
    );
  const isHtmlTooLarge =
    html.length > captureLimits.htmlCharacters && html.toString().length > captureLimits.htmlCharacters;
  if (isHtmlTooLarge || response.length > captureLimits.responseBytes)
    throw refuseArchive(
      `${stem}.${isHtmlTooLarge ? endings.html : endings.response} is larger than a capture can be.`,
    );
  const given = parseJson(facts.toString(), `${stem}.${endings.facts}`);
  const known = validate(given, `${stem}.${endings.facts}`, Facts);
  // Only known fields of a capture are stored; if there are no others, exactly the bytes that were sealed.
  const storedFacts = isDeepStrictEqual(given, known) ? facts : Buffer.from(JSON.stringify(known));
  return {
    stem,
    parts: { html, response, facts: storedFacts, picture },
    hashes: { text: hashText(textOf(known)), headers: hashJson(known.headers) },
    pictureName: picture && createHash("sha256").update(picture).digest("hex"),
    sealedPixels: (picture && statement?.parts.picture) ?? null,
  };
}

/** Reads a job's noise memory; archives of earlier versions have none. */
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
  if (!zip.entries.has(name)) throw refuseArchive(`${name} is missing.`);
  return parseShape((await zip.read(name)).toString(), name, shape);
}

function parseShape<Shape extends z.ZodType>(text: string, name: string, shape: Shape): z.output<Shape> {
  return validate(parseJson(text, name), name, shape);
}

function validate<Shape extends z.ZodType>(given: unknown, name: string, shape: Shape): z.output<Shape> {
  const { data, error } = shape.safeParse(given);
  if (!data) throw refuseArchive(`${name} is not whole: ${error?.issues[0]?.path.join(".") || "its shape"}.`);
  return data;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuseArchive(`${name} is not JSON.`);
  }
}

import type { z } from "zod";
import {
  differences,
  firstLink,
  hashJson,
  hashText,
  linkOf,
  type SealedPart,
  type Statement,
} from "#checks/verify.ts";
import { AppError } from "#contract/errors.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { OpenZip } from "#jobs/open-zip.ts";
import { noiseFile } from "../export-account.ts";
import { About, ChainLine, Facts, Memory, PastExecution, Sealed } from "./past-shapes.ts";

const MiB = 1024 * 1024;
export const pastLimits = { files: 200_000, record: 20 * MiB, part: 64 * MiB, unpacked: 4096 * MiB };

/** An archive that is not whole, in a sentence. */
export const refusePast = (why: string) =>
  new AppError("INVALID_INPUT", `The archive cannot be taken: ${why} Nothing was imported.`, {
    field: "file",
  });

const files = { html: "html.txt", response: "response.bin", facts: "facts.json", picture: "png" } as const;
export type PastParts = { html: Buffer; response: Buffer; facts: Buffer; picture: Buffer | null };

/** The history of one job in an archive. */
export type Past = {
  /** What the files of each execution are called before their ending, oldest first. */
  stems: string[];
  /** The seal of each execution that has one, by its stem. */
  seals: Map<string, Statement>;
};

/** What an archive will unpack to; refuses what is too large by what its list says, before anything is read. */
export function sizeOfPast(zip: OpenZip, folder: string): number {
  let total = 0;
  for (const [name, { size }] of zip.entries) {
    if (!name.startsWith(`${folder}/`)) continue;
    const isPart = Object.values(files).some((ending) => name.endsWith(`.${ending}`));
    if (size > (isPart ? pastLimits.part : pastLimits.record)) throw refusePast(`${name} is too large.`);
    total += size;
  }
  return total;
}

/** How many executions an archive has of a job. */
export function stemsOf(zip: OpenZip, folder: string): string[] {
  const prefix = `${folder}/executions/`;
  return [...zip.entries.keys()]
    .filter((name) => name.startsWith(prefix) && /^\d{6,9}\.json$/.test(name.slice(prefix.length)))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

/** Reads a job's chain; each execution that it says is kept must be there, in the words that were sealed. */
export async function readPast(zip: OpenZip, folder: string): Promise<Past> {
  const about = await readJson(zip, `${folder}/job.json`, About);
  const stems = stemsOf(zip, folder);
  const pages = [...zip.entries.keys()]
    .filter((name) => name.startsWith(`${folder}/chain/seals-`) && name.endsWith(".jsonl"))
    .sort();
  const seals: Past["seals"] = new Map();
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
  return { stems, seals };
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
): Promise<PastParts | null> {
  const parts: Partial<Record<keyof typeof files, Buffer>> = {};
  for (const [part, ending] of Object.entries(files) as [keyof typeof files, string][]) {
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
    throw refusePast(`${stem}.${!html ? files.html : !response ? files.response : files.facts} is missing.`);
  shaped(facts.toString(), `${stem}.${files.facts}`, Facts);
  return { html, response, facts, picture };
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
  const { data, error } = shape.safeParse(parsed(text, name));
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

// Reads an archive's history outside the thread that answers API calls. Each thread has one archive, which stays open
// between calls.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { flushCompileCache } from "node:module";
import { gzipSync } from "node:zlib";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { toThreadAnswer } from "#contract/unreadable-file.ts";
import { type NoiseMemory } from "#detection/noise-memory/noise-memory.ts";
import { hashText } from "#evidence/seal-format.ts";
import { type OpenZip, openZip } from "#zip/read-zip.ts";
import type { ArchivedExecution } from "./archive-schemas.ts";
import {
  type ArchivedCapture,
  type ArchivedFiles,
  type ArchivedSeals,
  archiveLimits,
  indexArchive,
  readCapture,
  readNoise,
  readRecord,
  readSeals,
  refuseArchive,
} from "./read-archived-history.ts";

// The next thread loads faster with the code that this one has compiled.
flushCompileCache();

let zip: OpenZip;
let filesIn: (folder: string) => ArchivedFiles;
/** Seals of the folder that was last passed to `begin`. */
let seals: ArchivedSeals["seals"] = new Map();

/** Opens an archive; returns its SHA-256 and the number of executions in each folder. */
export const open = ({ file, folders }: { file: string; folders: string[] }) =>
  toThreadAnswer(async (): Promise<{ fingerprint: string; counts: number[] }> => {
    zip = await openZip(file, archiveLimits.files);
    filesIn = indexArchive(zip);
    if (new Set(folders).size < folders.length) throw refuseArchive("Two of its jobs have the same folder.");
    const all = folders.map(filesIn);
    const tooLarge = all.map((files) => files.tooLarge).find(Boolean);
    if (tooLarge) throw refuseArchive(`${tooLarge} is too large.`);
    if (all.reduce((sum, { bytes }) => sum + bytes, 0) > archiveLimits.unpacked)
      throw refuseArchive("Its contents are larger than 4 GiB unpacked.");
    const counts = all.map(({ stems }) => stems.length);
    if (counts.reduce((sum, count) => sum + count, 0) > archiveLimits.executions)
      throw refuseArchive("It contains more than 60,000 executions.");
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    return { fingerprint: hash.digest("hex"), counts };
  });

/** The seals that came with a folder, each as compressed text, and the place of each execution in the first of them. */
export type FolderSeals = {
  origins: { hash: string; packed: Uint8Array }[];
  places: ({ position: number; hash: string } | null)[];
};

/** Verifies what the archive has of a job besides its executions. */
export const begin = (folder: string) =>
  toThreadAnswer(async (): Promise<FolderSeals> => {
    const read = await readSeals(zip, folder, filesIn(folder));
    seals = read.seals;
    await readNoise(zip, folder);
    return {
      origins: read.origins.map((text) => ({ hash: hashText(text), packed: gzipSync(text) })),
      places: filesIn(folder).stems.map((stem) => {
        const seal = seals.get(stem);
        return seal ? { position: seal.position, hash: seal.hash } : null;
      }),
    };
  });

/** Verifies an execution by its index in the folder that was last passed to `begin`. */
export async function readExecution({ folder, at }: { folder: string; at: number }) {
  const answer = await toThreadAnswer(async (): Promise<ArchivedCapture | null> => {
    const stem = filesIn(folder).stems[at] ?? "";
    const statement = seals.get(stem)?.statement;
    await readRecord(zip, stem, statement);
    const capture = await readCapture(zip, stem, statement);
    if (!capture) return null;
    const { html, response, facts, picture } = capture.parts;
    const parts = {
      html: ownBytes(html),
      response: ownBytes(response),
      facts: ownBytes(facts),
      picture: picture && ownBytes(picture),
    };
    return { ...capture, parts };
  });
  if (!("value" in answer) || !answer.value) return answer;
  // Transferred instead of copied, because the thread that answers API calls would do the copying.
  const parts = Object.values(answer.value.parts).filter((part) => part !== null);
  return move({ [transferableSymbol]: parts.map(({ buffer }) => buffer), [valueSymbol]: answer } as never);
}

/** Small buffers share memory with others, which can't be transferred. */
const ownBytes = (bytes: Uint8Array) =>
  bytes.length === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);

// As much as one statement takes, and as can be serialized without holding up API calls.
const batch = { executions: 100, bytes: 1024 * 1024 };
export type ArchivedRecord = { at: number; record: ArchivedExecution; bytes: number };

/** Reads the records of a batch of a folder's executions, starting at an index. */
export const readRecords = ({ folder, from }: { folder: string; from: number }) =>
  toThreadAnswer(async (): Promise<ArchivedRecord[]> => {
    const records: ArchivedRecord[] = [];
    let bytes = 0;
    for (const [offset, stem] of filesIn(folder)
      .stems.slice(from, from + batch.executions)
      .entries()) {
      const record = await readRecord(zip, stem);
      const size = JSON.stringify(record).length;
      records.push({ at: from + offset, record, bytes: size });
      bytes += size;
      if (bytes > batch.bytes) break;
    }
    return records;
  });

/** Reads a job's noise memory. */
export const readMemory = (folder: string) =>
  toThreadAnswer((): Promise<NoiseMemory | null> => readNoise(zip, folder));

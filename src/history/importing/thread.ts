// Reads an archive's history, away from the thread that answers calls. One archive a thread: it stays open between calls.
import { flushCompileCache } from "node:module";
import { move, transferableSymbol, valueSymbol } from "piscina";
import type { Statement } from "#checks/verify.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import { type OpenZip, openZip } from "#jobs/open-zip.ts";
import { toAnswer } from "#jobs/unreadable-file.ts";
import type { PastExecution } from "./past-shapes.ts";
import {
  indexPast,
  type PastCapture,
  type PastFiles,
  pastLimits,
  readCapture,
  readNoise,
  readRecord,
  readSeals,
  refusePast,
} from "./read-past.ts";

// The next thread loads faster with what this one has compiled.
flushCompileCache();

let zip: OpenZip;
let filesIn: (folder: string) => PastFiles;
/** Of the folder that was begun last. */
let seals = new Map<string, Statement>();

/** Opens an archive; answers how many executions there are in each of the folders. */
export const open = ({ file, folders }: { file: string; folders: string[] }) =>
  toAnswer(async (): Promise<number[]> => {
    zip = await openZip(file, pastLimits.files);
    filesIn = indexPast(zip);
    if (new Set(folders).size < folders.length) throw refusePast("Two of its jobs have the same folder.");
    const all = folders.map(filesIn);
    const tooLarge = all.map((files) => files.tooLarge).find(Boolean);
    if (tooLarge) throw refusePast(`${tooLarge} is too large.`);
    if (all.reduce((sum, { bytes }) => sum + bytes, 0) > pastLimits.unpacked)
      throw refusePast("What it holds is larger than 4 GiB unpacked.");
    const counts = all.map(({ stems }) => stems.length);
    if (counts.reduce((sum, count) => sum + count, 0) > pastLimits.executions)
      throw refusePast("It holds more than 60,000 executions.");
    return counts;
  });

/** Looks through what there is of a job besides its executions. */
export const begin = (folder: string) =>
  toAnswer(async (): Promise<void> => {
    seals = await readSeals(zip, folder, filesIn(folder).pages);
    await readNoise(zip, folder);
  });

/** Looks through an execution, by its place among those of the folder that was begun last. */
export async function readExecution({ folder, at }: { folder: string; at: number }) {
  const answer = await toAnswer(async (): Promise<PastCapture | null> => {
    const stem = filesIn(folder).stems[at] ?? "";
    const statement = seals.get(stem);
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
  // Handed over, not copied: the thread that answers calls would do the copying.
  const parts = Object.values(answer.value.parts).filter((part) => part !== null);
  return move({ [transferableSymbol]: parts.map(({ buffer }) => buffer), [valueSymbol]: answer } as never);
}

/** Small buffers lie in memory that they share with others, which cannot be handed over. */
const ownBytes = (bytes: Uint8Array) =>
  bytes.length === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);

// As much as a statement takes, and as can be written down without holding up calls.
const batch = { executions: 100, bytes: 1024 * 1024 };
export type PastRecord = { at: number; record: PastExecution; bytes: number };

/** The records of some executions of a folder, from a place on. */
export const readRecords = ({ folder, from }: { folder: string; from: number }) =>
  toAnswer(async (): Promise<PastRecord[]> => {
    const records: PastRecord[] = [];
    let bytes = 0;
    for (const [n, stem] of filesIn(folder)
      .stems.slice(from, from + batch.executions)
      .entries()) {
      const record = await readRecord(zip, stem);
      const size = JSON.stringify(record).length;
      records.push({ at: from + n, record, bytes: size });
      bytes += size;
      if (bytes > batch.bytes) break;
    }
    return records;
  });

/** What was learned of a job's noise. */
export const readMemory = (folder: string) =>
  toAnswer((): Promise<NoiseMemory | null> => readNoise(zip, folder));

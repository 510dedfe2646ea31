import { randomBytes } from "node:crypto";
import pLimit from "p-limit";
import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { type NoiseMemory } from "#detection/noise-memory/noise-memory.ts";
import { sealAll } from "#evidence/seal.ts";
import { insertOrigins } from "#evidence/seal-rows.ts";
import {
  addRefs,
  decodePicture,
  dropContents,
  hashPixels,
  storeBytes,
  storePicture,
  touchContents,
} from "#storage/contents.ts";
import { hashesOf, type Kept, restoreExecutions, restoreJobCounters } from "#storage/executions.ts";
import { saveMemories } from "#storage/jobs.ts";
import { openLimitedThreads } from "#worker-threads/limited-threads.ts";
import type { DraftHistory, ImportedHistory } from "../import-jobs.ts";
import { type ArchivedCapture, type ArchivedParts, refuseArchive } from "./read-archived-history.ts";
import type { ArchivedRecord, FolderSeals } from "./thread.ts";

// Contents that nothing refers to are deleted after an hour, so they are touched more often.
const touchEveryMs = 10 * 60_000;
// An execution or a batch of records takes a second at most; a job's chain may have tens of thousands of seals.
const seconds = { step: 60, chain: 600 };
// Open archives take memory, and reading them takes a processor, so the steps of all archives take turns.
const maxOpen = 8;
const steps = pLimit(2);
// Most executions that are sealed together, and most bytes hashed for them without holding up API calls.
const sealBatch = { executions: 50, bytes: 1024 * 1024 };

let openCount = 0;

/** Takes a slot for an open archive; returns the function that frees it. Refuses if too many are open. */
function takeSlot(): () => void {
  if (openCount >= maxOpen)
    throw new AppError("RATE_LIMITED", "Many archives are being imported right now. Try again in a minute.", {
      retryAfterSeconds: 60,
    });
  openCount++;
  return () => void openCount--;
}

type KeptCapture = { kept: Kept; hashes: ArchivedCapture["hashes"] };

type OpenArchive = {
  deps: Deps;
  accountId: string;
  /** Runs a step of the thread that reads the archive. */
  read: <T>(step: string, input: unknown) => Promise<T>;
  /** How many executions a folder has. */
  countOf: (folder: string) => number;
  /** The SHA-256 of the archive. */
  fingerprint: string;
  /** The seals that came with a folder. */
  sealsOf: (folder: string) => FolderSeals | undefined;
  /** The stored capture of a folder's execution, if it was kept. */
  captureAt: (folder: string, at: number) => KeptCapture | undefined;
};

/** Opens an archive's history: verified and stored apart from any job first, then restored in one transaction. */
export async function openHistory(
  deps: Deps,
  { accountId }: Actor,
  file: string,
  drafts: DraftHistory[],
): Promise<ImportedHistory> {
  const freeSlot = takeSlot();
  const thread = openLimitedThreads(new URL("./thread.ts", import.meta.url), {
    threads: 1,
    keepsState: true,
    limit: steps,
  });
  const close = async () => {
    freeSlot();
    await thread.close();
  };
  const read = <T>(name: string, input: unknown) => thread.run<T>(name, input, seconds.step);
  const folders = drafts.flatMap(({ history }) => history?.folder ?? []);
  const opened = await read<{ fingerprint: string; counts: number[] }>("open", { file, folders }).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  const { counts: list, fingerprint } = opened;
  const counts = new Map(folders.map((folder, at) => [folder, list[at] ?? 0]));
  const countOf = (folder: string) => counts.get(folder) ?? 0;
  /** By folder and index within it. */
  const captures = new Map<string, KeptCapture>();
  const keyOf = (folder: string, at: number) => `${folder} ${at}`;
  const captureAt = (folder: string, at: number) => captures.get(keyOf(folder, at));
  const folderSeals = new Map<string, FolderSeals>();
  const sealsOf = (folder: string) => folderSeals.get(folder);
  const archive: OpenArchive = { deps, accountId, read, countOf, fingerprint, sealsOf, captureAt };
  /** By hash, the oldest first. */
  const contents = new Map<string, Buffer>();
  const pictures = new Map<string, string>();

  /** Pages often stay the same for long, so a picture that was decoded is not decoded again. */
  async function pixelsOf(picture: Uint8Array, name: string): Promise<string> {
    const known = pictures.get(name);
    if (known) return known;
    const pixels = await decodePicture(picture).catch(() => null);
    if (!pixels) return "";
    const hash = (await hashPixels(pixels)).toString("hex");
    pictures.set(name, hash);
    return hash;
  }

  async function assertPicture(stem: string, capture: ArchivedCapture): Promise<void> {
    const { parts, pictureName, sealedPixels } = capture;
    if (!parts.picture || pictureName === null) return;
    const pixels = await pixelsOf(parts.picture, pictureName);
    if (pixels === "") throw refuseArchive(`${stem}.png isn’t a picture.`);
    if (sealedPixels !== null && sealedPixels !== pixels)
      throw refuseArchive(`${stem}.png is not what was sealed.`);
  }

  async function keepParts(parts: ArchivedParts, previous: Kept | null): Promise<Kept> {
    const track = async (kept: Promise<Buffer>) => {
      const hash = await kept;
      contents.set(hash.toString("hex"), hash);
      return hash;
    };
    return {
      html: await track(storeBytes(deps, accountId, parts.html, previous?.html)),
      body: await track(storeBytes(deps, accountId, parts.response, previous?.body)),
      facts: await track(storeBytes(deps, accountId, parts.facts, previous?.facts)),
      picture:
        parts.picture && (await track(storePicture(deps, accountId, parts.picture, previous?.picture))),
    };
  }

  return {
    close,
    say({ history }) {
      const count = history ? countOf(history.folder) : 0;
      if (count === 0) return null;
      return count === 1 ? "1 execution with its capture." : `${count} executions with their captures.`;
    },
    async keep(isWanted, onProgress) {
      const total = list.reduce((sum, count) => sum + count, 0);
      let done = 0;
      let touchedAt = Date.now();
      onProgress(done, total);
      for (const [draftIndex, { history }] of drafts.entries()) {
        if (!history) continue;
        const { folder } = history;
        folderSeals.set(folder, await thread.run<FolderSeals>("begin", folder, seconds.chain));
        let previous: Kept | null = null;
        for (let at = 0; at < countOf(folder); at++) {
          const capture: ArchivedCapture | null = await read("readExecution", { folder, at });
          if (capture) await assertPicture(capture.stem, capture);
          if (capture && isWanted(draftIndex)) {
            previous = await keepParts(capture.parts, previous);
            captures.set(keyOf(folder, at), { kept: previous, hashes: capture.hashes });
          }
          if (Date.now() - touchedAt > touchEveryMs) {
            await touchContents(deps.db, accountId, [...contents.values()]);
            touchedAt = Date.now();
          }
          onProgress(++done, total);
        }
      }
      await touchContents(deps.db, accountId, [...contents.values()]);
    },
    async restore(tx, made, onProgress) {
      await restoreAll(archive, tx, made, onProgress).catch((error: { code?: unknown }) => {
        // PostgreSQL's class 22: for example a number out of its column's range, or a character that text can't hold.
        throw String(error.code).startsWith("22") ? refuseArchive("A value in it cannot be stored.") : error;
      });
    },
    drop: () => dropContents(deps, accountId, [...contents.values()]),
  };
}

/** Restores the executions of all jobs with the captures that were kept, then seals them. */
async function restoreAll(
  { deps, accountId, read, countOf, fingerprint, sealsOf, captureAt }: OpenArchive,
  ...[tx, made, onProgress]: Parameters<ImportedHistory["restore"]>
): Promise<void> {
  const total = made.reduce((sum, { draft }) => sum + countOf(draft.history?.folder ?? ""), 0);
  let done = 0;
  const importedAt = new Date().toISOString();
  const chains: ToSeal[][] = [];
  for (const { id: jobId, draft } of made) {
    const { history } = draft;
    if (!history) continue;
    const { folder } = history;
    const { origins = [], places = [] } = sealsOf(folder) ?? {};
    await insertOrigins(
      tx,
      origins.map(({ hash, packed }) => ({
        job_id: jobId,
        hash: Buffer.from(hash, "hex"),
        account_id: accountId,
        evidence: Buffer.from(packed),
      })),
    );
    const evidence = origins[0]?.hash;
    const ids = new Map<string, string>();
    const chain: ToSeal[] = [];
    while (chain.length < countOf(folder)) {
      const records = await read<ArchivedRecord[]>("readRecords", { folder, from: chain.length });
      const batch = records.map(({ at, record, bytes }) => {
        const id = idAt(new Date(record.createdAt), record.index);
        ids.set(record.id, id);
        const { comparedWith = null, ...rest } = record.kept ?? {};
        const baseline = (comparedWith && ids.get(comparedWith)) || null;
        const capture = captureAt(folder, at);
        chain.push({ id, bytes, hashes: capture?.hashes ?? null });
        const place = places[at];
        const origin = evidence !== undefined && place ? { evidence, ...place } : null;
        return {
          id,
          record: { ...record, ...rest },
          baseline,
          kept: capture?.kept ?? null,
          imported: { at: importedAt, archive: fingerprint, origin },
        };
      });
      const references = batch.flatMap((one) => (one.kept ? hashesOf(one.kept) : []));
      await addRefs(tx, accountId, references, 1);
      await restoreExecutions(tx, { jobId, accountId }, batch);
      done += batch.length;
      onProgress(done, total * 2);
    }
    chains.push(chain);
    const memory = await read<NoiseMemory | null>("readMemory", folder);
    if (memory) await saveMemories(tx, [{ jobId, memory, evidence: null }]);
    await restoreJobCounters(tx, jobId, {
      baseline: (history.baseline && ids.get(history.baseline)) || null,
      createdAt: history.createdAt,
    });
  }
  // A chain is sealed link by link; the chains of several jobs are sealed side by side.
  const longest = chains.reduce((most, { length }) => Math.max(most, length), 0);
  for (let at = 0; at < longest; at++) {
    for (const links of inBatches(chains.flatMap((chain) => chain[at] ?? []))) {
      await sealAll(deps, tx, new Map(links.map(({ id, hashes }) => [id, hashes && { hashes }])));
      done += links.length;
      onProgress(done, total * 2);
    }
  }
}

type ToSeal = { id: string; bytes: number; hashes: ArchivedCapture["hashes"] | null };

function* inBatches(links: ToSeal[]): Generator<ToSeal[]> {
  let batch: ToSeal[] = [];
  let bytes = 0;
  for (const link of links) {
    batch.push(link);
    bytes += link.bytes;
    if (batch.length < sealBatch.executions && bytes < sealBatch.bytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Makes a version 7 UUID for a past time, so that lists keep their order. */
function idAt(at: Date, number: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt16BE(0x7000 | (number & 0xfff), 6);
  bytes.writeUInt8(0x80 | ((bytes[8] ?? 0) & 0x3f), 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

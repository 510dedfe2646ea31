import { randomBytes } from "node:crypto";
import pLimit from "p-limit";
import type { Deps } from "#checks/deps.ts";
import { sealAll } from "#checks/seal.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { BroughtHistory, HistoryOf } from "#jobs/import-jobs.ts";
import { openReadingThreads } from "#jobs/reading-threads.ts";
import {
  addRefs,
  decodePicture,
  dropContents,
  hashPixels,
  keepBytes,
  keepPicture,
  touchContents,
} from "#storage/chains.ts";
import { hashesOf, type Kept, restoreExecutions, restoreJob } from "#storage/executions.ts";
import { saveMemories } from "#storage/jobs.ts";
import { type PastCapture, type PastParts, refusePast } from "./importing/read-past.ts";
import type { PastRecord } from "./importing/thread.ts";

// What nothing refers to is collected after an hour.
const touchEveryMs = 10 * 60_000;
// An execution, or some records, take a second at most; a job's chain may have tens of thousands of seals.
const seconds = { step: 60, chain: 600 };
// Archives that are open take memory, those that are read a processor. Steps of all take turns.
const mostOpen = 8;
const steps = pLimit(2);
// As many executions as are sealed together, and as much as is hashed of them without holding up calls.
const sealed = { executions: 50, bytes: 1024 * 1024 };

let opened = 0;

/** Counts an archive as open; answers how to close it. Refuses where too many are. */
function takePlace(): () => void {
  if (opened >= mostOpen)
    throw new AppError("RATE_LIMITED", "Many archives are being imported right now. Try again in a minute.", {
      retryAfterSeconds: 60,
    });
  opened++;
  return () => void opened--;
}

type KeptCapture = { kept: Kept; hashes: PastCapture["hashes"] };

/** The history in an archive of ours: looked through and kept apart from any job, then brought in one transaction. */
export async function openHistory(
  deps: Deps,
  { accountId }: Actor,
  file: string,
  drafts: HistoryOf[],
): Promise<BroughtHistory> {
  const leave = takePlace();
  const thread = openReadingThreads(new URL("./importing/thread.ts", import.meta.url), {
    threads: 1,
    keepsState: true,
    limit: steps,
  });
  const close = async () => {
    leave();
    await thread.close();
  };
  const read = <T>(name: string, input: unknown) => thread.run<T>(name, input, seconds.step);
  const folders = drafts.flatMap(({ history }) => history?.folder ?? []);
  const list = await read<number[]>("open", { file, folders }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const counts = new Map(folders.map((folder, at) => [folder, list[at] ?? 0]));
  const countOf = (folder: string) => counts.get(folder) ?? 0;
  /** By folder and place in it. */
  const captures = new Map<string, KeptCapture>();
  const nameOf = (folder: string, at: number) => `${folder} ${at}`;
  /** By their names, the oldest first. */
  const contents = new Map<string, Buffer>();
  const pictures = new Map<string, string>();

  /** Pages stand still for long: a picture that was decoded is not decoded again. */
  async function pixelsOf(picture: Uint8Array, name: string): Promise<string> {
    const known = pictures.get(name);
    if (known) return known;
    const pixels = await decodePicture(picture).catch(() => null);
    if (!pixels) return "";
    const hash = (await hashPixels(pixels)).toString("hex");
    pictures.set(name, hash);
    return hash;
  }

  async function assertPicture(stem: string, capture: PastCapture): Promise<void> {
    const { parts, pictureName, sealedPixels } = capture;
    if (!parts.picture || pictureName === null) return;
    const pixels = await pixelsOf(parts.picture, pictureName);
    if (pixels === "") throw refusePast(`${stem}.png is no picture.`);
    if (sealedPixels !== null && sealedPixels !== pixels)
      throw refusePast(`${stem}.png is not what was sealed.`);
  }

  async function keepParts(parts: PastParts, before: Kept | null): Promise<Kept> {
    const keep = async (kept: Promise<Buffer>) => {
      const hash = await kept;
      contents.set(hash.toString("hex"), hash);
      return hash;
    };
    return {
      html: await keep(keepBytes(deps, accountId, parts.html, before?.html)),
      body: await keep(keepBytes(deps, accountId, parts.response, before?.body)),
      facts: await keep(keepBytes(deps, accountId, parts.facts, before?.facts)),
      picture: parts.picture && (await keep(keepPicture(deps, accountId, parts.picture, before?.picture))),
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
      for (const [of, { history }] of drafts.entries()) {
        if (!history) continue;
        const { folder } = history;
        await thread.run("begin", folder, seconds.chain);
        let before: Kept | null = null;
        for (let at = 0; at < countOf(folder); at++) {
          const capture: PastCapture | null = await read("readExecution", { folder, at });
          if (capture) await assertPicture(capture.stem, capture);
          if (capture && isWanted(of)) {
            before = await keepParts(capture.parts, before);
            captures.set(nameOf(folder, at), { kept: before, hashes: capture.hashes });
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
      await restoreAll(tx, made, onProgress).catch((error: { code?: unknown }) => {
        // A number beyond its column, a character that no text can hold.
        throw String(error.code).startsWith("22") ? refusePast("A value in it cannot be stored.") : error;
      });
    },
    drop: () => dropContents(deps, accountId, [...contents.values()]),
  };

  async function restoreAll(...[tx, made, onProgress]: Parameters<BroughtHistory["restore"]>) {
    const total = made.reduce((sum, { draft }) => sum + countOf(draft.history?.folder ?? ""), 0);
    let done = 0;
    const chains: ToSeal[][] = [];
    for (const { id: jobId, draft } of made) {
      const { history } = draft;
      if (!history) continue;
      const { folder } = history;
      const ids = new Map<string, string>();
      const chain: ToSeal[] = [];
      while (chain.length < countOf(folder)) {
        const records = await read<PastRecord[]>("readRecords", { folder, from: chain.length });
        const some = records.map(({ at, record, bytes }) => {
          const id = idAt(new Date(record.createdAt), record.index);
          ids.set(record.id, id);
          const { comparedWith = null, ...rest } = record.kept ?? {};
          const baseline = (comparedWith && ids.get(comparedWith)) || null;
          const capture = captures.get(nameOf(folder, at));
          chain.push({ id, bytes, hashes: capture?.hashes ?? null });
          return { id, record: { ...record, ...rest }, baseline, kept: capture?.kept ?? null };
        });
        const referred = some.flatMap((one) => (one.kept ? hashesOf(one.kept) : []));
        await addRefs(tx, accountId, referred, 1);
        await restoreExecutions(tx, { jobId, accountId }, some);
        done += some.length;
        onProgress(done, total * 2);
      }
      chains.push(chain);
      const memory = await read<NoiseMemory | null>("readMemory", folder);
      if (memory) await saveMemories(tx, [{ jobId, memory, evidence: null }]);
      await restoreJob(tx, jobId, {
        baseline: (history.baseline && ids.get(history.baseline)) || null,
        createdAt: history.createdAt,
      });
    }
    // A chain is sealed link by link, those of several jobs side by side.
    const longest = chains.reduce((most, { length }) => Math.max(most, length), 0);
    for (let at = 0; at < longest; at++) {
      for (const links of inBatches(chains.flatMap((chain) => chain[at] ?? []))) {
        await sealAll(deps, tx, new Map(links.map(({ id, hashes }) => [id, hashes && { hashes }])));
        done += links.length;
        onProgress(done, total * 2);
      }
    }
  }
}

type ToSeal = { id: string; bytes: number; hashes: PastCapture["hashes"] | null };

function* inBatches(links: ToSeal[]): Generator<ToSeal[]> {
  let some: ToSeal[] = [];
  let bytes = 0;
  for (const link of links) {
    some.push(link);
    bytes += link.bytes;
    if (some.length < sealed.executions && bytes < sealed.bytes) continue;
    yield some;
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield some;
}

/** An id of version 7 as it would have been made then, so that lists keep their order. */
function idAt(at: Date, number: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt16BE(0x7000 | (number & 0xfff), 6);
  bytes.writeUInt8(0x80 | ((bytes[8] ?? 0) & 0x3f), 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

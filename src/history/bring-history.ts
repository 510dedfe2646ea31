import { createHash, randomBytes } from "node:crypto";
import type { Deps } from "#checks/deps.ts";
import { sealAll } from "#checks/seal.ts";
import type { Statement } from "#checks/verify.ts";
import type { Actor } from "#contract/actor.ts";
import type { BroughtHistory } from "#jobs/import-jobs.ts";
import { openZip } from "#jobs/open-zip.ts";
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
import {
  indexPast,
  type PastParts,
  pastLimits,
  readCapture,
  readNoise,
  readRecord,
  readSeals,
  refusePast,
} from "./importing/read-past.ts";

// What nothing refers to is collected after an hour.
const touchEveryMs = 10 * 60_000;
const batch = { executions: 100, bytes: 20 * 1024 * 1024 };

/** The history in an archive of ours: looked through and kept apart from any job, then brought in one transaction. */
export async function openHistory(deps: Deps, { accountId }: Actor, file: string): Promise<BroughtHistory> {
  const zip = await openZip(file, pastLimits.files);
  const kept = new Map<string, Kept>();
  /** By their names, the oldest first. */
  const contents = new Map<string, Buffer>();
  const pictures = new Map<string, string>();
  const filesIn = indexPast(zip);
  const countOf = (folder: string) => filesIn(folder).stems.length;

  /** Pages stand still for long: a picture that was decoded is not decoded again. */
  async function pixelsOf(stem: string, picture: Buffer): Promise<string> {
    const name = createHash("sha256").update(picture).digest("hex");
    const known = pictures.get(name);
    if (known) return known;
    const pixels = await decodePicture(picture).catch(() => {
      throw refusePast(`${stem}.png is no picture.`);
    });
    const hash = (await hashPixels(pixels)).toString("hex");
    pictures.set(name, hash);
    return hash;
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

  /** So many executions as a statement and the memory can well hold. */
  function* inBatches(folder: string): Generator<string[]> {
    let some: string[] = [];
    let bytes = 0;
    for (const stem of filesIn(folder).stems) {
      some.push(stem);
      bytes += zip.entries.get(`${stem}.json`)?.size ?? 0;
      if (some.length < batch.executions && bytes < batch.bytes) continue;
      yield some;
      some = [];
      bytes = 0;
    }
    if (some.length > 0) yield some;
  }
  return {
    close: () => zip.close(),
    say({ history }) {
      const count = history ? countOf(history.folder) : 0;
      if (count === 0) return null;
      return count === 1 ? "1 execution with its capture." : `${count} executions with their captures.`;
    },
    async keep(drafts, isWanted, onProgress) {
      const folders = drafts.flatMap(({ history }) => history?.folder ?? []);
      const tooLarge = folders.map((folder) => filesIn(folder).tooLarge).find(Boolean);
      if (tooLarge) throw refusePast(`${tooLarge} is too large.`);
      if (folders.reduce((sum, folder) => sum + filesIn(folder).bytes, 0) > pastLimits.unpacked)
        throw refusePast("What it holds is larger than 4 GiB unpacked.");
      const total = folders.reduce((sum, folder) => sum + countOf(folder), 0);
      let done = 0;
      let touchedAt = Date.now();
      onProgress(done, total);
      for (const [at, { history }] of drafts.entries()) {
        if (!history) continue;
        const { stems, pages } = filesIn(history.folder);
        const seals = await readSeals(zip, history.folder, pages);
        await readNoise(zip, history.folder);
        let before: Kept | null = null;
        for (const stem of stems) {
          const statement: Statement | undefined = seals.get(stem);
          await readRecord(zip, stem, statement);
          const parts = await readCapture(zip, stem, statement);
          if (parts?.picture) {
            const pixels = await pixelsOf(stem, parts.picture);
            if (statement?.parts.picture !== undefined && statement.parts.picture !== pixels)
              throw refusePast(`${stem}.png is not what was sealed.`);
          }
          if (parts && isWanted(at)) {
            before = await keepParts(parts, before);
            kept.set(stem, before);
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
    const chains: string[][] = [];
    for (const { id: jobId, draft } of made) {
      const { history } = draft;
      if (!history) continue;
      const ids = new Map<string, string>();
      for (const stems of inBatches(history.folder)) {
        const some = [];
        for (const stem of stems) {
          const record = await readRecord(zip, stem);
          const id = idAt(new Date(record.createdAt), record.index);
          ids.set(record.id, id);
          const { comparedWith = null, ...rest } = record.kept ?? {};
          const baseline = (comparedWith && ids.get(comparedWith)) || null;
          some.push({ id, record: { ...record, ...rest }, baseline, kept: kept.get(stem) ?? null });
        }
        const referred = some.flatMap((one) => (one.kept ? hashesOf(one.kept) : []));
        await addRefs(tx, accountId, referred, 1);
        await restoreExecutions(tx, { jobId, accountId }, some);
        done += some.length;
        onProgress(done, total * 2);
      }
      chains.push([...ids.values()]);
      const memory = await readNoise(zip, history.folder);
      if (memory) await saveMemories(tx, [{ jobId, memory, evidence: null }]);
      await restoreJob(tx, jobId, {
        baseline: (history.baseline && ids.get(history.baseline)) || null,
        createdAt: history.createdAt,
      });
    }
    // A chain is sealed link by link, those of all jobs side by side.
    const longest = Math.max(0, ...chains.map((chain) => chain.length));
    for (let at = 0; at < longest; at++) {
      const links = chains.flatMap((chain) => chain[at] ?? []);
      await sealAll(deps, tx, new Map(links.map((id) => [id, null])));
      done += links.length;
      onProgress(done, total * 2);
    }
  }
}

/** An id of version 7 as it would have been made then, so that lists keep their order. */
function idAt(at: Date, number: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt16BE(0x7000 | (number & 0xfff), 6);
  bytes.writeUInt8(0x80 | ((bytes[8] ?? 0) & 0x3f), 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

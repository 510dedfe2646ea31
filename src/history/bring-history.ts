import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Deps } from "#checks/deps.ts";
import { seal } from "#checks/seal.ts";
import type { Statement } from "#checks/verify.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { Comparison, Execution } from "#contract/job.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { BroughtHistory } from "#jobs/import-jobs.ts";
import { type OpenZip, openZip } from "#jobs/open-zip.ts";
import { addRefs, keepBytes, keepPicture } from "#storage/chains.ts";
import { hashesOf, insertVerdict, type Kept, restoreExecution, restoreJob } from "#storage/executions.ts";
import { saveMemories } from "#storage/jobs.ts";
import { noiseFile } from "./export-account.ts";

const MiB = 1024 * 1024;
const limits = { files: 200_000, record: 20 * MiB, part: 64 * MiB, unpacked: 4096 * MiB };

const stages = z.object({
  wait: z.number(),
  capture: z.number(),
  confirm: z.number(),
  compare: z.number(),
  store: z.number(),
});
const PastExecution = Execution.extend({
  verdict: Comparison.omit({ from: true, to: true }).loose().nullable(),
  log: z.array(
    z.object({ at: z.iso.datetime(), level: z.enum(["info", "warn", "error"]), meta: z.string() }),
  ),
  kept: z
    .object({
      comparedWith: z.string().nullable(),
      failure: z.string().nullable(),
      via: z.string().nullable(),
      stages: stages.nullable(),
      followed: z
        .record(
          z.string(),
          z.object({
            text: z.string().nullable(),
            number: z.number().nullable(),
            last: z.number().optional(),
          }),
        )
        .nullable(),
    })
    .optional(),
});
type PastExecution = z.infer<typeof PastExecution>;

/** A capture's facts, as far as all that reads them needs; the rest comes along as it is. */
const Facts = z.looseObject({
  url: z.string(),
  finalUrl: z.string(),
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  kind: z.enum(["html", "text", "json", "xml", "javascript", "pdf", "image", "other"]),
  text: z.array(z.object({ role: z.string(), area: z.string(), text: z.string() })),
  title: z.string(),
  links: z.array(z.object({ href: z.string(), text: z.string() })),
  forms: z.array(z.looseObject({ action: z.string(), inputs: z.array(z.looseObject({ name: z.string() })) })),
  scripts: z.array(z.looseObject({ sha256: z.string() })),
  picture: z.looseObject({ width: z.int(), height: z.int() }).nullable(),
});

const Shape = z.object({ minLength: z.number(), maxLength: z.number(), kinds: z.string() });
const since = { since: z.string().optional() };
const flag = z.literal(true).optional();
const Memory = z.object({
  version: z.literal(1),
  captures: z.number(),
  checks: z.number(),
  pieces: z.record(
    z.string(),
    z.object({
      place: z.string(),
      sample: z.string(),
      flips: z.number(),
      last: z.number(),
      twin: z.boolean().optional(),
      ...since,
    }),
  ),
  slots: z.record(
    z.string(),
    z.array(
      z.object({
        value: z.string(),
        other: z.string().optional(),
        sample: z.string(),
        changes: z.number(),
        last: z.number(),
        twin: z.boolean(),
        shape: Shape,
        ...since,
      }),
    ),
  ),
  seen: z.record(z.string(), z.number()),
  boxes: z.array(
    z.object({
      x: z.number(),
      y: z.number(),
      width: z.number(),
      height: z.number(),
      kept: flag,
      said: flag,
      ...since,
    }),
  ),
  told: z.record(z.string(), z.object({ checks: z.array(z.number()), shape: Shape, asked: flag })),
  turns: z.record(z.string(), z.number()),
  waiting: z.array(z.string()).default([]),
  answers: z.record(z.string(), z.enum(["keepTelling", "daily", "noise"])),
  kept: z.array(z.string()),
  said: z.record(
    z.string(),
    z.object({
      place: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      values: z.array(z.string()),
      shape: Shape,
      any: flag,
      at: z.string(),
    }),
  ),
  dates: z.record(z.string(), z.string()),
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The history in an archive of ours: looked through whole before anything is made, then brought job by job. */
export function openHistory(
  deps: Deps,
  { accountId }: Actor,
  file: string,
): BroughtHistory & { close(): void } {
  let zip: OpenZip | undefined;
  return {
    close: () => zip?.close(),
    async look(drafts) {
      if (drafts.every(({ history }) => history === null)) return [];
      zip = await openZip(file, limits.files);
      const said: string[] = [];
      let total = 0;
      for (const { history } of drafts) {
        const stems = history ? stemsOf(zip, history.folder) : [];
        for (const stem of stems) {
          total += sizeOf(zip, stem);
          if (total > limits.unpacked) throw refuse("What it holds is larger than 4 GiB unpacked.");
          await readRecord(zip, stem);
        }
        if (history) await readNoise(zip, history.folder);
        const count =
          stems.length === 1
            ? "1 execution with its capture."
            : `${stems.length} executions with their captures.`;
        said.push(stems.length > 0 ? count : "");
      }
      return said;
    },
    async bring(jobId, { history }) {
      if (!history || !zip) return;
      const stems = stemsOf(zip, history.folder);
      const memory = await readNoise(zip, history.folder);
      const brought: { record: PastExecution; kept: Kept | null }[] = [];
      let before: Kept | null = null;
      for (const stem of stems) {
        const record = await readRecord(zip, stem);
        const kept: Kept | null = await keepParts(deps, accountId, zip, stem, before);
        brought.push({ record, kept });
        before = kept ?? before;
      }
      await deps.db.transaction().execute(async (tx) => {
        const ids = new Map<string, string>();
        for (const { record, kept } of brought) {
          const id = idAt(new Date(record.createdAt), record.index);
          ids.set(record.id, id);
          if (kept) await addRefs(tx, accountId, hashesOf(kept), 1);
          const { comparedWith, ...rest } = record.kept ?? { comparedWith: null };
          await restoreExecution(tx, {
            id,
            jobId,
            accountId,
            record: { ...record, ...rest },
            baseline: (comparedWith && ids.get(comparedWith)) || null,
            kept,
            log: record.log,
          });
          if (record.verdict) await insertVerdict(tx, accountId, id, record.verdict);
          await seal(deps, tx, id);
        }
        if (memory) await saveMemories(tx, [{ jobId, memory, evidence: null }]);
        await restoreJob(tx, jobId, {
          baseline: (history.baseline && ids.get(history.baseline)) || null,
          createdAt: history.createdAt,
        });
      });
    },
  };
}

/** An archive that is not whole, in a sentence. */
const refuse = (why: string) =>
  new AppError("INVALID_INPUT", `The archive cannot be taken: ${why}`, { field: "file" });

/** What the files of each execution are called before their ending, oldest first. */
function stemsOf(zip: OpenZip, folder: string): string[] {
  const prefix = `${folder}/executions/`;
  return [...zip.entries.keys()]
    .filter((name) => name.startsWith(prefix) && /^\d{6,9}\.json$/.test(name.slice(prefix.length)))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

const endings = ["html.txt", "response.bin", "facts.json", "png", "seal", "json"];

function sizeOf(zip: OpenZip, stem: string): number {
  return endings.reduce((sum, ending) => {
    const size = zip.entries.get(`${stem}.${ending}`)?.size ?? 0;
    if (size > (ending === "json" ? limits.record : limits.part))
      throw refuse(`${stem}.${ending} is too large.`);
    return sum + size;
  }, 0);
}

async function readRecord(zip: OpenZip, stem: string): Promise<PastExecution> {
  const { data, error } = PastExecution.safeParse(parsed(await zip.read(`${stem}.json`), stem));
  if (!data) throw refuse(`${stem}.json is not whole: ${error.issues[0]?.path.join(".")}.`);
  return data;
}

/** Archives of earlier versions have none. */
async function readNoise(zip: OpenZip, folder: string): Promise<NoiseMemory | null> {
  const name = `${folder}/${noiseFile}`;
  const entry = zip.entries.get(name);
  if (!entry) return null;
  if (entry.size > limits.record) throw refuse(`${name} is too large.`);
  const { data, error } = Memory.safeParse(parsed(await zip.read(name), name));
  if (!data) throw refuse(`${name} is not whole: ${error.issues[0]?.path.join(".")}.`);
  return data as NoiseMemory;
}

function parsed(bytes: Buffer, stem: string): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw refuse(`${stem} is not JSON.`);
  }
}

/** Keeps a capture as a check would; each part must be what its seal says. */
async function keepParts(
  deps: Deps,
  accountId: string,
  zip: OpenZip,
  stem: string,
  before: Kept | null,
): Promise<Kept | null> {
  const part = async (ending: string) =>
    zip.entries.has(`${stem}.${ending}`) ? zip.read(`${stem}.${ending}`) : null;
  const [html, body, facts, picture, sealed] = await Promise.all(
    ["html.txt", "response.bin", "facts.json", "png", "seal"].map(part),
  );
  if (!html || !body || !facts) return null;
  const { parts = {} } = sealed ? (parsed(sealed, stem) as Partial<Statement>) : {};
  for (const [bytes, hash] of [
    [html, parts.html],
    [body, parts.response],
    [facts, parts.facts],
  ] as const)
    if (hash !== undefined && hash !== sha256(bytes)) throw refuse(`${stem} is not as it was sealed.`);
  if (!Facts.safeParse(parsed(facts, stem)).success) throw refuse(`${stem}.facts.json is not whole.`);
  const kept = {
    html: await keepBytes(deps, accountId, html, before?.html),
    body: await keepBytes(deps, accountId, body, before?.body),
    facts: await keepBytes(deps, accountId, facts, before?.facts),
    picture: picture ? await keepPicture(deps, accountId, picture, before?.picture) : null,
  };
  if (kept.picture && parts.picture !== undefined && parts.picture !== kept.picture.toString("hex"))
    throw refuse(`${stem}.png is not as it was sealed.`);
  return kept;
}

/** An id of version 7 as it would have been made then, so that lists keep their order. */
function idAt(at: Date, number: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt16BE(0x7000 | (number & 0xfff), 6);
  bytes.writeUInt8(0x80 | ((bytes[8] ?? 0) & 0x3f), 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

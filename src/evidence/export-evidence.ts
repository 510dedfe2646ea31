import { gunzipSync } from "node:zlib";
import { readBytes, readPng } from "#storage/contents.ts";
import { describeExecution } from "#storage/describe-execution.ts";
import { type ExecutionRow, findVerdict } from "#storage/executions.ts";
import type { JobWithGroup } from "#storage/jobs.ts";
import type { ZipEntry } from "#zip/write-zip.ts";
import { buildVerifier } from "./build-verifier.ts";
import type { Deps } from "./deps.ts";
import {
  type ChainLine,
  type DayLine,
  daysFile,
  hashText,
  keyFile,
  keysFile,
  padNumber,
  signatureFile,
  signedList,
} from "./seal-format.ts";
import {
  type findChainEnd,
  findSeal,
  listDailySealsSince,
  listLogOf,
  listOrigins,
  listSeals,
} from "./seal-rows.ts";
import type { SigningKey } from "./signing-key.ts";

export type ChainEnd = Awaited<ReturnType<typeof findChainEnd>>;

/** What an export is made of. */
export type Source = {
  job: JobWithGroup;
  about: ZipEntry;
  end: ChainEnd;
  rows: AsyncIterable<ExecutionRow>;
  read: PartReader;
  /** When the export is made, the date of all its files that belong to no execution. */
  exported: Date;
  /** The last day of which an archive has the fingerprint, so that all its folders have the same. */
  lastDay?: string | undefined;
  key: SigningKey;
};
type PartReader = ReturnType<typeof openPartReader>;

/** What an export says about an execution, except for its capture. */
export async function recordOf({ db }: Pick<Deps, "db">, row: ExecutionRow) {
  const [verdict, log, seal] = await Promise.all([
    row.failure === null ? findVerdict(db, row.id) : null,
    listLogOf(db, row.id),
    findSeal(db, row.id),
  ]);
  const statement = seal?.statement ?? null;
  const sealed = seal?.statement && { position: seal.position, hash: seal.hash.toString("hex") };
  const logLines = statement ? (JSON.parse(statement) as { logLines: number }).logLines : 0;
  const gone = log.length < logLines ? { logGone: true } : {};
  // Only an import needs these, to restore the execution as it was.
  const { baseline_id: comparedWith, failure, via, stages, followed } = row;
  const kept = { comparedWith, failure, via, stages, followed };
  return {
    record: { ...describeExecution(row), verdict, log, ...gone, seal: sealed || null, kept },
    statement,
  };
}

export const stemOf = (row: Pick<ExecutionRow, "number">) => padNumber(row.number);

type ExecutionRecord = Awaited<ReturnType<typeof recordOf>>["record"];

/** The files with an execution's record and its sealed statement. */
export function recordFiles(
  row: ExecutionRow,
  record: ExecutionRecord,
  statement: string | null,
): ZipEntry[] {
  const entry = (ending: string, text: string): ZipEntry => ({
    name: `executions/${stemOf(row)}.${ending}`,
    bytes: Buffer.from(text),
    modified: row.created_at,
    compress: true,
  });
  return [entry("json", JSON.stringify(record, null, 2)), ...(statement ? [entry("seal", statement)] : [])];
}

const sealsPerFile = 2000;

/** The files with the chain up to `end`, the daily seals that vouch for it, and the program that checks both. */
export async function* chainFiles(
  { db }: Pick<Deps, "db">,
  { job, end, key, exported, lastDay }: Pick<Source, "job" | "end" | "key" | "exported" | "lastDay">,
): AsyncGenerator<ZipEntry> {
  const entry = (name: string, text: string | Uint8Array): ZipEntry => ({
    name,
    bytes: Buffer.from(text),
    modified: exported,
    compress: true,
  });
  const lines = (list: object[]) => list.map((line) => `${JSON.stringify(line)}\n`).join("");
  let file = 0;
  for (let after = 0; file === 0 || after < end.position; ) {
    const seals = await listSeals(db, job.id, after, end.position, sealsPerFile);
    const chain = seals.map(
      ({ position, number, digest, hash, statement }): ChainLine => ({
        position,
        number,
        digest: digest.toString("hex"),
        hash: hash.toString("hex"),
        kept: statement !== null,
      }),
    );
    yield entry(`chain/seals-${String(++file).padStart(6, "0")}.jsonl`, lines(chain));
    after = seals.at(-1)?.position ?? end.position;
  }
  const days: DayLine[] = [];
  for (let after = ""; end.started_at; ) {
    const page = await listDailySealsSince(db, job.account_id, end.started_at, after, 100);
    for (const { day, statement, hash, stamp, signature, sent } of page)
      if (!lastDay || day <= lastDay)
        days.push({
          day,
          statement,
          hash: hash.toString("hex"),
          stamp: stamp?.toString("base64") ?? null,
          signature: signature?.toString("base64") ?? null,
          sent: Object.keys(sent).sort(),
        });
    const last = page.at(-1);
    if (!last || page.length < 100) break;
    after = last.day;
  }
  yield entry(daysFile, lines(days));
  yield entry(keysFile, lines(key.lines));
  yield entry(keyFile, key.pem);
  let origins = 0;
  for await (const { evidence } of listOrigins(db, job.id))
    yield entry(`origins/${padNumber(++origins)}.json`, gunzipSync(evidence));
  yield entry("verify.mjs", buildVerifier());
}

/** Adds the list of all files with the SHA-256 of each, as `sha256sum` writes it, and its signature. */
export async function* signFiles(
  entries: AsyncIterable<ZipEntry>,
  { key, exported }: Pick<Source, "key" | "exported">,
): AsyncGenerator<ZipEntry> {
  let list = "";
  for await (const entry of entries) {
    list += `${hashText(entry.bytes)}  ${entry.name}\n`;
    yield entry;
  }
  const file = (name: string, bytes: Buffer) => ({ name, bytes, modified: exported, compress: false });
  yield file(signedList, Buffer.from(list));
  yield file(signatureFile, key.sign(list));
}

/** Most checks find the page unchanged, so a part that is the same as the previous one isn't read again. */
export function openPartReader(deps: Deps, accountId: string) {
  const bytes = () => cacheLast((hash) => readBytes(deps, accountId, hash));
  return {
    html: bytes(),
    body: bytes(),
    facts: bytes(),
    picture: cacheLast((hash) => readPng(deps, accountId, hash)),
  };
}

/** Reads by hash, and caches what was read last. */
function cacheLast(read: (hash: Buffer) => Promise<Uint8Array>) {
  let last: { hash: Buffer; bytes: Uint8Array } | undefined;
  return async (hash: Buffer) => {
    if (!last?.hash.equals(hash)) last = { hash, bytes: await read(hash) };
    return last.bytes;
  };
}

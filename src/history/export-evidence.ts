import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import type { Deps } from "#checks/deps.ts";
import type { ChainLine, DayLine } from "#checks/verify.ts";
import { describeExecution } from "#jobs/describe-job.ts";
import { readBytes, readPng } from "#storage/chains.ts";
import { type ExecutionRow, findVerdict } from "#storage/executions.ts";
import type { JobWithGroup } from "#storage/jobs.ts";
import { type findChainEnd, findSeal, listDaysSince, listLogOf, listSeals } from "#storage/seals.ts";
import type { ZipEntry } from "./export-zip.ts";

export type ChainEnd = Awaited<ReturnType<typeof findChainEnd>>;

/** What an export of files is made of. */
export type Source = {
  job: JobWithGroup;
  about: ZipEntry;
  end: ChainEnd;
  rows: AsyncIterable<ExecutionRow>;
  read: PartReader;
};
type PartReader = ReturnType<typeof openParts>;

/** What an export says of an execution besides its capture. */
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
  // What only an import needs, to bring it back as it was.
  const { baseline_id: comparedWith, failure, via, stages, followed } = row;
  const kept = { comparedWith, failure, via, stages, followed };
  return {
    record: { ...describeExecution(row), verdict, log, ...gone, seal: sealed || null, kept },
    statement,
  };
}

export const stemOf = (row: Pick<ExecutionRow, "number">) => String(row.number).padStart(6, "0");

type ExecutionRecord = Awaited<ReturnType<typeof recordOf>>["record"];

/** An execution's record and the words that were sealed. */
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

/** The chain as far as the export goes, the days that vouch for it, and the program that checks both. */
export async function* chainFiles(
  { db }: Pick<Deps, "db">,
  job: { id: string; account_id: string },
  end: ChainEnd,
): AsyncGenerator<ZipEntry> {
  const entry = (name: string, text: string): ZipEntry => ({
    name,
    bytes: Buffer.from(text),
    modified: new Date(),
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
    const page = await listDaysSince(db, job.account_id, end.started_at, after, 100);
    for (const { day, statement, hash, stamp } of page)
      days.push({ day, statement, hash: hash.toString("hex"), stamp: stamp?.toString("base64") ?? null });
    const last = page.at(-1);
    if (!last || page.length < 100) break;
    after = last.day;
  }
  yield entry("chain/days.jsonl", lines(days));
  yield entry("verify.mjs", verifier());
}

/** The verifier as plain JavaScript, for any machine with Node. */
function verifier(): string {
  const path = fileURLToPath(import.meta.resolve("#checks/verify.ts"));
  return stripTypeScriptTypes(readFileSync(path, "utf8"));
}

/** Most checks find the page as it was: what the one before had is not read again. */
export function openParts(deps: Deps, accountId: string) {
  const bytes = () => remembering((hash) => readBytes(deps, accountId, hash));
  return {
    html: bytes(),
    body: bytes(),
    facts: bytes(),
    picture: remembering((hash) => readPng(deps, accountId, hash)),
  };
}

/** Reads by hash, and keeps what was read last. */
function remembering(read: (hash: Buffer) => Promise<Uint8Array>) {
  let last: { hash: Buffer; bytes: Uint8Array } | undefined;
  return async (hash: Buffer) => {
    if (!last?.hash.equals(hash)) last = { hash, bytes: await read(hash) };
    return last.bytes;
  };
}

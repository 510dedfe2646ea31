import type { Deps } from "#checks/deps.ts";
import { openHeaders } from "#checks/open-headers.ts";
import { keptOf, readText } from "#checks/snapshots.ts";
import type { Actor } from "#contract/actor.ts";
import type { ExportFormat } from "#contract/export.ts";
import { describeExecution } from "#jobs/describe-job.ts";
import { ownJob } from "#jobs/read-job.ts";
import { readPng } from "#storage/chains.ts";
import { countExecutions, type ExecutionRow, findVerdict, listExecutions } from "#storage/executions.ts";
import type { JobWithGroup } from "#storage/jobs.ts";
import { csvHead, csvLine } from "./export-csv.ts";
import { type ZipEntry, zip } from "./export-zip.ts";

const pageSize = 100;

export type Export = { name: string; type: string; total: number; parts: AsyncIterable<string | Uint8Array> };

const types: Record<ExportFormat, string> = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  zip: "application/zip",
};

/** A job's whole history, newest first, made as it is read: memory does not grow with its length. */
export async function exportHistory(
  deps: Deps,
  actor: Actor,
  jobId: string,
  format: ExportFormat,
): Promise<Export> {
  const job = await ownJob(deps, actor, jobId);
  const parts =
    format === "json" ? asJson(deps, job) : format === "csv" ? asCsv(deps, job) : zip(filesOf(deps, job));
  const total = await countExecutions(deps.db, jobId);
  return { name: `watchglass-${jobId}.${format}`, type: types[format], total, parts };
}

async function* rowsOf(deps: Deps, jobId: string): AsyncGenerator<ExecutionRow> {
  let cursor: string | undefined;
  do {
    const page = await listExecutions(deps.db, jobId, pageSize, cursor);
    yield* page;
    cursor = page.length === pageSize ? page.at(-1)?.id : undefined;
  } while (cursor);
}

/** One execution a line inside one JSON document. */
async function* asJson(deps: Deps, job: JobWithGroup): AsyncGenerator<string> {
  yield `{"job":${JSON.stringify(describe(deps, job))},"executions":[`;
  let comma = "";
  for await (const row of rowsOf(deps, job.id)) {
    const verdict = row.failure === null ? await findVerdict(deps.db, row.id) : null;
    yield `${comma}\n${JSON.stringify({ ...describeExecution(row), verdict })}`;
    comma = ",";
  }
  yield "]}\n";
}

async function* asCsv(deps: Deps, job: JobWithGroup): AsyncGenerator<string> {
  // Without the mark, spreadsheets take UTF-8 for something else.
  yield `\u{FEFF}${csvHead}`;
  for await (const row of rowsOf(deps, job.id)) yield csvLine(describeExecution(row));
}

/** The captures. HTML is named as text, so that opening it from the disk runs nothing. */
export async function* filesOf(deps: Deps, job: JobWithGroup): AsyncGenerator<ZipEntry> {
  const { account_id: accountId } = job;
  const about = Buffer.from(JSON.stringify(describe(deps, job), null, 2));
  yield { name: "job.json", bytes: about, modified: job.created_at, compress: true };
  // Most checks find the page as it was: what the one before had is not read again.
  const readHtml = remembering(async (hash) => Buffer.from(await readText(deps, accountId, hash)));
  const readPicture = remembering((hash) => readPng(deps, accountId, hash));
  for await (const row of rowsOf(deps, job.id)) {
    const name = String(row.number).padStart(6, "0");
    const kept = keptOf(row);
    const verdict = row.failure === null ? await findVerdict(deps.db, row.id) : null;
    const json = Buffer.from(JSON.stringify({ ...describeExecution(row), verdict }, null, 2));
    yield { name: `executions/${name}.json`, bytes: json, modified: row.created_at, compress: true };
    if (!kept) continue;
    const html = await readHtml(kept.html);
    yield { name: `executions/${name}.html.txt`, bytes: html, modified: row.created_at, compress: true };
    if (!kept.picture) continue;
    const png = await readPicture(kept.picture);
    yield { name: `executions/${name}.png`, bytes: png, modified: row.created_at, compress: false };
  }
}

/** Reads by hash, and keeps what was read last. */
function remembering(read: (hash: Buffer) => Promise<Uint8Array>) {
  let last: { hash: Buffer; bytes: Uint8Array } | undefined;
  return async (hash: Buffer) => {
    if (!last?.hash.equals(hash)) last = { hash, bytes: await read(hash) };
    return last.bytes;
  };
}

/** The job without its secrets: header names only, and no trigger, whose address is often a secret itself. */
function describe(deps: Deps, job: JobWithGroup) {
  return {
    id: job.id,
    name: job.name,
    url: job.url,
    group: job.group_name,
    status: job.status,
    frequencyMinutes: job.frequency_minutes,
    headers: openHeaders(deps.secrets, job).map(({ name }) => name),
    selector: job.selector,
    ignore: job.ignore,
    lookup: job.lookup,
    createdAt: job.created_at.toISOString(),
    executions: job.executions,
    changes: job.changes,
  };
}

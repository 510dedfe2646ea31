import type { Deps } from "#checks/deps.ts";
import { openHeaders } from "#checks/open-headers.ts";
import type { Actor } from "#contract/actor.ts";
import type { ExportFormat } from "#contract/export.ts";
import type { Verdict } from "#detection/verdict.ts";
import { describeExecution } from "#jobs/describe-job.ts";
import { ownJob } from "#jobs/read-job.ts";
import {
  countExecutions,
  type ExecutionRow,
  findVerdict,
  keptOf,
  listExecutions,
} from "#storage/executions.ts";
import type { JobWithGroup } from "#storage/jobs.ts";
import { findChainEnd } from "#storage/seals.ts";
import { csvHead, csvLine } from "./export-csv.ts";
import {
  type ChainEnd,
  chainFiles,
  openParts,
  recordFiles,
  recordOf,
  type Source,
  stemOf,
} from "./export-evidence.ts";
import { articlesPerPage, viewArticle, viewPage } from "./export-view.ts";
import { asWacz } from "./export-wacz.ts";
import { type ZipEntry, zip } from "./export-zip.ts";

const pageSize = 100;

export type Export = { name: string; type: string; total: number; parts: AsyncIterable<string | Uint8Array> };

const types: Record<ExportFormat, string> = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  zip: "application/zip",
  wacz: "application/wacz",
};

/** A job's whole history, newest first, made as it is read: memory does not grow with its length. */
export async function exportHistory(
  deps: Deps,
  actor: Actor,
  jobId: string,
  format: ExportFormat,
): Promise<Export> {
  const job = await ownJob(deps, actor, jobId);
  const total = await countExecutions(deps.db, jobId);
  const parts = await partsOf(deps, job, format);
  return { name: `watchglass-${jobId}.${format}`, type: types[format], total, parts };
}

async function partsOf(deps: Deps, job: JobWithGroup, format: ExportFormat): Promise<Export["parts"]> {
  if (format === "json") return asJson(deps, job);
  if (format === "csv") return asCsv(deps, job);
  return zip(format === "zip" ? filesOf(deps, job) : asWacz(deps, await sourceOf(deps, job)));
}

async function sourceOf(deps: Deps, job: JobWithGroup): Promise<Source> {
  const end = await findChainEnd(deps.db, job.id);
  return {
    job,
    end,
    about: aboutFile(deps, job, end),
    rows: rowsOf(deps, job.id, end.execution_id),
    read: openParts(deps, job.account_id),
  };
}

/** Newest first, from `newest` on: what is added meanwhile is not told. */
async function* rowsOf(deps: Deps, jobId: string, newest?: string | null): AsyncGenerator<ExecutionRow> {
  let cursor: string | undefined;
  do {
    const page = await listExecutions(deps.db, jobId, pageSize, cursor);
    yield* page.filter(({ id }) => !newest || id <= newest);
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
  const names = job.follow.map(({ name }) => name);
  yield `\u{FEFF}${csvHead(names)}`;
  for await (const row of rowsOf(deps, job.id)) yield csvLine(describeExecution(row), names);
}

/** The captures. HTML is named as text, so that opening it from the disk runs nothing. */
export async function* filesOf(deps: Deps, job: JobWithGroup): AsyncGenerator<ZipEntry> {
  const { about, end, rows, read } = await sourceOf(deps, job);
  yield about;
  let shown: string[] = [];
  let page = 1;
  for await (const row of rows) {
    // A page is written when it is known whether another follows.
    if (shown.length === articlesPerPage) {
      yield viewPage(job, shown, { page: page++, isLast: false });
      shown = [];
    }
    const { record, statement } = await recordOf(deps, row);
    shown.push(viewArticle(row, record.verdict as Verdict | null, record.seal?.hash));
    yield* recordFiles(row, record, statement);
    const kept = keptOf(row);
    if (!kept) continue;
    const file = (ending: string, bytes: Uint8Array, compress = true): ZipEntry => ({
      name: `executions/${stemOf(row)}.${ending}`,
      bytes,
      modified: row.created_at,
      compress,
    });
    yield file("html.txt", await read.html(kept.html));
    yield file("response.bin", await read.body(kept.body));
    yield file("facts.json", await read.facts(kept.facts));
    if (kept.picture) yield file("png", await read.picture(kept.picture), false);
  }
  yield viewPage(job, shown, { page, isLast: true });
  yield* chainFiles(deps, job, end);
}

function aboutFile(deps: Deps, job: JobWithGroup, { position, hash }: ChainEnd): ZipEntry {
  const about = { ...describe(deps, job), chain: { length: position, head: hash?.toString("hex") ?? null } };
  const bytes = Buffer.from(JSON.stringify(about, null, 2));
  return { name: "job.json", bytes, modified: job.created_at, compress: true };
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
    alertIf: job.alert_if,
    values: job.follow,
    createdAt: job.created_at.toISOString(),
    executions: job.executions,
    changes: job.changes,
  };
}

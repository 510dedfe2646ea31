import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import type { ExportFormat } from "#contract/export.ts";
import {
  type ChainEnd,
  chainFiles,
  openPartReader,
  recordFiles,
  recordOf,
  type Source,
  signFiles,
  stemOf,
} from "#evidence/export-evidence.ts";
import { articlesPerPage, viewArticle, viewPage } from "#evidence/export-view.ts";
import { exportWacz } from "#evidence/export-wacz.ts";
import { exportVersion, viewVersion } from "#evidence/seal-format.ts";
import { findChainEnd } from "#evidence/seal-rows.ts";
import { openSigningKey } from "#evidence/signing-key.ts";
import { ownJob } from "#jobs/read-job.ts";
import { describeExecution } from "#storage/describe-execution.ts";
import {
  countExecutions,
  type ExecutionRow,
  findVerdict,
  listExecutions,
  storedPartsOf,
} from "#storage/executions.ts";
import { readSetting } from "#storage/job-settings.ts";
import type { JobWithGroup } from "#storage/jobs.ts";
import { type ZipEntry, zip } from "#zip/write-zip.ts";
import { csvHead, csvLine } from "./export-csv.ts";

const pageSize = 100;

export type Export = { name: string; type: string; total: number; parts: AsyncIterable<string | Uint8Array> };

const types: Record<ExportFormat, string> = {
  json: "application/json; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  zip: "application/zip",
  wacz: "application/wacz",
};

/** Exports a job's whole history, newest first, created while it is read: memory does not grow with its length. */
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
  return zip(format === "zip" ? listExportFiles(deps, job) : exportWacz(deps, await sourceOf(deps, job)));
}

async function sourceOf(deps: Deps, job: JobWithGroup, lastDay?: string): Promise<Source> {
  const [end, key] = await Promise.all([findChainEnd(deps.db, job.id), openSigningKey(deps)]);
  const exported = new Date();
  return {
    lastDay,
    job,
    end,
    key,
    exported,
    about: aboutFile(deps, job, end, exported),
    rows: rowsOf(deps, job.id, end.execution_id),
    read: openPartReader(deps, job.account_id),
  };
}

/** Lists executions, newest first, from `newest` on: those added during the export are left out. */
async function* rowsOf(deps: Deps, jobId: string, newest?: string | null): AsyncGenerator<ExecutionRow> {
  let cursor: string | undefined;
  do {
    const page = await listExecutions(deps.db, jobId, pageSize, cursor);
    yield* page.filter(({ id }) => !newest || id <= newest);
    cursor = page.length === pageSize ? page.at(-1)?.id : undefined;
  } while (cursor);
}

/** One JSON document with one execution per line. */
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
  // Without the byte order mark, spreadsheets do not recognize UTF-8.
  const names = job.follow.map(({ name }) => name);
  yield `\u{FEFF}${csvHead(names)}`;
  for await (const row of rowsOf(deps, job.id)) yield csvLine(describeExecution(row), names);
}

/** The files of a ZIP export, with a signed list of them. */
export async function* listExportFiles(
  deps: Deps,
  job: JobWithGroup,
  lastDay?: string,
): AsyncGenerator<ZipEntry> {
  const source = await sourceOf(deps, job, lastDay);
  yield* signFiles(historyFiles(deps, source), source);
}

/** HTML files are named as text, so that opening them from the disk runs nothing. */
async function* historyFiles(deps: Deps, source: Source): AsyncGenerator<ZipEntry> {
  const { job, about, rows, read, exported } = source;
  yield about;
  const pageOf = (articles: string[], page: number, isLast: boolean): ZipEntry => {
    const { name, html } = viewPage(job, articles, { page, isLast });
    return { name, bytes: Buffer.from(html), modified: exported, compress: true };
  };
  let shown: string[] = [];
  let page = 1;
  for await (const row of rows) {
    // A page is written once it is known whether another one follows.
    if (shown.length === articlesPerPage) {
      yield pageOf(shown, page++, false);
      shown = [];
    }
    const { record, statement } = await recordOf(deps, row);
    const capture = storedPartsOf(row);
    shown.push(viewArticle(record, { hasCapture: capture !== null, hasPicture: Boolean(capture?.picture) }));
    yield* recordFiles(row, record, statement);
    if (!capture) continue;
    const file = (ending: string, bytes: Uint8Array, compress = true): ZipEntry => ({
      name: `executions/${stemOf(row)}.${ending}`,
      bytes,
      modified: row.created_at,
      compress,
    });
    yield file("html.txt", await read.html(capture.html));
    yield file("response.bin", await read.body(capture.body));
    yield file("facts.json", await read.facts(capture.facts));
    if (capture.picture) yield file("png", await read.picture(capture.picture), false);
  }
  yield pageOf(shown, page, true);
  yield* chainFiles(deps, source);
}

function aboutFile(deps: Deps, job: JobWithGroup, { position, hash }: ChainEnd, exported: Date): ZipEntry {
  const about = {
    watchglass: exportVersion,
    view: viewVersion,
    exported: exported.toISOString(),
    ...describe(deps, job),
    chain: { length: position, head: hash?.toString("hex") ?? null },
  };
  const bytes = Buffer.from(JSON.stringify(about, null, 2));
  return { name: "job.json", bytes, modified: exported, compress: true };
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
    headers: readSetting(deps.secrets, job, "headers").map(({ name }) => name),
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

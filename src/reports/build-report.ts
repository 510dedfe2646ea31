import { drawChange, toLines } from "#alerts/build-alert.ts";
import type { Deps as AlertDeps } from "#alerts/deps.ts";
import type { Severity } from "#contract/job.ts";
import { viewerPath } from "#contract/links.ts";
import { changedTexts, readChange } from "#history/read-change.ts";
import { findJob } from "#storage/jobs.ts";
import { countExecutions, findReportToBuild, finishReport, listChangesBetween } from "#storage/reports.ts";
import { drawInThread } from "./draw-in-thread.ts";
import type { ChangeEntry, JobChapter } from "./pdf/draw-report.ts";

type Deps = Pick<AlertDeps, "db" | "blobs" | "detector" | "baseUrl">;

const changesPerJob = 50;
const picturesPerReport = 40;
const linesPerChange = 8;

/** Draws a queued report and keeps it. One that was removed meanwhile is passed over. */
export async function buildReport(deps: Deps, reportId: string): Promise<void> {
  const report = await findReportToBuild(deps.db, reportId);
  if (!report) return;
  const { account_id: accountId, from_at: from, to_at: to } = report;
  const chapters: JobChapter[] = [];
  let pictures = picturesPerReport;
  for (const jobId of report.job_ids) {
    const job = await findJob(deps.db, accountId, jobId);
    if (!job) continue;
    const rows = await listChangesBetween(deps.db, jobId, from, to, changesPerJob);
    const entries: ChangeEntry[] = [];
    for (const { id } of rows) {
      const entry = await describe(deps, accountId, jobId, id, pictures > 0);
      if (entry?.picture) pictures--;
      if (entry) entries.push(entry);
    }
    const counts = await countExecutions(deps.db, jobId, from, to);
    chapters.push({ name: job.name, url: job.url, ...counts, entries });
  }
  const pdf = await drawInThread({ title: report.title, from, to, madeAt: report.created_at, chapters });
  await finishReport(deps.db, reportId, pdf);
}

/** A report that failed for good is shown as failed. */
export async function giveUpReport({ db }: Pick<Deps, "db">, reportId: string): Promise<void> {
  if (await findReportToBuild(db, reportId)) await finishReport(db, reportId, null);
}

async function describe(
  deps: Deps,
  accountId: string,
  jobId: string,
  executionId: string,
  withPicture: boolean,
): Promise<ChangeEntry | undefined> {
  const change = await readChange(deps, accountId, jobId, executionId);
  if (!change) return undefined;
  const { execution, reasons, findings } = change;
  const lines = changedTexts(reasons)
    .flatMap(toLines)
    .map(({ sign, text }) => `${sign} ${text}`);
  return {
    at: execution.created_at,
    severity: (execution.severity ?? "notice") as Severity,
    summary: execution.summary,
    lines: lines.slice(0, linesPerChange),
    moreLines: Math.max(0, lines.length - linesPerChange),
    findings: findings.slice(0, 5).map(({ kind, value }) => `${kind}: ${value}`),
    link: `${deps.baseUrl}${viewerPath(jobId, executionId)}`,
    picture: withPicture ? await drawChange(deps, accountId, change) : null,
  };
}

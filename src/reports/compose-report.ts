import { drawChange, sentenceOf } from "#alerts/build-alert.ts";
import type { Deps as AlertDeps } from "#alerts/deps.ts";
import type { Severity } from "#contract/job.ts";
import { viewerPath } from "#contract/links.ts";
import { changedTexts } from "#detection/change-summaries/changed-texts.ts";
import { sayImport } from "#evidence/seal-format.ts";
import { findSeal } from "#evidence/seal-rows.ts";
import { type ChangeRecord, readChange } from "#history/read-change.ts";
import { emitEvents } from "#live-events/events.ts";
import { opinionWords } from "#message-templates/alert.ts";
import { findJob } from "#storage/jobs.ts";
import { findOpinion } from "#storage/opinions.ts";
import {
  findReportToBuild,
  listChangesBetween,
  listSteps,
  listValueSteps,
  noteProgress,
  storeReportFiles,
  tallyExecutions,
} from "#storage/reports.ts";
import { openDrawing } from "./drawing/open-drawing.ts";
import {
  type ChangeEntry,
  compareWorst,
  type Figures,
  limitsOf,
  type Step,
  type ValueSeries,
} from "./drawing/pieces.ts";
import type { ReportOrder } from "./run-report-process.ts";

type Deps = Pick<AlertDeps, "db" | "blobs" | "detector" | "baseUrl">;
type ToBuild = NonNullable<Awaited<ReturnType<typeof findReportToBuild>>>;
type Subject = {
  id: string;
  name: string;
  url: string;
  figures: Figures;
  /** What the newest of the most severe changes says. */
  worst: string | null;
  steps: Step[];
  values: ValueSeries[];
};

const changesPerReport = 2000;
const picturesPerReport = 100;
// A change with a picture takes as long as this many without one (bench:report).
const pictureWeight = 30;
const pictureLimit = `From here on, changes are shown without pictures: a report has at most ${picturesPerReport}.`;
const linesPerChange = 8;
const locationsPerChange = 6;
const findingsPerChange = 5;
const stepsShown = 60;
const [dayMs, hourMs] = [86_400_000, 3_600_000];
const valueStepsShown = 240;

/** Draws a queued report and stores its files; stops if the report was deleted in the meantime. */
export async function composeReport(
  deps: Deps,
  { reportId, folder, opinion }: Pick<ReportOrder, "reportId" | "folder" | "opinion">,
): Promise<void> {
  const report = await findReportToBuild(deps.db, reportId);
  if (!report) return;
  const subjects = (await readSubjects(deps, report)).sort((a, b) => compareWorst(a.figures, b.figures));
  const drawing = openDrawing(folder);
  const figures = sumFigures(subjects.map((subject) => subject.figures));
  const shares = divideChanges(subjects.map((subject) => subject.figures.changes));
  const shown = shares.reduce((all, one) => all + one, 0);
  await drawing.draw({
    kind: "overview",
    title: report.title,
    note: report.note,
    logo: report.logo,
    from: report.from_at,
    to: report.to_at,
    madeAt: report.created_at,
    figures,
    opinion,
    steps: sumSteps(subjects.map(({ steps }) => steps)),
    limits: limitsOf(figures.changes, shown, changesPerReport, picturesPerReport),
    jobs: subjects,
  });
  const progress = openProgress(
    deps,
    report,
    subjects.length + shown + Math.min(shown, picturesPerReport) * (pictureWeight - 1),
  );
  let [pictures, weightedSteps] = [picturesPerReport, picturesPerReport];
  let isLimitStated = false;
  for (const [at, { id, ...about }] of subjects.entries()) {
    const chapter = { number: at + 1, ...about, shown: shares[at] ?? 0, isOnly: subjects.length === 1 };
    await drawing.draw({ kind: "chapter", ...chapter });
    if (!(await progress.step())) return;
    for await (const executionId of changesOf(deps, report, id, chapter.shown)) {
      const entry = await describe(deps, report.account_id, id, executionId, pictures > 0);
      const limit: string | null = pictures === 0 && !isLimitStated ? pictureLimit : null;
      isLimitStated ||= limit !== null;
      if (entry) await drawing.draw({ kind: "change", ...entry, limit });
      if (entry?.picture) {
        pictures--;
        collectGarbage();
      }
      if (!(await progress.step(weightedSteps-- > 0 ? pictureWeight : 1))) return;
    }
  }
  const files = await drawing.finish();
  await deps.db.transaction().execute((tx) => storeReportFiles(tx, reportId, files));
}

/** Pictures are outside V8's heap, so by itself it would let many of them pile up before it frees them. */
const collectGarbage = () => globalThis.gc?.();

async function readSubjects({ db }: Deps, report: ToBuild): Promise<Subject[]> {
  const { account_id: accountId, from_at: from, to_at: to } = report;
  const wholeMs = to.getTime() - from.getTime();
  const stepMs = Math.max(wholeMs < 3 * dayMs ? hourMs : dayMs, wholeMs / stepsShown);
  const count = Math.max(1, Math.ceil(wholeMs / stepMs));
  const subjects: Subject[] = [];
  for (const jobId of report.job_ids) {
    const job = await findJob(db, accountId, jobId);
    if (!job) continue;
    const found = new Map((await listSteps(db, jobId, from, to, stepMs)).map((step) => [step.step, step]));
    const steps = Array.from({ length: count }, (_, at): Step => {
      const { fine = 0, changed = 0, failed = 0 } = found.get(at) ?? {};
      return { at: new Date(from.getTime() + at * stepMs), fine, changed, failed };
    });
    const { worst, ...figures } = await tallyExecutions(db, jobId, from, to);
    const values = await readValues(db, jobId, from, to);
    subjects.push({ id: jobId, name: job.name, url: job.url, figures, worst, steps, values });
  }
  return subjects;
}

async function readValues(db: Deps["db"], jobId: string, from: Date, to: Date): Promise<ValueSeries[]> {
  const stepMs = (to.getTime() - from.getTime()) / valueStepsShown;
  const byName = Map.groupBy(await listValueSteps(db, jobId, from, to, stepMs), ({ name }) => name);
  return [...byName].map(([name, steps]) => {
    const sum = (key: "checks" | "missing" | "changes") => steps.reduce((all, step) => all + step[key], 0);
    const numbers = steps.flatMap(({ least, most }) =>
      least === null || most === null ? [] : [least, most],
    );
    return {
      name,
      now: steps.at(-1)?.text ?? null,
      least: numbers.length > 0 ? Math.min(...numbers) : null,
      most: numbers.length > 0 ? Math.max(...numbers) : null,
      checks: sum("checks"),
      changes: sum("changes"),
      missing: sum("missing"),
      points: steps.map(({ step, number, least, most, changes }) => ({
        at: step / valueStepsShown,
        number,
        least,
        most,
        isChanged: changes > 0,
      })),
    };
  });
}

/** How many changes each job may show: equal shares, and what a job does not use goes to the others. */
function divideChanges(wanted: number[]): number[] {
  const shares = wanted.map(() => 0);
  let left = changesPerReport;
  for (;;) {
    const unsatisfied = wanted.flatMap((want, at) => (want > (shares[at] ?? 0) ? [at] : []));
    const each = Math.floor(left / unsatisfied.length);
    if (unsatisfied.length === 0 || each === 0) return shares;
    for (const at of unsatisfied) {
      const more = Math.min(each, (wanted[at] ?? 0) - (shares[at] ?? 0));
      shares[at] = (shares[at] ?? 0) + more;
      left -= more;
    }
  }
}

async function* changesOf(
  { db }: Deps,
  report: ToBuild,
  jobId: string,
  limit: number,
): AsyncGenerator<string> {
  let cursor: string | undefined;
  for (let left = limit; left > 0; ) {
    const page = await listChangesBetween(
      db,
      jobId,
      report.from_at,
      report.to_at,
      Math.min(left, 100),
      cursor,
    );
    yield* page;
    left -= page.length;
    cursor = page.at(-1);
    if (!cursor) return;
  }
}

function sumFigures(all: Figures[]): Figures {
  const sum = (pick: (one: Figures) => number) => all.reduce((total, one) => total + pick(one), 0);
  const gaps = all.flatMap(({ silenceMs }) => silenceMs ?? []);
  return {
    checks: sum(({ checks }) => checks),
    changes: sum(({ changes }) => changes),
    failures: sum(({ failures }) => failures),
    bySeverity: {
      critical: sum(({ bySeverity }) => bySeverity.critical),
      important: sum(({ bySeverity }) => bySeverity.important),
      notice: sum(({ bySeverity }) => bySeverity.notice),
      info: sum(({ bySeverity }) => bySeverity.info),
    },
    silenceMs: gaps.length > 0 ? Math.max(...gaps) : null,
  };
}

function sumSteps([first = [], ...others]: Step[][]): Step[] {
  return first.map((step, at) =>
    others.reduce((total, steps) => {
      const { fine = 0, changed = 0, failed = 0 } = steps[at] ?? {};
      return {
        ...total,
        fine: total.fine + fine,
        changed: total.changed + changed,
        failed: total.failed + failed,
      };
    }, step),
  );
}

/** Publishes a report's progress, at most twice a second. */
function openProgress({ db }: Deps, { id, account_id }: ToBuild, total: number) {
  let done = 0;
  let publishedAt = Number.NEGATIVE_INFINITY;
  const event = () => ({ kind: "report" as const, reportId: id, done, total });
  return {
    event,
    /** Returns whether the report is still wanted. */
    async step(weight = 1): Promise<boolean> {
      done += weight;
      if (performance.now() - publishedAt < 500 && done < total) return true;
      publishedAt = performance.now();
      const isWanted = await noteProgress(db, id, done, total);
      if (isWanted) await emitEvents(db, account_id, [event()]);
      return isWanted;
    },
  };
}

const headerKinds = new Set(["header", "cookie", "status", "redirect"]);

async function describe(
  deps: Deps,
  accountId: string,
  jobId: string,
  executionId: string,
  withPicture: boolean,
): Promise<Omit<ChangeEntry, "limit"> | undefined> {
  const change = await readChange(deps, accountId, jobId, executionId);
  if (!change) return undefined;
  const { execution, reasons, findings } = change;
  const [seal, given] = await Promise.all([
    findSeal(deps.db, executionId),
    findOpinion(deps.db, accountId, executionId),
  ]);
  const opinion = opinionWords({ opinion: sentenceOf(given) });
  const regions = change.regions.filter((region) => !region.isNoise);
  const places = regions.flatMap(({ says }) => says ?? []);
  const { imported } = execution;
  const facts = [
    ...(opinion ? [opinion] : []),
    ...(imported ? [sayImport({ ...imported, sealed: imported.origin !== null })] : []),
    ...reasons.filter(({ kind }) => headerKinds.has(kind)).map(({ summary }) => summary),
    ...findings.slice(0, findingsPerChange).map(({ kind, value }) => `Found ${kind}: ${value}`),
  ];
  const more = findings.length - findingsPerChange;
  if (more > 0) facts.push(`${more} more ${more === 1 ? "finding" : "findings"}`);
  return {
    index: execution.number,
    at: execution.created_at,
    severity: (execution.severity ?? "notice") as Severity,
    summary: execution.summary,
    ...linesOf(reasons),
    places: places.slice(0, locationsPerChange),
    morePlaces: Math.max(0, places.length - locationsPerChange),
    facts,
    seal: seal?.hash.toString("hex") ?? null,
    link: `${deps.baseUrl}${viewerPath(jobId, executionId)}`,
    picture: withPicture ? await drawChange(deps, accountId, change, regions.slice(0, 50)) : null,
  };
}

/** The changed lines, those of one row together, under what names the row or where the line is. */
function linesOf(reasons: ChangeRecord["reasons"]): Pick<ChangeEntry, "rows" | "moreLines"> {
  const shown = reasons.filter(({ kind }) => !headerKinds.has(kind));
  const texts = changedTexts(shown, { byRow: true });
  const rows: ChangeEntry["rows"] = [];
  for (const { row, removed, added } of texts.slice(0, linesPerChange)) {
    const last = rows.at(-1);
    if (last && row !== null && last.label === row) last.lines.push({ removed, added });
    else rows.push({ label: row, lines: [{ removed, added }] });
  }
  // A reason lists only the first of very many changes; its count is exact.
  const unlisted = shown.reduce((sum, { count, changes }) => sum + Math.max(0, count - changes.length), 0);
  return { rows, moreLines: Math.max(0, texts.length - linesPerChange) + unlisted };
}

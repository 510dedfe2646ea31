import { randomBytes } from "node:crypto";
import { renderLetter } from "#accounts/mail-templates.ts";
import { sendMail } from "#accounts/send-mail.ts";
import { drawChange, toLines } from "#alerts/build-alert.ts";
import type { Deps as AlertDeps } from "#alerts/deps.ts";
import type { Severity } from "#contract/job.ts";
import { viewerPath } from "#contract/links.ts";
import { changedTexts, readChange } from "#history/read-change.ts";
import { findAccount } from "#storage/accounts.ts";
import { emitEvents } from "#storage/events.ts";
import { findJob } from "#storage/jobs.ts";
import {
  findReportToBuild,
  finishReport,
  listChangesBetween,
  listSteps,
  listValueSteps,
  noteProgress,
  setReportShare,
  tallyExecutions,
} from "#storage/reports.ts";
import { findSeal } from "#storage/seals.ts";
import type { ChangeEntry, Chapter, Figures, Step, ValueSeries } from "./drawing/pieces.ts";
import { openDrawing } from "./open-drawing.ts";
import { hashOf, sharedPath } from "./share-report.ts";

type Deps = Pick<AlertDeps, "db" | "queue" | "secrets" | "blobs" | "detector" | "baseUrl">;
type ToBuild = NonNullable<Awaited<ReturnType<typeof findReportToBuild>>>;
type Subject = {
  id: string;
  name: string;
  url: string;
  figures: Figures;
  steps: Step[];
  values: ValueSeries[];
};

const changesPerReport = 2000;
const picturesPerReport = 100;
// A change with its picture takes as long as so many without (bench:report).
const pictureWeight = 30;
const linesPerChange = 8;
const placesPerChange = 6;
const stepsShown = 60;
const [dayMs, hourMs] = [86_400_000, 3_600_000];
const valueStepsShown = 240;
const valuesOnCover = 4;
const mailedDays = 30;

/** Draws a queued report and keeps it. One that was deleted meanwhile is given up. */
export async function buildReport(deps: Deps, reportId: string): Promise<void> {
  const report = await findReportToBuild(deps.db, reportId);
  if (!report) return;
  const subjects = await readSubjects(deps, report);
  const values = subjects.flatMap((subject) =>
    subject.values.map((one) =>
      subjects.length === 1 ? one : { ...one, name: `${subject.name}: ${one.name}` },
    ),
  );
  await using drawing = await openDrawing();
  await drawing.draw({
    kind: "cover",
    title: report.title,
    note: report.note,
    logo: report.logo,
    from: report.from_at,
    to: report.to_at,
    madeAt: report.created_at,
    figures: sumFigures(subjects.map(({ figures }) => figures)),
    steps: sumSteps(subjects.map(({ steps }) => steps)),
    values: values.slice(0, valuesOnCover),
    moreValues: Math.max(0, values.length - valuesOnCover),
    jobs: subjects,
  });
  const shares = shareOut(subjects.map(({ figures }) => figures.changes));
  const changes = shares.reduce((all, one) => all + one, 0);
  const progress = openProgress(
    deps,
    report,
    subjects.length + changes + Math.min(changes, picturesPerReport) * (pictureWeight - 1),
  );
  let [pictures, heavy] = [picturesPerReport, picturesPerReport];
  for (const [at, subject] of subjects.entries()) {
    const { id, ...about } = subject;
    const chapter: Chapter = { number: at + 1, ...about, shown: shares[at] ?? 0 };
    await drawing.draw({ kind: "chapter", ...chapter });
    if (!(await progress.step())) return;
    for await (const executionId of changesOf(deps, report, id, chapter.shown)) {
      const entry = await describe(deps, report.account_id, id, executionId, pictures > 0);
      if (entry?.picture) pictures--;
      if (entry) await drawing.draw({ kind: "change", ...entry });
      if (!(await progress.step(heavy-- > 0 ? pictureWeight : 1))) return;
    }
  }
  const files = await drawing.finish();
  await deps.db.transaction().execute(async (tx) => {
    await finishReport(tx, reportId, files);
    await emitEvents(tx, report.account_id, [progress.event()]);
    if (report.schedule_id) await mailReport(deps, tx, report);
  });
}

/** A report that failed for good is shown as failed. */
export async function giveUpReport({ db }: Pick<Deps, "db">, reportId: string): Promise<void> {
  const report = await findReportToBuild(db, reportId);
  if (!report) return;
  await finishReport(db, reportId, null);
  await emitEvents(db, report.account_id, [{ kind: "report", reportId, done: 0, total: 0 }]);
}

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
    const figures = await tallyExecutions(db, jobId, from, to);
    const values = await readValues(db, jobId, from, to);
    subjects.push({ id: jobId, name: job.name, url: job.url, figures, steps, values });
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

/** How many changes each job may show: each the same, and what one leaves the others have. */
function shareOut(wanted: number[]): number[] {
  const shares = wanted.map(() => 0);
  let left = changesPerReport;
  for (;;) {
    const hungry = wanted.flatMap((want, at) => (want > (shares[at] ?? 0) ? [at] : []));
    const each = Math.floor(left / hungry.length);
    if (hungry.length === 0 || each === 0) return shares;
    for (const at of hungry) {
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

/** Says how far a report is, at most twice a second. */
function openProgress({ db }: Deps, { id, account_id }: ToBuild, total: number) {
  let done = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  const event = () => ({ kind: "report" as const, reportId: id, done, total });
  return {
    event,
    /** Answers whether the report is still wanted. */
    async step(weight = 1): Promise<boolean> {
      done += weight;
      if (performance.now() - toldAt < 500 && done < total) return true;
      toldAt = performance.now();
      const isWanted = await noteProgress(db, id, done, total);
      if (isWanted) await emitEvents(db, account_id, [event()]);
      return isWanted;
    },
  };
}

const ofHeaders = new Set(["header", "cookie", "status", "redirect"]);

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
  const lines = changedTexts(reasons.filter(({ kind }) => !ofHeaders.has(kind))).flatMap(toLines);
  const seal = await findSeal(deps.db, executionId);
  const regions = change.regions.filter((region) => !("isNoise" in region && region.isNoise));
  const places = regions.flatMap((region) =>
    "says" in region && typeof region.says === "string" ? [region.says] : [],
  );
  return {
    index: execution.number,
    at: execution.created_at,
    severity: (execution.severity ?? "notice") as Severity,
    summary: execution.summary,
    lines: lines.slice(0, linesPerChange),
    moreLines: Math.max(0, lines.length - linesPerChange),
    places: places.slice(0, placesPerChange),
    headers: reasons.filter(({ kind }) => ofHeaders.has(kind)).map(({ summary }) => summary),
    findings: findings.slice(0, 5).map(({ kind, value }) => `${kind}: ${value}`),
    seal: seal?.hash.toString("hex") ?? null,
    link: `${deps.baseUrl}${viewerPath(jobId, executionId)}`,
    picture: withPicture ? await drawChange(deps, accountId, change, regions.slice(0, 50)) : null,
  };
}

/** A report that came by itself is mailed as a link that anyone can open for a month. */
async function mailReport(deps: Deps, tx: Deps["db"], report: ToBuild): Promise<void> {
  const account = await findAccount(tx, report.account_id);
  if (!account) return;
  const token = randomBytes(24).toString("base64url");
  await setReportShare(tx, report.account_id, report.id, { hash: hashOf(token), days: mailedDays });
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const letter = renderLetter({
    subject: `Report: ${report.title}`,
    paragraphs: [`Your report from ${day(report.from_at)} to ${day(report.to_at)} is ready.`],
    button: { label: "Open the report", url: deps.baseUrl + sharedPath(token, "html") },
    closing: `As PDF: ${deps.baseUrl}${sharedPath(token, "pdf")}\nWho has these links can read it for ${mailedDays} days. You can end them under Reports.`,
  });
  await sendMail(deps, tx, { to: account.email, ...letter });
}

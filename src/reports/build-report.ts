import { randomBytes } from "node:crypto";
import type { Deps as AlertDeps } from "#alerts/deps.ts";
import type { Summarize } from "#contract/second-opinion.ts";
import { emitEvents } from "#live-events/events.ts";
import { renderMailContent } from "#mail/mail-templates.ts";
import { sendMail } from "#mail/send-mail.ts";
import { opinionWords } from "#message-templates/alert.ts";
import { hashOf, sharedPath } from "#sharing/share-report.ts";
import { findAccount } from "#storage/accounts.ts";
import {
  failReport,
  findReportToBuild,
  finishReport,
  listGravestChanges,
  setReportShare,
} from "#storage/reports.ts";
import type { MakeReport } from "./run-report-process.ts";

/** `captureStore` is where the captures are: the process that makes the report opens them by itself. */
type Deps = Pick<AlertDeps, "db" | "queue" | "secrets" | "baseUrl"> & {
  connectionString: string;
  captureStore: URL;
  makeReport: MakeReport;
};
type Finished = NonNullable<Awaited<ReturnType<typeof finishReport>>>;

const mailedDays = 30;
/** As many as a summary is asked about. */
const summarizedChanges = 20;

/**
 * Has a queued report made, then makes it ready and mails it if it is scheduled. A report that
 * was deleted in the meantime, with its account or alone, is no failure.
 */
export async function buildReport(deps: Deps, reportId: string, summarize: Summarize): Promise<void> {
  const wanted = await findReportToBuild(deps.db, reportId);
  if (!wanted) return;
  const { connectionString, captureStore, baseUrl } = deps;
  const changes = await listGravestChanges(deps.db, wanted, summarizedChanges);
  const opinion = opinionWords({ opinion: await summarize(wanted.account_id, changes) });
  const order = { reportId, connectionString, captureStore: captureStore.href, baseUrl, opinion };
  try {
    await deps.makeReport(order);
  } catch (error) {
    if (await findReportToBuild(deps.db, reportId)) throw error;
    return;
  }
  await deps.db.transaction().execute(async (tx) => {
    const report = await finishReport(tx, reportId);
    if (!report) return;
    const { account_id, total } = report;
    await emitEvents(tx, account_id, [{ kind: "report", reportId, done: total, total }]);
    if (report.schedule_id) await mailReport(deps, tx, report);
  });
}

/** Marks a report as failed for good, and removes what was stored of it. */
export async function giveUpReport({ db }: Pick<Deps, "db">, reportId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const accountId = await failReport(tx, reportId);
    if (accountId) await emitEvents(tx, accountId, [{ kind: "report", reportId, done: 0, total: 0 }]);
  });
}

/** A scheduled report is mailed as a link that anyone can open for a month. */
async function mailReport(deps: Deps, tx: Deps["db"], report: Finished): Promise<void> {
  const account = await findAccount(tx, report.account_id);
  if (!account) return;
  const token = randomBytes(24).toString("base64url");
  await setReportShare(tx, report.account_id, report.id, { hash: hashOf(token), days: mailedDays });
  const day = (date: Date) => date.toISOString().slice(0, 10);
  const letter = renderMailContent({
    subject: `Report: ${report.title}`,
    paragraphs: [`Your report from ${day(report.from_at)} to ${day(report.to_at)} is ready.`],
    button: { label: "Open the report", url: deps.baseUrl + sharedPath(token, "html") },
    closing: `As PDF: ${deps.baseUrl}${sharedPath(token, "pdf")}\nAnyone with these links can read it for ${mailedDays} days. You can revoke them under Reports.`,
  });
  await sendMail(deps, tx, { to: account.email, ...letter });
}

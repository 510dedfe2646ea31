import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { NewReport, Report, ReportFormat } from "#contract/report.ts";
import { assertReportsAllowed } from "#plans/plan-limits.ts";
import { planById } from "#plans/plans.ts";
import type { Queue } from "#queue/queue.ts";
import { findAccount, lockAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import {
  countQueuedReports,
  deleteReportRow,
  findReport,
  insertReport,
  listReports,
} from "#storage/reports.ts";
import { readLogo, resolveScope } from "./report-scope.ts";

type Deps = { db: Database; queue: Queue };

const maxQueued = 3;
const defaultDays = 30;

/** Queues a report about a job, groups or a search; refuses if the plan has no reports. */
export async function requestReport(deps: Deps, { accountId }: Actor, input: NewReport): Promise<string> {
  const to = input.to ? new Date(input.to) : new Date();
  const from = input.from ? new Date(input.from) : new Date(to.getTime() - defaultDays * 86_400_000);
  if (from >= to) throw new AppError("INVALID_INPUT", "The report must start before it ends.");
  const logo = await readLogo(input.logo);
  return deps.db.transaction().execute(async (tx) => {
    // Reports that are requested at the same time are counted one after the other.
    await lockAccount(tx, accountId);
    await assertReports(tx, accountId);
    const { title, jobIds } = await resolveScope(tx, accountId, input);
    if ((await countQueuedReports(tx, accountId)) >= maxQueued)
      throw new AppError(
        "CONFLICT",
        `${maxQueued} reports are already being created. Wait until one is finished.`,
      );
    const reportId = await insertReport(tx, {
      account_id: accountId,
      title: input.title ?? title,
      note: input.note || null,
      logo,
      job_ids: jobIds,
      from_at: from,
      to_at: to,
    });
    await deps.queue.send(tx, "report", { reportId });
    return reportId;
  });
}

export async function assertReports(tx: Database, accountId: string): Promise<void> {
  const account = await findAccount(tx, accountId);
  if (!account) throw new AppError("UNAUTHENTICATED");
  assertReportsAllowed(planById(account.plan_id));
}

export async function describeReports({ db }: Pick<Deps, "db">, { accountId }: Actor): Promise<Report[]> {
  const rows = await listReports(db, accountId);
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    from: row.from_at.toISOString(),
    to: row.to_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    state: row.state,
    done: row.done,
    total: row.total,
    scheduled: row.schedule_id !== null,
    sharedUntil: row.shared_until?.toISOString() ?? null,
  }));
}

export async function deleteReport(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  id: string,
): Promise<void> {
  if (!(await db.transaction().execute((tx) => deleteReportRow(tx, accountId, id))))
    throw new AppError("NOT_FOUND", "There is no such report.");
}

export async function readReport(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  id: string,
  format: ReportFormat,
): Promise<Buffer> {
  const report = await findReport(db, accountId, id, format);
  if (!report) throw new AppError("NOT_FOUND", "There is no such report.");
  if (report.file) return report.file;
  const words = {
    failed: "This report could not be created. Choose a shorter period or fewer jobs, and try again.",
    queued: "This report is still being created. Try again in a moment.",
    ready: "This report exists only as a PDF. Create it again to get the HTML.",
  };
  throw new AppError("CONFLICT", words[report.state]);
}

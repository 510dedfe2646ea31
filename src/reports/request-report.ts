import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#contract/plans.ts";
import type { NewReport, Report } from "#contract/report.ts";
import { assertReportsAllowed } from "#jobs/limits.ts";
import type { Queue } from "#queue/queue.ts";
import { findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import { findGroup } from "#storage/groups.ts";
import { findJob, listJobs } from "#storage/jobs.ts";
import { countQueuedReports, findReport, insertReport, listReports } from "#storage/reports.ts";

type Deps = { db: Database; queue: Queue };

const atOnce = 3;
const defaultDays = 30;

/** Queues a report about a job or a whole group; refuses where the plan has none. */
export async function requestReport(deps: Deps, { accountId }: Actor, input: NewReport): Promise<string> {
  const to = input.to ? new Date(input.to) : new Date();
  const from = input.from ? new Date(input.from) : new Date(to.getTime() - defaultDays * 86_400_000);
  if (from >= to) throw new AppError("INVALID_INPUT", "The report must start before it ends.");
  return deps.db.transaction().execute(async (tx) => {
    const account = await findAccount(tx, accountId);
    if (!account) throw new AppError("UNAUTHENTICATED");
    assertReportsAllowed(planById(account.plan_id));
    const { title, jobIds } = await scopeOf(tx, accountId, input);
    if ((await countQueuedReports(tx, accountId)) >= atOnce)
      throw new AppError("CONFLICT", `${atOnce} reports are being made already. Wait for one of them.`);
    const reportId = await insertReport(tx, {
      account_id: accountId,
      title,
      job_ids: jobIds,
      from_at: from,
      to_at: to,
    });
    await deps.queue.send(tx, "report", { reportId });
    return reportId;
  });
}

async function scopeOf(tx: Database, accountId: string, { jobId, groupId }: NewReport) {
  if (jobId) {
    const job = await findJob(tx, accountId, jobId);
    if (!job) throw new AppError("NOT_FOUND", "There is no such job.");
    return { title: job.name, jobIds: [job.id] };
  }
  const group = groupId ? await findGroup(tx, accountId, groupId) : undefined;
  if (!group) throw new AppError("NOT_FOUND", "There is no such group.");
  const jobs = await listJobs(tx, accountId, group.id);
  return { title: group.name, jobIds: jobs.map(({ id }) => id) };
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
  }));
}

export async function readReport(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  id: string,
): Promise<Buffer> {
  const report = await findReport(db, accountId, id);
  if (!report) throw new AppError("NOT_FOUND", "There is no such report.");
  if (report.pdf) return report.pdf;
  throw new AppError(
    "CONFLICT",
    report.state === "failed"
      ? "This report could not be made. Ask for it again."
      : "This report is still being made. Try again in a moment.",
  );
}

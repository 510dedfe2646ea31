import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { NewSchedule, Schedule } from "#contract/report.ts";
import { planById } from "#plans/plans.ts";
import type { Queue } from "#queue/queue.ts";
import { findAccount } from "#storage/accounts.ts";
import type { Database } from "#storage/database.ts";
import {
  deleteScheduleRow,
  insertReport,
  insertSchedule,
  listScheduleRows,
  lockDueSchedule,
  moveSchedule,
  type ScheduleRow,
} from "#storage/reports.ts";
import { readLogo, resolveScope } from "./report-scope.ts";
import { assertReports } from "./request-report.ts";

type Deps = { db: Database; queue: Queue };

const limit = 20;

/** Schedules a report for every Monday or the first of every month. */
export async function scheduleReport(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  input: NewSchedule,
): Promise<Schedule> {
  const logo = await readLogo(input.logo);
  return db.transaction().execute(async (tx) => {
    await assertReports(tx, accountId);
    const { title } = await resolveScope(tx, accountId, input);
    if ((await listScheduleRows(tx, accountId)).length >= limit)
      throw new AppError("CONFLICT", `You have ${limit} schedules. Delete one that is no longer needed.`);
    const { jobId, groupId, groupIds, search } = input;
    return describe(
      await insertSchedule(tx, {
        account_id: accountId,
        every: input.every,
        scope: JSON.stringify({ jobId, groupId, groupIds, search }),
        title: input.title ?? title,
        note: input.note || null,
        logo,
        next_at: nextRun(input.every, new Date()),
      }),
    );
  });
}

export async function listSchedules({ db }: Pick<Deps, "db">, { accountId }: Actor): Promise<Schedule[]> {
  return (await listScheduleRows(db, accountId)).map(describe);
}

export async function deleteSchedule(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
  id: string,
): Promise<void> {
  if (!(await deleteScheduleRow(db, accountId, id)))
    throw new AppError("NOT_FOUND", "There is no such schedule.");
}

function describe({ id, title, every, next_at }: ScheduleRow): Schedule {
  return { id, title, every, nextAt: next_at.toISOString() };
}

/** Queues the reports that are due; skips those whose jobs are gone or whose plan no longer has reports. */
export async function runSchedules(deps: Deps, now = new Date()): Promise<void> {
  for (;;) {
    const isDone = await deps.db.transaction().execute(async (tx) => {
      const due = await lockDueSchedule(tx, now);
      if (!due) return true;
      await moveSchedule(tx, due.id, nextRun(due.every, now));
      const account = await findAccount(tx, due.account_id);
      if (!account || !planById(account.plan_id).reports) return false;
      const jobIds = await resolveScope(tx, due.account_id, due.scope).then(
        (found) => found.jobIds,
        (error: unknown) => {
          if (error instanceof AppError) return [];
          throw error;
        },
      );
      if (jobIds.length === 0) return false;
      const { from, to } = periodBefore(due.every, due.next_at);
      const reportId = await insertReport(tx, {
        account_id: due.account_id,
        title: due.title,
        note: due.note,
        logo: due.logo,
        job_ids: jobIds,
        from_at: from,
        to_at: to,
        schedule_id: due.id,
      });
      await deps.queue.send(tx, "report", { reportId });
      return false;
    });
    if (isDone) return;
  }
}

const hour = 5;

/** The next Monday, or first of a month, at five in the morning (UTC). */
export function nextRun(every: "week" | "month", after: Date): Date {
  const [year, month, day] = [after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate()];
  const first =
    every === "month"
      ? new Date(Date.UTC(year, month, 1, hour))
      : new Date(Date.UTC(year, month, day - ((after.getUTCDay() + 6) % 7), hour));
  if (first > after) return first;
  return every === "month"
    ? new Date(Date.UTC(year, month + 1, 1, hour))
    : new Date(first.getTime() + 7 * 86_400_000);
}

/** The whole week or month before a run. */
function periodBefore(every: "week" | "month", run: Date): { from: Date; to: Date } {
  const to = new Date(Date.UTC(run.getUTCFullYear(), run.getUTCMonth(), run.getUTCDate()));
  const from =
    every === "month"
      ? new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - 1, 1))
      : new Date(to.getTime() - 7 * 86_400_000);
  return { from, to };
}

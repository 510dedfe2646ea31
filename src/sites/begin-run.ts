import type { Attempt, Queue } from "#queue/queue.ts";
import { markIdle } from "#scheduling/schedule-rows.ts";
import type { Database } from "#storage/database.ts";
import { findJobToRun, type JobRow } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";
import { findRunSummary, insertRun } from "#storage/sites.ts";
import { sendCrawl } from "./crawl-site.ts";

type Deps = { db: Database; queue: Queue };

/** Whether a run has ended whose inventory no execution has recorded yet. */
export async function isCrawled({ db }: Pick<Deps, "db">, job: JobRow): Promise<boolean> {
  const run = await findRunSummary(db, job.account_id, job.id);
  return run?.state === "crawled" && run.target_version === job.target_version;
}

/**
 * Ends this attempt at a check and leaves it to a crawl, whose end begins the next attempt. For the user, the check is
 * still running. A run that is under way is joined.
 */
export async function leaveToCrawl(deps: Deps, { id }: JobRow, attempt: Attempt): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const job = await findJobToRun(tx, id, true);
    if (!job || !(await deps.queue.settle(tx, "execute", attempt))) return;
    const last = await findRunSummary(tx, job.account_id, job.id);
    const isUnderWay =
      (last?.state === "running" || last?.state === "paused") && last.target_version === job.target_version;
    if (!isUnderWay) await insertRun(tx, job);
    if (!isUnderWay || last.state === "running") return sendCrawl(deps, tx, job);
    await insertLogs(tx, id, [{ level: "info", meta: "The crawl is paused: resume it to check the site" }]);
    await markIdle(tx, id);
  });
}

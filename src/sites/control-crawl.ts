import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { emitEvents } from "#live-events/events.ts";
import type { Queue } from "#queue/queue.ts";
import { markQueued } from "#scheduling/schedule-rows.ts";
import type { Database } from "#storage/database.ts";
import { lockJob, updateJobRow } from "#storage/jobs.ts";
import { setRunState } from "#storage/sites.ts";
import { sendCrawl } from "./crawl-site.ts";
import { findSiteJob } from "./read-site.ts";

/** Pauses the crawl of a job's site, or resumes it where it was. */
export async function controlCrawl(
  deps: { db: Database; queue: Queue },
  actor: Actor,
  jobId: string,
  action: "pause" | "resume",
): Promise<void> {
  await findSiteJob(deps, actor, jobId);
  await deps.db.transaction().execute(async (tx) => {
    const job = await lockJob(tx, actor.accountId, jobId);
    if (!job || job.delete_at) throw new AppError("NOT_FOUND");
    const state = action === "pause" ? "paused" : "running";
    if (!(await setRunState(tx, actor.accountId, jobId, state)))
      throw new AppError("CONFLICT", "No crawl of this site is under way.");
    if (action === "resume") {
      // A job that is paused is crawled all the same, because somebody asks for it.
      await updateJobRow(tx, jobId, { asked: true, started_at: new Date() });
      await markQueued(tx, jobId);
      await sendCrawl(deps, tx, job);
    }
    await emitEvents(tx, actor.accountId, [{ kind: "site", jobId }]);
  });
}

import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { lockJob, updateJobRow } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { enqueue } from "./enqueue.ts";

/** Checks a job now, whatever its status; joins a check that is queued or running. */
export async function runJob(
  deps: Pick<Deps, "db" | "queue">,
  actor: Actor,
  id: string,
): Promise<{ joined: boolean }> {
  return deps.db.transaction().execute(async (tx) => {
    const job = await lockJob(tx, actor.accountId, id);
    if (!job) throw new AppError("NOT_FOUND");
    await updateJobRow(tx, id, { asked: true });
    await enqueue(deps.queue, tx, job, true);
    return { joined: job.queued_at !== null };
  });
}

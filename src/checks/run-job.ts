import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { enqueue } from "#scheduling/enqueue.ts";
import type { Database } from "#storage/database.ts";
import { lockJob, updateJobRow } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** Checks a job now, whatever its status; joins a check that is queued or running. */
export async function runJob(
  deps: Pick<Deps, "db" | "queue">,
  actor: Actor,
  id: string,
  outerTransaction?: Database,
): Promise<{ joined: boolean }> {
  const inTransaction = <T>(work: (tx: Database) => Promise<T>) =>
    outerTransaction ? work(outerTransaction) : deps.db.transaction().execute(work);
  return inTransaction(async (tx) => {
    const job = await lockJob(tx, actor.accountId, id);
    if (!job) throw new AppError("NOT_FOUND");
    if (job.delete_at) throw new AppError("INVALID_INPUT", "This job is deleted. Undo the deletion first.");
    await updateJobRow(tx, id, { asked: true });
    await enqueue(deps.queue, tx, job, true);
    return { joined: job.queued_at !== null };
  });
}

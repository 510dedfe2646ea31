import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { emitEvents } from "#live-events/events.ts";
import type { Database } from "#storage/database.ts";
import { deleteJobRow, type JobRow, lockJob } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** Deletes a job. Its history is out of reach from now on; a queued task removes it afterwards. */
export async function deleteJob(deps: Pick<Deps, "db" | "queue">, actor: Actor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const job = await lockJob(tx, actor.accountId, id);
    if (!job) throw new AppError("NOT_FOUND");
    await deleteLockedJob(deps, tx, job);
    await emitEvents(tx, actor.accountId, [{ kind: "listed" }]);
  });
}

export async function deleteLockedJob(
  { queue }: Pick<Deps, "queue">,
  tx: Database,
  { id, account_id: accountId }: JobRow,
): Promise<void> {
  await deleteJobRow(tx, id);
  await queue.send(tx, "forget", { accountId, jobIds: [id] });
}

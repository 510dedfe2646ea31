import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { emitEvents } from "#storage/events.ts";
import { deleteJobRow, lockJob } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

/** Deletes a job; its history is removed after the answer, and is out of reach from now on. */
export async function deleteJob(deps: Pick<Deps, "db" | "queue">, actor: Actor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockJob(tx, actor.accountId, id))) throw new AppError("NOT_FOUND");
    await deleteJobRow(tx, id);
    await deps.queue.send(tx, "forget", { accountId: actor.accountId, jobIds: [id] });
    await emitEvents(tx, actor.accountId, [{ kind: "listed" }]);
  });
}

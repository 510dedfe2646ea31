import type { Tasks } from "#queue/tasks.ts";
import { collectContents, removeContents, removeHistory } from "#storage/retention.ts";
import type { Deps } from "./deps.ts";

/** Removes what deleted jobs left behind: executions, logs and blobs that nothing else refers to. */
export async function forget(
  { db, blobs }: Pick<Deps, "db" | "blobs">,
  task: Tasks["forget"],
): Promise<void> {
  for (const jobId of task.jobIds) await removeHistory(db, jobId);
  if (task.account) {
    await removeContents(db, task.accountId);
    await blobs.removeOwner(task.accountId);
  } else {
    await collectContents(db, blobs);
  }
}

import type { Deps } from "#evidence/deps.ts";
import type { Tasks } from "#queue/tasks.ts";
import { collectContents, removeContents, removeHistory } from "./delete-history.ts";

/** Removes what deleted jobs left behind: executions, logs and blobs that nothing else refers to. */
export async function forget({ db, blobs }: Deps, task: Tasks["forget"]): Promise<void> {
  for (const jobId of task.jobIds) await removeHistory(db, jobId);
  if (task.account) {
    await removeContents(db, task.accountId);
    await blobs.removeOwner(task.accountId);
  } else {
    await collectContents(db, blobs);
  }
}

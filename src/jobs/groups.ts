import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { emitEvents } from "#live-events/events.ts";
import { assertGroupAllowed, takeQuota } from "#plans/plan-limits.ts";
import type { Database } from "#storage/database.ts";
import {
  deleteGroupRow,
  findGroup,
  type GroupRow,
  groupNameTaken,
  insertGroup,
  renameGroup as rename,
} from "#storage/groups.ts";
import { deleteJobRow, jobIdsOf } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";

const nameTakenError = () => new AppError("NAME_TAKEN", "You already have a group with this name.");

export async function createGroup(deps: Pick<Deps, "db">, actor: Actor, name: string): Promise<GroupRow> {
  return deps.db.transaction().execute((tx) => addGroup(tx, actor, name));
}

export async function addGroup(tx: Database, actor: Actor, name: string): Promise<GroupRow> {
  assertGroupAllowed(await takeQuota(tx, actor.accountId));
  const group = await insertGroup(tx, actor.accountId, name);
  if (!group) throw nameTakenError();
  await emitEvents(tx, actor.accountId, [{ kind: "listed" }]);
  return group;
}

export async function renameGroup(
  deps: Pick<Deps, "db">,
  actor: Actor,
  id: string,
  name: string,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await takeQuota(tx, actor.accountId);
    if (!(await findGroup(tx, actor.accountId, id))) throw new AppError("NOT_FOUND");
    if (await groupNameTaken(tx, actor.accountId, name, id)) throw nameTakenError();
    await rename(tx, actor.accountId, id, name);
    await emitEvents(tx, actor.accountId, [{ kind: "listed" }]);
  });
}

/** Deletes a group with its jobs; a queued task removes their history afterwards. */
export async function deleteGroup(
  deps: Pick<Deps, "db" | "queue">,
  actor: Actor,
  id: string,
): Promise<{ name: string; jobs: number }> {
  const { accountId } = actor;
  return deps.db.transaction().execute(async (tx) => {
    await takeQuota(tx, accountId);
    const group = await findGroup(tx, accountId, id);
    if (!group) throw new AppError("NOT_FOUND");
    const jobIds = await jobIdsOf(tx, accountId, id);
    for (const jobId of jobIds) await deleteJobRow(tx, jobId);
    await deleteGroupRow(tx, accountId, id);
    if (jobIds.length > 0) await deps.queue.send(tx, "forget", { accountId, jobIds });
    await emitEvents(tx, accountId, [{ kind: "listed" }]);
    return { name: group.name, jobs: jobIds.length };
  });
}

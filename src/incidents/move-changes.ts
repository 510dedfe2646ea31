import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import { deleteEmptyIncidents, listIncidentJobs, markAsMadeByHand, moveChanges } from "#storage/incidents.ts";
import { quietSeconds } from "./group-changes.ts";
import { addIncident, lockIncidents } from "./incident-rows.ts";

type Deps = { db: Database; queue: Queue };

/** Moves changes of an incident to one of their own. */
export async function splitIncident(
  { db, queue }: Deps,
  { accountId }: Actor,
  incidentId: string,
  executionIds: string[],
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lockIncidents(tx, accountId);
    const id = await addIncident(tx, accountId, true);
    const moved = await moveChanges(tx, accountId, { from: [incidentId], to: id, executionIds });
    if (moved === 0) throw new AppError("NOT_FOUND", "The incident has none of these changes.");
    if ((await listIncidentJobs(tx, accountId, incidentId)).length === 0)
      throw new AppError("CONFLICT", "All changes of the incident were chosen. Leave at least one in it.");
    // It stays on the screen even if only one page is left of it, so that they can be merged again.
    await markAsMadeByHand(tx, accountId, incidentId);
    await queueClosing(queue, tx, accountId, id);
    return moved;
  });
}

/** Moves the changes of other incidents to this one. */
export async function mergeIncidents(
  { db, queue }: Deps,
  { accountId }: Actor,
  incidentId: string,
  incidentIds: string[],
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lockIncidents(tx, accountId);
    if ((await listIncidentJobs(tx, accountId, incidentId)).length === 0)
      throw new AppError("NOT_FOUND", "There is no such incident.");
    const from = incidentIds.filter((id) => id !== incidentId);
    const moved = from.length === 0 ? 0 : await moveChanges(tx, accountId, { from, to: incidentId });
    if (moved === 0) throw new AppError("NOT_FOUND", "There is no such other incident.");
    await deleteEmptyIncidents(tx, accountId);
    await queueClosing(queue, tx, accountId, incidentId);
    return moved;
  });
}

/** Pages that wait for a message belong to another incident now, so its closing message covers them. */
async function queueClosing(
  queue: Queue,
  tx: Database,
  accountId: string,
  incidentId: string,
): Promise<void> {
  await queue.send(tx, "close-incident", { incidentId }, { owner: accountId, startAfter: quietSeconds + 1 });
}

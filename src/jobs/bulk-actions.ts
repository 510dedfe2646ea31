import { runJob } from "#checks/run-job.ts";
import type { Actor } from "#contract/actor.ts";
import {
  type BulkAction,
  type BulkActionEntry,
  type BulkProblem,
  undoMinutes,
} from "#contract/bulk-action.ts";
import { AppError } from "#contract/errors.ts";
import { settableStatuses } from "#contract/job.ts";
import { emitEvents } from "#live-events/events.ts";
import { takeQuota } from "#plans/plan-limits.ts";
import {
  type BulkActionRow,
  insertBulkAction,
  listBulkActions as listRows,
  takeBulkAction,
} from "#storage/bulk-actions.ts";
import type { Database } from "#storage/database.ts";
import { inSavepoint } from "#storage/in-savepoint.ts";
import type { BulkChange } from "#storage/job-tables.ts";
import { type JobRow, listJobsWithGroups, lockJob } from "#storage/jobs.ts";
import type { Deps } from "./deps.ts";
import { assertNotDeleted, restoreJob, scheduleDeletion } from "./schedule-deletion.ts";
import { setJobStatus } from "./set-job-status.ts";
import { assertUpdate, updateJob } from "./update-job.ts";

type Result = { done: string[]; problems: BulkProblem[]; undo: BulkActionEntry | null };

/**
 * Applies an action to several jobs in one transaction. A job that can't be changed stays as it is and is listed with
 * the reason; the others are changed, and what was changed can be undone for a while.
 */
export async function applyBulkAction(deps: Deps, actor: Actor, input: BulkAction): Promise<Result> {
  const ids = [...new Set(input.jobIds)];
  const refusals = await findRefusals(deps, actor, ids, input);
  return deps.db.transaction().execute(async (tx) => {
    await takeQuota(tx, actor.accountId);
    const changes: BulkChange[] = [];
    const deletion = new Date(Date.now() + undoMinutes * 60_000);
    const result = await forEachJob(tx, actor, ids, async (job) => {
      const refusal = refusals.get(job.id);
      if (refusal) throw refusal;
      const before = await applyToJob(deps, tx, actor, { job, input, deletion });
      if (before) changes.push({ jobId: job.id, name: job.name, ...before });
    });
    await emitEvents(tx, actor.accountId, [{ kind: "listed" }]);
    if (changes.length === 0) return { ...result, undo: null };
    const { accountId: account_id } = actor;
    const row = await insertBulkAction(tx, {
      account_id,
      action: input.action,
      changes,
      minutes: undoMinutes,
    });
    return { ...result, undo: describe(row) };
  });
}

export async function listBulkActions(
  { db }: Pick<Deps, "db">,
  { accountId }: Actor,
): Promise<{ actions: BulkActionEntry[] }> {
  return { actions: (await listRows(db, accountId)).map(describe) };
}

/** Undoes an action. Jobs that were changed again since then stay as they are, with the reason. */
export async function undoBulkAction(deps: Deps, actor: Actor, id: string): Promise<Result> {
  return deps.db.transaction().execute(async (tx) => {
    // Locked first, as by calls that change one job, so that they don't wait for each other.
    await takeQuota(tx, actor.accountId);
    const row = await takeBulkAction(tx, actor.accountId, id);
    if (!row) throw new AppError("NOT_FOUND", "This can no longer be undone.");
    const changeOf = new Map(row.changes.map((change) => [change.jobId, change]));
    const result = await forEachJob(tx, actor, [...changeOf.keys()], async (job) => {
      const change = changeOf.get(job.id);
      if (change) await undoChange(deps, tx, actor, job, change);
    });
    const problems = result.problems.map((problem) => ({
      ...problem,
      name: problem.name ?? changeOf.get(problem.jobId)?.name ?? null,
    }));
    await emitEvents(tx, actor.accountId, [{ kind: "listed" }]);
    return { ...result, problems, undo: null };
  });
}

/** The jobs that an entry to ignore doesn't fit; tested on their last captures before anything is locked. */
async function findRefusals(
  deps: Deps,
  { accountId }: Actor,
  ids: string[],
  { action, entry }: BulkAction,
): Promise<Map<string, AppError>> {
  const refusals = new Map<string, AppError>();
  if (action !== "ignore" || entry === undefined) return refusals;
  const wanted = new Set(ids);
  for (const job of await listJobsWithGroups(deps.db, accountId)) {
    if (!wanted.has(job.id)) continue;
    try {
      await assertUpdate(deps, accountId, job.id, { ignore: withEntry(job, entry) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusals.set(job.id, error);
    }
  }
  return refusals;
}

/** Locks each job of the account and works on it; a refusal rolls back what was done to this job only. */
async function forEachJob(
  tx: Database,
  { accountId }: Actor,
  ids: string[],
  work: (job: JobRow) => Promise<void>,
): Promise<Pick<Result, "done" | "problems">> {
  const done: string[] = [];
  const problems: BulkProblem[] = [];
  // In one order, so that two actions on the same jobs don't wait for each other.
  for (const id of ids.toSorted()) {
    let name: string | null = null;
    try {
      await inSavepoint(tx, async () => {
        const job = await lockJob(tx, accountId, id);
        if (!job) throw new AppError("NOT_FOUND", "There is no such job.");
        name = job.name;
        await work(job);
      });
      done.push(id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push({ jobId: id, name, message: error.message });
    }
  }
  return { done, problems };
}

type Before = Omit<BulkChange, "jobId" | "name">;

/** Returns what is needed to undo the action, or null if nothing was changed or it can't be undone. */
async function applyToJob(
  deps: Deps,
  tx: Database,
  actor: Actor,
  { job, input, deletion }: { job: JobRow; input: BulkAction; deletion: Date },
): Promise<Before | null> {
  const { action, groupId, minutes, entry } = input;
  if (action === "delete") {
    if (job.delete_at) return null;
    await scheduleDeletion(tx, job, deletion);
    return {};
  }
  assertNotDeleted(job);
  switch (action) {
    case "run":
      await runJob(deps, actor, job.id, tx);
      return null;
    case "pause":
    case "activate": {
      const status = action === "pause" ? "PAUSED" : "ACTIVE";
      if (job.status === status) return null;
      await setJobStatus(deps, actor, job.id, status, tx);
      // A status that only the system sets can't be restored.
      return settableStatuses.some((known) => known === job.status) ? { status: job.status } : null;
    }
    case "move":
      if (groupId === undefined || job.group_id === groupId) return null;
      await updateJob(deps, actor, job.id, { groupId }, tx);
      return { groupId: job.group_id, to: groupId };
    case "frequency":
      if (minutes === undefined || job.frequency_minutes === minutes) return null;
      await updateJob(deps, actor, job.id, { frequency: minutes }, tx);
      return { minutes: job.frequency_minutes, to: minutes };
    default:
      if (entry === undefined || job.ignore.includes(entry)) return null;
      await updateJob(deps, actor, job.id, { ignore: withEntry(job, entry) }, tx);
      return { entry };
  }
}

const withEntry = ({ ignore }: Pick<JobRow, "ignore">, entry: string) =>
  ignore.includes(entry) ? ignore : [...ignore, entry];

async function undoChange(
  deps: Deps,
  tx: Database,
  actor: Actor,
  job: JobRow,
  { status, groupId, minutes, entry, to }: BulkChange,
): Promise<void> {
  const assertUnchanged = (isSame: boolean) => {
    if (!isSame) throw new AppError("INVALID_INPUT", "It was changed since then and stays as it is now.");
  };
  const isDeletion = [status, groupId, minutes, entry].every((value) => value === undefined);
  if (isDeletion) {
    if (job.delete_at) await restoreJob(tx, actor, job);
    return;
  }
  assertNotDeleted(job);
  const settable = settableStatuses.find((known) => known === status);
  if (settable) await setJobStatus(deps, actor, job.id, settable, tx);
  if (groupId !== undefined) {
    assertUnchanged(job.group_id === to);
    await updateJob(deps, actor, job.id, { groupId }, tx);
  }
  if (minutes !== undefined) {
    assertUnchanged(job.frequency_minutes === to);
    await updateJob(deps, actor, job.id, { frequency: minutes }, tx);
  }
  if (entry !== undefined && job.ignore.includes(entry))
    await updateJob(deps, actor, job.id, { ignore: job.ignore.filter((other) => other !== entry) }, tx);
}

function describe({ id, action, changes, created_at, expires_at }: BulkActionRow): BulkActionEntry {
  return {
    id,
    action,
    jobs: changes.map(({ jobId, name }) => ({ id: jobId, name })),
    createdAt: created_at.toISOString(),
    until: expires_at.toISOString(),
  };
}

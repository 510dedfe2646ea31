import type { Stages } from "#contract/job.ts";
import { boundToStore } from "#detection/bound-verdict.ts";
import { keepSaid } from "#detection/keep-said.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { Attempt } from "#queue/queue.ts";
import { addRefs } from "#storage/chains.ts";
import { commitSoon, type Database } from "#storage/database.ts";
import { emitEventsOf } from "#storage/events.ts";
import { hashesOf, insertExecutions, insertVerdicts, type Kept } from "#storage/executions.ts";
import { inBatches } from "#storage/in-batches.ts";
import {
  findJobToRun,
  findMemories,
  type JobRow,
  lockFreeJobs,
  saveMemories,
  updateJobRow,
} from "#storage/jobs.ts";
import { insertLogs, insertLogsOf, type LogLine } from "#storage/logs.ts";
import { markIdle, pauseHost, postponeJob } from "#storage/schedule.ts";
import type { ExecuteDeps } from "./deps.ts";
import { enqueue } from "./enqueue.ts";
import { judge } from "./judge.ts";
import { type Look, tooLarge } from "./look.ts";
import { notify, tellLate } from "./notify.ts";
import { sealAll } from "./seal.ts";

/** What was seen, and where it is kept. */
type KeptLook = Look & { kept: Kept | null; stages: Stages; attempts: number };

/** What an attempt found of a job as it was when it began. */
type Found = { checked: JobRow; attempt: Attempt; look: KeptLook };

type Deps = Pick<ExecuteDeps, "db" | "queue" | "blobs">;

export const targetChanged: LogLine = {
  level: "info",
  meta: "The job changed during the check: checked again",
};

/**
 * Writes what attempts found, of each all of it or nothing: the execution, its log, the counters, the notification and
 * the tasks that follow. An attempt that lost its claim writes nothing. Those that end together are written together.
 */
export function openRecord(deps: Deps): (found: Found) => Promise<void> {
  const alone = (found: Found) =>
    deps.db.transaction().execute(async (tx) => {
      if (isQuiet(found)) await commitSoon(tx);
      const job = await findJobToRun(tx, found.checked.id, true);
      const held = await settle(deps, tx, [found]);
      if (job)
        await writeAll(
          deps,
          tx,
          held.map((found) => ({ ...found, job })),
        );
    });
  const together = (all: Found[]): Promise<Set<Found>> =>
    deps.db.transaction().execute(async (tx) => {
      if (all.every(isQuiet)) await commitSoon(tx);
      const ids = all.map(({ checked }) => checked.id);
      const jobs = new Map((await lockFreeJobs(tx, ids)).map((job) => [job.id, job]));
      const free = all.filter(({ checked: { id } }, i) => jobs.has(id) && ids.indexOf(id) === i);
      const held = await settle(deps, tx, free);
      await writeAll(
        deps,
        tx,
        held.flatMap((found) => {
          const job = jobs.get(found.checked.id);
          return job ? [{ ...found, job }] : [];
        }),
      );
      return new Set(free);
    });
  return inBatches(async (all) => {
    if (all.length === 1) return Promise.all(all.map(alone));
    const written = await together(all);
    return all.map((found) => (written.has(found) ? undefined : alone(found)));
  });
}

/** Nothing that anybody waits for: after a crash it may be found out again. */
const isQuiet = ({ look }: Found) => !look.verdict?.changed && !look.failure;

/** Those whose attempts still had their claims. */
async function settle({ queue }: Deps, tx: Database, all: Found[]): Promise<Found[]> {
  const settled = await queue.settleAll(
    tx,
    "execute",
    all.map(({ attempt }) => attempt),
  );
  return all.filter(({ attempt }) => settled.has(attempt.id));
}

/** Of jobs that are locked, one of each. */
async function writeAll(deps: Deps, tx: Database, held: (Found & { job: JobRow })[]): Promise<void> {
  for (const { job, checked } of held)
    if (job.target_version !== checked.target_version) await lookAgain(deps, tx, job);
  const all = held
    .filter(({ job, checked }) => job.target_version === checked.target_version)
    .toSorted((a, b) => (a.job.account_id < b.job.account_id ? -1 : 1));
  if (all.length === 0) return;
  for (const [accountId, own] of Map.groupBy(all, ({ job }) => job.account_id)) {
    const hashes = own.flatMap(({ look }) => (look.kept ? hashesOf(look.kept) : []));
    await addRefs(tx, accountId, hashes, 1);
  }
  const executions = await insertExecutions(
    tx,
    all.map(({ job, look }) => toRow(job, look)),
  );
  const idOf = new Map(executions.map(({ job_id, id }) => [job_id, id]));
  const said = await findMemories(
    tx,
    all.map(({ job }) => job.id),
  );
  const written = all.map(({ job, look }) => {
    const executionId = idOf.get(job.id);
    if (!executionId) throw new Error("a locked job was not counted");
    return { job, look, executionId, ...judge(job, look) };
  });
  for (const [accountId, own] of Map.groupBy(written, ({ job }) => job.account_id))
    await insertVerdicts(tx, accountId, own.flatMap(toVerdict));
  await saveMemories(
    tx,
    all.map(({ job, look: { memory, evidence, complete } }) => {
      const before = said.get(job.id);
      const spoken = (before?.memory ?? null) as NoiseMemory | null;
      // What is not compared with later must not be asked about later: "not modified" would hide a change that nobody told.
      const asked = complete ? evidence : (before?.evidence ?? null);
      return { jobId: job.id, memory: memory && keepSaid(memory, spoken), evidence: asked };
    }),
  );
  await insertLogsOf(
    tx,
    written.map(({ job, look, executionId, lines }) => ({
      jobId: job.id,
      executionId,
      lines: [...look.lines, ...lines],
    })),
  );
  await sealAll(deps, tx, new Map(written.map(({ executionId, look }) => [executionId, look.snapshot])));
  for (const { job, look, trouble, notices } of written) {
    if (look.retryAfterSeconds > 0) {
      await pauseHost(tx, job.account_id, job.host, look.retryAfterSeconds);
      await postponeJob(tx, job.id, look.retryAfterSeconds);
    }
    const isInterrupted = notices.some(({ kind }) => kind === "interrupted");
    await updateJobRow(tx, job.id, {
      ...((trouble || job.trouble) && { trouble: trouble && JSON.stringify(trouble) }),
      ...(isInterrupted && { status: "INTERRUPTED" }),
    });
  }
  await emitEventsOf(
    tx,
    written.map(({ job, look, executionId }) => ({
      accountId: job.account_id,
      event: {
        kind: "finished",
        jobId: job.id,
        executionId,
        changed: look.verdict?.changed ?? false,
        failed: look.failure !== null,
        summary: summaryOf(job, look),
      },
    })),
  );
  for (const { job, look, executionId } of written)
    if (look.stood || look.verdict?.stood) await tellLate(deps, tx, job.id, executionId);
  for (const { job, executionId, notices } of written)
    for (const notice of notices)
      await notify(deps, tx, {
        ...notice,
        account_id: job.account_id,
        job_id: job.id,
        execution_id: executionId,
        title: job.name,
      });
}

function toVerdict({ executionId, look: { verdict } }: { executionId: string; look: Look }) {
  if (!verdict || (verdict.reasons.length === 0 && verdict.ignored.length === 0)) return [];
  return [{ id: executionId, verdict: boundToStore(verdict) }];
}

/** The job was pointed elsewhere, or told to see otherwise, while it was checked: what was found is nobody's. */
async function lookAgain(deps: Deps, tx: Database, job: JobRow): Promise<void> {
  await insertLogs(tx, job.id, [targetChanged]);
  await markIdle(tx, job.id);
  if (job.status === "ACTIVE") await enqueue(deps.queue, tx, job);
}

function toRow(job: JobRow, look: KeptLook) {
  const { verdict, failure } = look;
  const { capture, confirm, compare, store } = look.stages;
  return {
    job_id: job.id,
    account_id: job.account_id,
    status_code: look.status,
    changed: verdict?.changed ?? false,
    folded: verdict?.folded ?? false,
    untold: verdict?.untold ?? null,
    followed: look.values,
    failure: failure?.kind ?? null,
    error: failure?.message ?? null,
    similarity: verdict?.similarity ?? (look.complete && job.baseline_id ? 100 : null),
    severity: verdict?.changed ? verdict.severity : null,
    summary: summaryOf(job, look),
    truncated: look.snapshot?.truncated ?? false,
    via: look.stands ? "http" : (look.snapshot?.via ?? null),
    duration_ms: capture + confirm + compare + store,
    stages: look.stages,
    attempts: look.attempts,
    baseline_id: job.baseline_id,
    kept: look.kept,
    becomesBaseline: look.complete && look.kept !== null,
  };
}

function summaryOf(job: JobRow, { failure, snapshot, verdict, complete }: KeptLook): string {
  if (failure) return failure.message;
  if (snapshot?.truncated) return tooLarge;
  if (verdict) return verdict.changed ? verdict.summary : "No change";
  if (!complete) return "A change could not be confirmed";
  return job.baseline_id ? "No change" : "First capture";
}

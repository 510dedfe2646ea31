import type { Stages } from "#contract/job.ts";
import type { PageBlock } from "#contract/page-block.ts";
import { directProxy } from "#contract/setting-shapes.ts";
import { mergeFeedback } from "#detection/noise-memory/merge-feedback.ts";
import { type NoiseMemory } from "#detection/noise-memory/noise-memory.ts";
import { boundForStorage } from "#detection/verdict/bound-verdict.ts";
import { sealAll } from "#evidence/seal.ts";
import { inherit } from "#group-defaults/inherit.ts";
import { pauseHost } from "#host-limits/pause-host.ts";
import { emitEventsOf } from "#live-events/events.ts";
import { blocksOf } from "#page-index/blocks-of.ts";
import { indexCaptures } from "#page-index/index-captures.ts";
import type { Attempt } from "#queue/queue.ts";
import { enqueue } from "#scheduling/enqueue.ts";
import { advanceJob, markIdle, postponeJob } from "#scheduling/schedule-rows.ts";
import { addRefs } from "#storage/contents.ts";
import { allowAsyncCommit, type Database } from "#storage/database.ts";
import { insertExecutionSteps, picturesOf } from "#storage/execution-steps.ts";
import { hashesOf, insertVerdicts, type Kept } from "#storage/executions.ts";
import { inBatches } from "#storage/in-batches.ts";
import type { StoredStep } from "#storage/job-tables.ts";
import {
  findJobToRun,
  findMemories,
  type JobRow,
  lockFreeJobs,
  saveMemories,
  updateJobRow,
} from "#storage/jobs.ts";
import { insertLogs, insertLogsOf, type LogLine } from "#storage/logs.ts";
import { findWithSearchAlerts } from "#storage/search-alerts.ts";
import { addExecutions } from "./add-executions.ts";
import { type CheckResult, isBaseline, snapshotOf, verdictOf } from "./check-result.ts";
import { chooseNotices, type Notices } from "./choose-notices.ts";
import { tooLarge } from "./compare-capture.ts";
import type { ExecuteDeps } from "./deps.ts";
import { describeStatus } from "./error-status.ts";
import { announcePending, notify } from "./notify.ts";
import { readBlocks } from "./read-blocks.ts";

/** Where capture and steps are stored, how long the check's stages took, and how many attempts it took. */
type Stored = { kept: Kept | null; steps: StoredStep[]; stages: Stages; attempts: number };

/** What an attempt found, and the job as it was when the attempt began. */
type Ended = { checked: JobRow; attempt: Attempt; result: CheckResult; stored: Stored };
/** With what the captured page consists of, which is read before any row is locked; null if there is no new capture. */
type Found = Ended & { blocks: PageBlock[] | null };

type Deps = Pick<ExecuteDeps, "db" | "queue" | "blobs">;

export const targetChanged: LogLine = {
  level: "info",
  meta: "The job changed during the check: checked again",
};

/**
 * Writes the results of checks, each in one transaction: execution, log, counters, notification and the tasks that
 * follow. An attempt that lost its claim writes nothing. Checks that end at the same time are written together.
 */
export function openResultBatches(deps: Deps): (ended: Ended) => Promise<void> {
  const recordOne = (found: Found) =>
    deps.db.transaction().execute(async (tx) => {
      if (isQuiet(found)) await allowAsyncCommit(tx);
      const job = await findJobToRun(tx, found.checked.id, true);
      const held = await settle(deps, tx, [found]);
      if (job)
        await writeAll(
          deps,
          tx,
          held.map((found) => ({ ...found, job })),
        );
    });
  const recordTogether = (all: Found[]): Promise<Set<Found>> =>
    deps.db.transaction().execute(async (tx) => {
      if (all.every(isQuiet)) await allowAsyncCommit(tx);
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
  const record = inBatches(async (all: Found[]) => {
    if (all.length === 1) return Promise.all(all.map(recordOne));
    const written = await recordTogether(all);
    return all.map((found) => (written.has(found) ? undefined : recordOne(found)));
  });
  return (ended) => {
    const { result } = ended;
    return record({ ...ended, blocks: result.kind === "captured" ? blocksOf(result.snapshot) : null });
  };
}

/** A page that may not have loaded completely is checked again after this time. */
const secondsToSecondLook = 180;

/** A result without a change or failure: nobody waits for it, and after a crash it can be found again. */
const isQuiet = ({ result }: Found) => result.kind !== "failed" && !verdictOf(result)?.changed;

/** Settles the attempts and returns the results whose attempts still held their claims. */
async function settle({ queue }: Deps, tx: Database, all: Found[]): Promise<Found[]> {
  const settled = await queue.settleAll(
    tx,
    "execute",
    all.map(({ attempt }) => attempt),
  );
  return all.filter(({ attempt }) => settled.has(attempt.id));
}

type Locked = Found & { job: JobRow };
/** A result with its execution, and the notices to the user. */
type Written = Locked & { executionId: string; number: number; at: Date } & Notices;

/** Records and announces the results of locked jobs, at most one per job. */
async function writeAll(deps: Deps, tx: Database, held: Locked[]): Promise<void> {
  const isOutdated = ({ job, checked }: Locked) =>
    job.delete_at !== null || job.target_version !== checked.target_version;
  for (const { job } of held.filter(isOutdated)) await checkAgain(deps, tx, job);
  // In the order of accounts, so that two writers lock their rows in the same order.
  const found = held
    .filter((one) => !isOutdated(one))
    .toSorted((a, b) => (a.job.account_id < b.job.account_id ? -1 : 1));
  if (found.length === 0) return;
  const written = await recordExecutions(deps, tx, found);
  await updateJobs(tx, written);
  await announceAll(deps, tx, written);
  // Last, because from then on the account's other checks may wait for this one.
  const indexed = await indexCaptures(tx, await readBlocks(deps, written));
  for (const { accountId, executionId } of await findWithSearchAlerts(tx, indexed))
    await deps.queue.send(tx, "match-search-alerts", { accountId, executionId });
}

/** Writes the executions with their verdicts, logs and seals, and saves what the jobs learned from them. */
async function recordExecutions(deps: Deps, tx: Database, found: Locked[]): Promise<Written[]> {
  const byAccount = <T extends Locked>(all: T[]) => Map.groupBy(all, ({ job }) => job.account_id);
  for (const [accountId, own] of byAccount(found)) {
    const hashes = own.flatMap(({ stored: { kept, steps } }) => [
      ...(kept ? hashesOf(kept) : []),
      ...picturesOf(steps),
    ]);
    await addRefs(tx, accountId, hashes, 1);
  }
  const executions = await addExecutions(tx, found.map(toRow));
  const recorded = new Map(executions.map((execution) => [execution.job_id, execution]));
  const written = found.map((one): Written => {
    const execution = recorded.get(one.job.id);
    if (!execution) throw new Error("a locked job was not counted");
    const { id: executionId, number, at } = execution;
    return { ...one, executionId, number, at, ...chooseNotices(one.job, one.result) };
  });
  for (const [accountId, own] of byAccount(written)) {
    await insertVerdicts(tx, accountId, own.flatMap(toVerdict));
    await insertExecutionSteps(tx, accountId, own.flatMap(toSteps));
  }
  await rememberAll(tx, written);
  await insertLogsOf(
    tx,
    written.map(({ job, result, executionId, lines }) => ({
      jobId: job.id,
      executionId,
      lines: [...result.lines, ...lines],
    })),
  );
  await sealAll(
    deps,
    tx,
    new Map(written.map(({ executionId, result }) => [executionId, snapshotOf(result)])),
  );
  return written;
}

/** Saves what was learned. Feedback that the user gave while the check ran is kept. */
async function rememberAll(tx: Database, written: Written[]): Promise<void> {
  const saved = await findMemories(
    tx,
    written.map(({ job }) => job.id),
  );
  await saveMemories(
    tx,
    written.map(({ job, result }) => {
      const previous = saved.get(job.id);
      const feedback = (previous?.memory ?? null) as NoiseMemory | null;
      // Only a baseline may be asked about by HTTP: "not modified" since anything else would hide a change.
      const evidence = isBaseline(result) ? result.evidence : (previous?.evidence ?? null);
      return { jobId: job.id, memory: result.memory && mergeFeedback(result.memory, feedback), evidence };
    }),
  );
}

async function updateJobs(tx: Database, written: Written[]): Promise<void> {
  for (const { job, result, trouble, notices } of written) {
    if (result.retryAfterSeconds > 0) {
      await pauseHost(tx, job.account_id, job.host, {
        seconds: result.retryAfterSeconds,
        isThroughProxy: (inherit(job, "proxies") ?? []).some((id) => id !== directProxy),
      });
      await postponeJob(tx, job.id, result.retryAfterSeconds);
    }
    if (verdictOf(result)?.partial) await advanceJob(tx, job.id, secondsToSecondLook);
    const isInterrupted = notices.some(({ kind }) => kind === "interrupted");
    await updateJobRow(tx, job.id, {
      ...((trouble || job.trouble) && { trouble: trouble && JSON.stringify(trouble) }),
      ...(isInterrupted && { status: "INTERRUPTED" }),
      ...(result.evidence?.identity && !job.signed_in && { signed_in: true }),
    });
  }
}

/** Sends every execution to open pages, and notices also to the channels. */
async function announceAll(deps: Deps, tx: Database, written: Written[]): Promise<void> {
  await emitEventsOf(
    tx,
    written.map(({ job, result, executionId }) => ({
      accountId: job.account_id,
      event: {
        kind: "finished",
        jobId: job.id,
        executionId,
        changed: verdictOf(result)?.changed ?? false,
        failed: result.kind === "failed",
        summary: summaryOf(job, result),
      },
    })),
  );
  for (const { job, result, executionId } of written)
    if (result.isPendingConfirmed || verdictOf(result)?.stood)
      await announcePending(deps, tx, job.id, executionId);
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

const toSteps = ({ executionId, stored: { steps } }: Written) =>
  steps.length > 0 ? [{ id: executionId, steps }] : [];

function toVerdict({ executionId, result }: Written) {
  const verdict = verdictOf(result);
  if (!verdict || (verdict.reasons.length === 0 && verdict.ignored.length === 0)) return [];
  return [{ id: executionId, verdict: boundForStorage(verdict) }];
}

/** The job was changed to watch something else while it was checked: the result is dropped. */
async function checkAgain(deps: Deps, tx: Database, job: JobRow): Promise<void> {
  await insertLogs(tx, job.id, [targetChanged]);
  await markIdle(tx, job.id);
  if (job.status === "ACTIVE" && !job.delete_at) await enqueue(deps.queue, tx, job);
}

function toRow({ job, result, stored: { kept, stages, attempts } }: Locked) {
  const verdict = verdictOf(result);
  const failure = result.kind === "failed" ? result.failure : null;
  const snapshot = snapshotOf(result);
  return {
    job_id: job.id,
    account_id: job.account_id,
    status_code: result.status,
    changed: verdict?.changed ?? false,
    folded: verdict?.folded ?? false,
    untold: verdict?.untold ?? null,
    followed: result.values,
    failure: failure?.kind ?? null,
    error: failure?.message ?? null,
    similarity: verdict?.similarity ?? (isSameAsBaseline(job, result) ? 100 : null),
    severity: verdict?.changed ? verdict.severity : null,
    summary: summaryOf(job, result),
    truncated: snapshot?.truncated ?? false,
    via: result.kind === "not-modified" ? "http" : (snapshot?.via ?? null),
    duration_ms: stages.capture + stages.confirm + stages.compare + stages.store,
    stages,
    attempts,
    baseline_id: job.baseline_id,
    kept,
    isBaseline: isBaseline(result) && kept !== null,
  };
}

/** A job may be about an error page, but its user should know that it is one. */
function firstCapture(status: number | null): string {
  return status !== null && status >= 400 ? `First capture. ${describeStatus(status)}` : "First capture";
}

/** Whether the capture was compared with the baseline, or not needed, and found to be the same. */
const isSameAsBaseline = (job: JobRow, result: CheckResult) =>
  isBaseline(result) && job.baseline_id !== null && !replacesOf(result);

const replacesOf = (result: CheckResult) => (result.kind === "captured" ? result.replaces : undefined);

function summaryOf(job: JobRow, result: CheckResult): string {
  const same = replacesOf(result) ?? (job.baseline_id ? "No change" : firstCapture(result.status));
  if (result.kind === "failed") return result.failure.message;
  if (result.kind === "not-modified") return same;
  if (result.snapshot.truncated) return tooLarge;
  if (result.verdict) return result.verdict.changed ? result.verdict.summary : "No change";
  return result.isComplete ? same : "A change could not be confirmed";
}

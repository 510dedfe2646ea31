import type { CaptureResult } from "#capture/capture-page.ts";
import { canCheckByHttp, type Evidence } from "#capture/plain-http/http-evidence.ts";
import type { LiveEvent, Stage, Stages } from "#contract/job.ts";
import { emitEvents } from "#live-events/events.ts";
import { recordProxyUses } from "#proxies/record-proxy-uses.ts";
import type { Attempt, WorkerSlot } from "#queue/queue.ts";
import type { Tasks } from "#queue/tasks.ts";
import { makeRoom } from "#retention/apply-retention.ts";
import { runningPriority, turnPriority } from "#scheduling/enqueue.ts";
import { markIdle } from "#scheduling/schedule-rows.ts";
import { isCrawled, leaveToCrawl } from "#sites/begin-run.ts";
import { captureInventory } from "#sites/capture-inventory.ts";
import { BlobsUnavailable } from "#storage/blobs.ts";
import { allowAsyncCommit } from "#storage/database.ts";
import type { Kept } from "#storage/executions.ts";
import { findJobToRun, type JobRow, type JobToCheck, updateJobRow } from "#storage/jobs.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import { markRunsRecorded } from "#storage/sites.ts";
import { openSession, type Session } from "./capture-as-identity.ts";
import { type CheckInput, readCheckInput } from "./check-input.ts";
import { type CheckResult, snapshotOf, type Unconfirmed, verdictOf } from "./check-result.ts";
import { captureAndCompare } from "./compare-capture.ts";
import { confirmChange } from "./confirm-change.ts";
import type { Detector, ExecuteDeps } from "./deps.ts";
import type { ExecutionBatches } from "./execution-batches.ts";
import { nameByTitle } from "./name-by-title.ts";
import {
  dropPendingConfirmation,
  type PendingConfirmation,
  readPendingConfirmation,
  storePendingConfirmation,
} from "./pending-confirmations.ts";
import { targetChanged } from "./record-result.ts";
import { storeCapture } from "./store-capture.ts";
import { storeSteps } from "./store-steps.ts";

type Deps = ExecuteDeps & { executionBatches: ExecutionBatches };
/** The same, with the detector of one account. */
type AccountDeps = Omit<Deps, "detector"> & { detector: Detector };
type Task = Tasks["execute"];

/**
 * One check of a job:
 *
 *   claim → capture → compare → confirm → record → announce
 *
 * A change, and a job's first capture, are confirmed by a second capture some seconds later: the task ends, and another
 * one with the field `confirmation` goes on. Recording and announcing are one transaction, and an attempt that lost its
 * claim meanwhile writes nothing.
 */
export async function runCheck(
  deps: Deps,
  task: Task,
  attempt: Attempt,
  slot: WorkerSlot = unlimited,
): Promise<void> {
  const job = await deps.executionBatches.start(task.jobId);
  if (!job) return;
  if (job.status !== "ACTIVE" && !job.asked && !task.confirmation) return markIdle(deps.db, job.id);
  const isSite = Boolean(job.settings.site);
  if (isSite && !task.confirmation && !(await isCrawled(deps, job))) return leaveToCrawl(deps, job, attempt);
  const session = await openSession(deps, job, task.confirmation !== undefined);
  if (session === "waits") return markIdle(deps.db, job.id);
  if (session === "busy") return postpone(deps, job, task, attempt, jarWait);
  try {
    await checkInSession(deps, job, task, attempt, { slot, session });
  } finally {
    await session.release();
  }
}

async function checkInSession(
  deps: Deps,
  job: JobToCheck,
  task: Task,
  attempt: Attempt,
  { slot, session }: { slot: WorkerSlot; session: Session },
): Promise<void> {
  const isSite = Boolean(job.settings.site);
  const releaseHost = job.pauseSeconds > 0 ? undefined : await deps.slots.take(job.host, job.account_id);
  if (!releaseHost) return postpone(deps, job, task, attempt, hostWait(job));
  const held = holdSlots(slot, releaseHost);
  // While the page is only asked by HTTP whether it changed, no worker slot is needed.
  const isAskedByHttp = !isSite && job.evidence && canCheckByHttp(job.evidence as Evidence);
  if (!task.confirmation && isAskedByHttp) slot.suspend();
  const capture: Deps["capture"] = async (request) => {
    const moments = { beforeBrowser: slot.resume, onSiteDone: held.releaseHost };
    const result = isSite
      ? await captureInventory(deps.db, job)
      : await session.capture(request, (one) =>
          // More than one page may be captured in a session, so the site is done only afterwards.
          deps.capture(one, one.session ? { beforeBrowser: slot.resume } : moments, job.account_id),
        );
    await recordProxyUses(deps, job.account_id, result.proxyUses);
    // A large page keeps its worker slot until it is compared, so that the account's next one isn't captured meanwhile.
    if (isLarge(result)) held.releaseHost();
    else held.release();
    return result;
  };
  try {
    await captureToAnnounce(
      { ...deps, capture, detector: deps.detector.for(job.account_id) },
      job,
      task,
      attempt,
    );
  } catch (error) {
    const since = new Date(task.waitsSince ?? Date.now());
    const isWaitable = error instanceof BlobsUnavailable && Date.now() - since.getTime() < storeWaitMs;
    if (!isWaitable) throw error;
    deps.observePostponed?.(error);
    const lines = task.waitsSince ? [] : [storeAway];
    const wait = { seconds: storeRetrySeconds, lines, waitsSince: since.toISOString() };
    await postpone(deps, job, task, attempt, wait);
  } finally {
    held.release();
  }
}

/** How long a check waits for the store for captures before that counts as a failed attempt. */
const storeWaitMs = 3_600_000;
const storeRetrySeconds = 15;
const storeAway: LogLine = {
  level: "warn",
  meta: "The capture could not be stored on our side: this check waits until it can",
};

async function captureToAnnounce(
  deps: AccountDeps,
  job: JobToCheck,
  task: Task,
  attempt: Attempt,
): Promise<void> {
  const emit = async (event: LiveEvent) => {
    if (job.watched) await emitEvents(deps.db, job.account_id, [event]);
  };
  const onStage = (stage: Stage) => emit({ kind: "progress", jobId: job.id, stage });

  const pending = task.confirmation ? await findPending(deps, job, task.confirmation) : undefined;
  const { stages, timed } = measureStages(job, pending);
  if (!pending) await emit({ kind: "started", jobId: job.id });
  const input = await readCheckInput(deps, job, attempt.retryCount > 0);
  const capture = timed(pending ? "confirm" : "capture", deps.capture);
  const result = await timed("compare", async () =>
    pending
      ? confirmChange({ ...deps, capture }, input, pending)
      : captureAndCompare({ ...deps, capture }, input, onStage),
  )();
  const failedAttempts = attempt.retryCount + (pending?.failedAttempts ?? 0);

  if (result.kind === "unconfirmed") {
    await onStage("confirming");
    return scheduleConfirmation(deps, job, attempt, toPending(job, result, { stages, failedAttempts }));
  }

  await onStage("storing");
  const [kept, steps] = await timed("store", () =>
    Promise.all([store(deps, job, input, result), storeSteps(deps, job.account_id, result.steps ?? [])]),
  )();
  await deps.executionBatches.record({
    checked: job,
    attempt,
    result,
    stored: { kept, steps, stages, attempts: failedAttempts + 1 },
  });
  if (job.settings.site) {
    await markRunsRecorded(deps.db, job.id);
    await emit({ kind: "site", jobId: job.id });
  }
  observe(deps, result, stages);
  await nameByTitle(deps.db, job, result);
  if (task.confirmation) await dropPendingConfirmation(deps, job.account_id, task.confirmation);
}

/** Stores the capture and returns its parts; a page that wasn't modified keeps the parts of the baseline. */
async function store(
  deps: AccountDeps,
  job: JobRow,
  input: CheckInput,
  result: CheckResult,
): Promise<Kept | null> {
  const baseline = input.baseline?.kept ?? null;
  if (result.kind === "not-modified") return baseline;
  if (!result.snapshot) return null;
  await makeRoom(deps, job.account_id);
  return storeCapture(deps, job.account_id, result.snapshot, baseline, input.cache);
}

function observe(deps: AccountDeps, result: CheckResult, stages: Stages): void {
  const changed = verdictOf(result)?.changed ? "changed" : "unchanged";
  deps.observe?.({
    stages,
    result: result.kind === "failed" ? "failed" : changed,
    way: result.kind === "not-modified" ? "http" : (snapshotOf(result)?.via ?? "none"),
  });
}

/** For a check that doesn't share its worker. */
const unlimited: WorkerSlot = {
  release: () => undefined,
  releaseHost: () => undefined,
  suspend: () => undefined,
  resume: async () => undefined,
};

/** Holds both slots and releases each once; the host slot is free as soon as the site has sent everything. */
function holdSlots(slot: WorkerSlot, release: () => void) {
  let isHostHeld = true;
  const releaseHost = () => {
    if (!isHostHeld) return;
    isHostHeld = false;
    release();
    slot.releaseHost();
  };
  return {
    releaseHost,
    release() {
      releaseHost();
      slot.release();
    },
  };
}

// Above this size, comparing a page takes about as long as capturing it.
const largeBytes = 2 * 1024 * 1024;

function isLarge(result: CaptureResult): boolean {
  const snapshot = result.ok && result.unchanged ? null : result.snapshot;
  return snapshot !== null && snapshot.html.length + snapshot.body.length > largeBytes;
}

/** Counts milliseconds per stage; the time of a nested stage counts for the inner stage only. */
function measureStages(job: { waitedMs: number }, pending: PendingConfirmation | undefined) {
  const stages: Stages = pending
    ? { ...pending.stages, confirm: Math.max(0, Date.now() - pending.at) }
    : { wait: job.waitedMs, capture: 0, confirm: 0, compare: 0, store: 0 };
  let counted = 0;
  function timed<Args extends unknown[], T>(stage: keyof Stages, work: (...args: Args) => Promise<T>) {
    return async (...args: Args): Promise<T> => {
      const [began, countedBefore] = [performance.now(), counted];
      try {
        return await work(...args);
      } finally {
        const own = Math.round(performance.now() - began - (counted - countedBefore));
        stages[stage] += own;
        counted += own;
      }
    };
  }
  return { stages, timed };
}

function toPending(
  job: JobRow,
  result: Unconfirmed,
  known: Pick<PendingConfirmation, "stages" | "failedAttempts">,
): PendingConfirmation {
  return { ...result, ...known, jobId: job.id, targetVersion: job.target_version, at: Date.now() };
}

/** Reads the first capture, unless the job watches something else by now. */
async function findPending(
  deps: AccountDeps,
  job: JobRow,
  name: string,
): Promise<PendingConfirmation | undefined> {
  const pending = await readPendingConfirmation(deps, job.account_id, name);
  if (pending?.targetVersion === job.target_version) return pending;
  if (pending) await insertLogs(deps.db, job.id, [targetChanged]);
  return undefined;
}

/** Ends this task and leaves the confirmation to another. For the user, the check is still running. */
async function scheduleConfirmation(
  deps: AccountDeps,
  job: JobRow,
  attempt: Attempt,
  pending: PendingConfirmation,
): Promise<void> {
  const confirmation = await storePendingConfirmation(deps, job.account_id, pending);
  await deps.db.transaction().execute(async (tx) => {
    await allowAsyncCommit(tx);
    if (!(await findJobToRun(tx, job.id, true))) return;
    if (!(await deps.queue.settle(tx, "execute", attempt))) return;
    await deps.queue.send(
      tx,
      "execute",
      { jobId: job.id, confirmation },
      {
        singletonKey: job.id,
        priority: runningPriority(new Date()),
        startAfter: deps.confirmAfterMs / 1000,
        owner: job.account_id,
        place: job.host,
      },
    );
  });
}

/** Until its host has a free slot again, or its pause is over. */
function hostWait({ host, pauseSeconds }: JobToCheck): Wait {
  const meta = `${host} asked us to wait: this check is delayed by ${pauseSeconds} s`;
  return { seconds: Math.max(pauseSeconds, 1), lines: pauseSeconds > 0 ? [{ level: "warn", meta }] : [] };
}

/** Until the check that uses the job's identity is over. */
const jarWait: Wait = { seconds: 2, lines: [] };

type Wait = { seconds: number; lines: LogLine[]; waitsSince?: string };

/** Puts a check back. This isn't a failed attempt. */
async function postpone(
  deps: Pick<Deps, "db" | "queue">,
  job: JobToCheck,
  { confirmation }: Task,
  attempt: Attempt,
  { seconds, lines, waitsSince }: Wait,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!(await findJobToRun(tx, job.id, true))) return;
    if (!(await deps.queue.settle(tx, "execute", attempt))) return;
    if (!confirmation) await updateJobRow(tx, job.id, { started_at: null });
    if (lines.length > 0) await insertLogs(tx, job.id, lines);
    await deps.queue.send(
      tx,
      "execute",
      { jobId: job.id, ...(confirmation && { confirmation }), ...(waitsSince && { waitsSince }) },
      {
        singletonKey: job.id,
        priority: confirmation ? runningPriority(new Date()) : turnPriority(new Date(), 0),
        startAfter: seconds,
        owner: job.account_id,
        place: job.host,
      },
    );
  });
}

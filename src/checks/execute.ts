import type { CaptureResult } from "#capture/capture-page.ts";
import { type Evidence, mayAskByHttp } from "#capture/evidence.ts";
import type { Snapshot } from "#contract/capture.ts";
import type { LiveEvent, Stage, Stages } from "#contract/job.ts";
import { planById } from "#contract/plans.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { Attempt, Place } from "#queue/queue.ts";
import type { Tasks } from "#queue/tasks.ts";
import { findAccount } from "#storage/accounts.ts";
import { unlessLost } from "#storage/blobs.ts";
import { openAlbum } from "#storage/chains.ts";
import { commitSoon } from "#storage/database.ts";
import { emitEvents } from "#storage/events.ts";
import { findJobToRun, type JobRow, type JobToCheck, updateJobRow } from "#storage/jobs.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import { markIdle } from "#storage/schedule.ts";
import type { ExecuteDeps as Deps, Detector } from "./deps.ts";
import { begun, turn } from "./enqueue.ts";
import { dropGlimpse, type KeptGlimpse, keepGlimpse, readGlimpse } from "./glimpses.ts";
import { alertIfOf, rulesOf } from "./inherit.ts";
import { type Known, look, lookTwice } from "./look.ts";
import type { Desk } from "./open-desk.ts";
import { openRequest } from "./open-request.ts";
import { targetChanged } from "./record.ts";
import { makeRoom } from "./retain.ts";
import { keepSnapshot, readKept } from "./snapshots.ts";

type ExecuteDeps = Deps & { desk: Desk };
/** The same for the checks of one account. */
type CheckDeps = Omit<ExecuteDeps, "detector"> & { detector: Detector };

/** The place of a check that no other waits for. */
const alone: Place = {
  leave: () => undefined,
  moveOn: () => undefined,
  stepAside: () => undefined,
  comeBack: async () => undefined,
};

/**
 * One look of a check: capture, compare, and record, or leave it to a second look a while later. What it finds counts
 * only while its claim stands. The host's slot is free once the site has given what there is, the place is left when
 * the capture is over, or the check where its page is large: one account has no large page compared beside the next one
 * it captures. While the page is only asked by HTTP whether it still stands, no place is needed.
 */
export async function execute(
  deps: ExecuteDeps,
  task: Tasks["execute"],
  attempt: Attempt,
  place: Place = alone,
): Promise<void> {
  const job = await deps.desk.start(task.jobId);
  if (!job) return;
  if (job.status !== "ACTIVE" && !job.asked && !task.glimpse) return markIdle(deps.db, job.id);
  const release = job.pauseSeconds > 0 ? undefined : await deps.slots.take(job.host, job.account_id);
  if (!release) return makeWay(deps, job, attempt, job.pauseSeconds, task);
  let isFree = false;
  const freeHost = () => {
    if (isFree) return;
    isFree = true;
    release();
    place.moveOn();
  };
  const free = () => {
    freeHost();
    place.leave();
  };
  if (!task.glimpse && job.evidence && mayAskByHttp(job.evidence as Evidence)) place.stepAside();
  try {
    const capture: ExecuteDeps["capture"] = async (request) => {
      const moments = { beforeBrowser: place.comeBack, afterSite: freeHost };
      const result = await deps.capture(request, moments, job.account_id);
      if (isLarge(result)) freeHost();
      else free();
      return result;
    };
    const detector = deps.detector.for(job.account_id);
    await check({ ...deps, capture, detector }, job, task, attempt);
  } finally {
    free();
  }
}

// Above this, to compare a page takes about as long as to capture it.
const largeBytes = 2 * 1024 * 1024;

function isLarge(result: CaptureResult): boolean {
  const snapshot = result.ok && result.unchanged ? null : result.snapshot;
  return snapshot !== null && snapshot.html.length + snapshot.body.length > largeBytes;
}

async function check(
  deps: CheckDeps,
  job: JobToCheck,
  task: Tasks["execute"],
  attempt: Attempt,
): Promise<void> {
  const tell = async (...events: LiveEvent[]) => {
    if (job.watched) await emitEvents(deps.db, job.account_id, events);
  };
  const tellStage = (stage: Stage) => tell({ kind: "progress", jobId: job.id, stage });
  const glimpse = task.glimpse ? await recallGlimpse(deps, job, task.glimpse) : undefined;
  const { stages, times } = startStages(job, glimpse);
  if (!glimpse) await tell({ kind: "started", jobId: job.id });
  const known = await recall(deps, job, attempt.retryCount > 0);
  const timed = { ...deps, capture: times(glimpse ? "confirm" : "capture", deps.capture) };
  const seen = await times("compare", async () =>
    glimpse ? lookTwice(timed, known, glimpse) : look(timed, known, tellStage),
  )();
  const failedAttempts = attempt.retryCount + (glimpse?.failedAttempts ?? 0);
  if ("sight" in seen) {
    const { id: jobId, target_version: targetVersion } = job;
    await tellStage("confirming");
    const at = Date.now();
    return comeBack(deps, job, attempt, { ...seen, jobId, targetVersion, stages, at, failedAttempts });
  }
  await tellStage("storing");
  const before = known.before?.kept ?? null;
  const keep = times("store", async (snapshot: Snapshot) => {
    await makeRoom(deps, job.account_id);
    return keepSnapshot(deps, job.account_id, snapshot, before, known.album);
  });
  const kept = seen.snapshot ? await keep(seen.snapshot) : seen.stands ? before : null;
  await deps.desk.record({
    checked: job,
    attempt,
    look: { ...seen, kept, stages, attempts: failedAttempts + 1 },
  });
  deps.observe?.({
    stages,
    result: seen.failure ? "failed" : seen.verdict?.changed ? "changed" : "unchanged",
    way: seen.stands ? "http" : (seen.snapshot?.via ?? "none"),
  });
  if (task.glimpse) await dropGlimpse(deps, job.account_id, task.glimpse);
}

/** Counts milliseconds by stage; a stage within another is not counted for both. */
function startStages(job: { waitedMs: number }, glimpse: KeptGlimpse | undefined) {
  const stages: Stages = glimpse
    ? { ...glimpse.stages, confirm: Math.max(0, Date.now() - glimpse.at) }
    : { wait: job.waitedMs, capture: 0, confirm: 0, compare: 0, store: 0 };
  let inner = 0;
  function times<Args extends unknown[], T>(stage: keyof Stages, work: (...args: Args) => Promise<T>) {
    return async (...args: Args): Promise<T> => {
      const [began, before] = [performance.now(), inner];
      try {
        return await work(...args);
      } finally {
        const own = Math.round(performance.now() - began - (inner - before));
        stages[stage] += own;
        inner += own;
      }
    };
  }
  return { stages, times };
}

/** What the first look saw, where that still says anything. */
async function recallGlimpse(deps: CheckDeps, job: JobRow, name: string): Promise<KeptGlimpse | undefined> {
  const glimpse = await readGlimpse(deps, job.account_id, name);
  if (glimpse?.targetVersion === job.target_version) return glimpse;
  if (glimpse) await insertLogs(deps.db, job.id, [targetChanged]);
  return undefined;
}

/** Leaves the rest of a check to a task of its own. The job's check stays one, and under way. */
async function comeBack(deps: CheckDeps, job: JobRow, attempt: Attempt, glimpse: KeptGlimpse): Promise<void> {
  const name = await keepGlimpse(deps, job.account_id, glimpse);
  await deps.db.transaction().execute(async (tx) => {
    await commitSoon(tx);
    if (!(await findJobToRun(tx, job.id, true))) return;
    if (!(await deps.queue.settle(tx, "execute", attempt))) return;
    await deps.queue.send(
      tx,
      "execute",
      { jobId: job.id, glimpse: name },
      {
        singletonKey: job.id,
        priority: begun(new Date()),
        startAfter: deps.confirmAfterMs / 1000,
        owner: job.account_id,
        place: job.host,
      },
    );
  });
}

/** What is known of a job's page: the last complete capture, what was learned of its noise and how it is taken. */
async function recall(deps: CheckDeps, job: JobToCheck, isRetry: boolean): Promise<Known> {
  const { memory, evidence, baseline: kept } = job;
  const album = openAlbum(deps, job.account_id);
  const found = kept && { kept, read: once(() => readKept(deps, job.account_id, kept, album)) };
  // A store that lost a capture must not keep its job from being checked for ever.
  const isGone = found !== null && isRetry && !(await found.read().catch(unlessLost));
  if (isGone) await insertLogs(deps.db, job.id, [baselineLost]);
  const before = isGone ? null : found;
  return {
    album,
    memory: memory as NoiseMemory | null,
    before,
    rules: rulesOf(job),
    isAwaited: job.awaited,
    lookup: job.lookup && (await mayLookUp(deps, job)) ? job.lookup : null,
    follow: job.follow,
    last: kept?.followed ?? null,
    alertIf: alertIfOf(job),
    request: {
      ...openRequest(deps.secrets, job, new Date()),
      waitFor: job.wait_for,
      previous: before ? (evidence as Evidence | null) : null,
    },
  };
}

const baselineLost: LogLine = {
  level: "error",
  meta: "The capture before is lost from the store: this one takes its place",
};

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

async function mayLookUp({ db }: Pick<ExecuteDeps, "db">, job: JobRow): Promise<boolean> {
  const account = await findAccount(db, job.account_id);
  return account !== undefined && planById(account.plan_id).textLookup;
}

/** Puts a check back until the host has room for it again; this is no failed attempt. */
async function makeWay(
  deps: ExecuteDeps,
  job: JobRow,
  attempt: Attempt,
  pause: number,
  { glimpse }: Tasks["execute"],
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!(await findJobToRun(tx, job.id, true))) return;
    if (!(await deps.queue.settle(tx, "execute", attempt))) return;
    if (!glimpse) await updateJobRow(tx, job.id, { started_at: null });
    if (pause > 0) {
      const meta = `${job.host} asked to be left alone: this check waits ${pause} s`;
      await insertLogs(tx, job.id, [{ level: "warn", meta }]);
    }
    await deps.queue.send(
      tx,
      "execute",
      { jobId: job.id, ...(glimpse && { glimpse }) },
      {
        singletonKey: job.id,
        priority: glimpse ? begun(new Date()) : turn(new Date(), 0),
        startAfter: Math.max(pause, 1),
        owner: job.account_id,
        place: job.host,
      },
    );
  });
}

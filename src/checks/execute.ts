import type { Evidence } from "#capture/evidence.ts";
import type { LiveEvent } from "#contract/job.ts";
import { planById } from "#contract/plans.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { Attempt } from "#queue/queue.ts";
import { findAccount } from "#storage/accounts.ts";
import { openAlbum } from "#storage/chains.ts";
import { emitEvents } from "#storage/events.ts";
import { findExecution } from "#storage/executions.ts";
import { findJobToRun, findMemory, type JobRow } from "#storage/jobs.ts";
import { markIdle, markStarted, pauseOf } from "#storage/schedule.ts";
import type { ExecuteDeps } from "./deps.ts";
import { enqueue } from "./enqueue.ts";
import { isPattern, type Known, look } from "./look.ts";
import { openHeaders } from "./open-headers.ts";
import { record } from "./record.ts";
import { makeRoom } from "./retain.ts";
import { keepSnapshot, keptOf, readSnapshot } from "./snapshots.ts";

/** Checks a job once: capture, compare, record. What it finds counts only while its claim stands. */
export async function execute(
  deps: ExecuteDeps,
  task: { jobId: string; deferred?: number },
  attempt: Attempt,
): Promise<void> {
  const job = await findJobToRun(deps.db, task.jobId);
  if (!job) return;
  if (job.status !== "ACTIVE" && !job.asked) return markIdle(deps.db, job.id);
  const pause = await pauseOf(deps.db, job.host);
  const release = pause > 0 ? undefined : await deps.slots.take(job.host);
  if (!release) return makeWay(deps, job, attempt, pause, task.deferred ?? 0);
  try {
    await check(deps, job, attempt);
  } finally {
    await release();
  }
}

async function check(deps: ExecuteDeps, job: JobRow, attempt: Attempt): Promise<void> {
  const tell = (event: LiveEvent) => emitEvents(deps.db, job.account_id, [event]);
  const started = performance.now();
  await markStarted(deps.db, job.id);
  await tell({ kind: "started", jobId: job.id });
  const known = await recall(deps, job);
  const seen = await look(deps, known, (stage) => tell({ kind: "progress", jobId: job.id, stage }));
  await tell({ kind: "progress", jobId: job.id, stage: "storing" });
  await makeRoom(deps, job.account_id);
  const before = known.before?.kept ?? null;
  const kept = seen.snapshot
    ? await keepSnapshot(deps, job.account_id, seen.snapshot, before, known.album)
    : seen.stands
      ? before
      : null;
  await record(deps, job, attempt, { ...seen, kept, durationMs: Math.round(performance.now() - started) });
}

/** What is known of a job's page: the last complete capture, what was learned of its noise and how it is taken. */
async function recall(deps: ExecuteDeps, job: JobRow): Promise<Known> {
  const { memory, evidence } = await findMemory(deps.db, job.id);
  const baseline = job.baseline_id
    ? await findExecution(deps.db, job.account_id, job.id, job.baseline_id)
    : undefined;
  const kept = baseline ? keptOf(baseline) : null;
  const before = kept && { kept, snapshot: await readSnapshot(deps, job.account_id, kept) };
  return {
    album: openAlbum(deps, job.account_id, (base, next, stride) =>
      deps.detector.diffRows({ base, next, stride }),
    ),
    memory: memory as NoiseMemory | null,
    before,
    patterns: job.ignore.filter(isPattern),
    lookup: job.lookup && (await mayLookUp(deps, job)) ? job.lookup : null,
    request: {
      url: job.url,
      headers: openHeaders(deps.secrets, job).map(({ name, value }) => [name, value]),
      selector: job.selector,
      awaited: job.awaited,
      waitFor: job.wait_for,
      ignore: job.ignore.filter((entry) => !isPattern(entry)),
      previous: before ? (evidence as Evidence | null) : null,
    },
  };
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
  deferred: number,
): Promise<void> {
  const wait = Math.max(pause, Math.min(2 * 1.5 ** deferred, 60) * (0.75 + Math.random() / 2));
  await deps.db.transaction().execute(async (tx) => {
    if (!(await findJobToRun(tx, job.id, true))) return;
    if (!(await deps.queue.settle(tx, "execute", attempt))) return;
    await enqueue(deps.queue, tx, job, { deferred: deferred + 1, startAfter: Math.ceil(wait) });
  });
}

import type { Stages } from "#contract/job.ts";
import { boundHunks } from "#detection/bound-verdict.ts";
import { keepSaid } from "#detection/keep-said.ts";
import type { NoiseMemory } from "#detection/noise-memory.ts";
import type { Attempt } from "#queue/queue.ts";
import { addRefs } from "#storage/chains.ts";
import { commitSoon, type Database } from "#storage/database.ts";
import { emitEvents } from "#storage/events.ts";
import { insertExecutions, insertVerdict, type Kept } from "#storage/executions.ts";
import { findJobToRun, findMemory, type JobRow, saveMemory, updateJobRow } from "#storage/jobs.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import { markIdle, pauseHost, postponeJob } from "#storage/schedule.ts";
import type { ExecuteDeps } from "./deps.ts";
import { enqueue } from "./enqueue.ts";
import { judge } from "./judge.ts";
import { type Look, tooLarge } from "./look.ts";
import { notify } from "./notify.ts";
import { seal } from "./seal.ts";

/** What was seen, and where it is kept. */
type KeptLook = Look & { kept: Kept | null; stages: Stages; attempts: number };

type Deps = Pick<ExecuteDeps, "db" | "queue" | "blobs">;

const ignoredKept = 100;
const hunksKept = 100_000;

export const targetChanged: LogLine = {
  level: "info",
  meta: "The job changed during the check: checked again",
};

/**
 * Writes what an attempt found, all of it or nothing: the execution, its log, the counters, the notification and the
 * tasks that follow. An attempt that lost its claim writes nothing.
 */
export async function record(deps: Deps, checked: JobRow, attempt: Attempt, look: KeptLook): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!look.verdict?.changed && !look.failure) await commitSoon(tx);
    const job = await findJobToRun(tx, checked.id, true);
    if (!(await deps.queue.settle(tx, "execute", attempt)) || !job) return;
    if (job.target_version !== checked.target_version) return lookAgain(deps, tx, job);
    if (look.kept) await addRefs(tx, job.account_id, hashesOf(look.kept), 1);
    const [execution] = await insertExecutions(tx, [toRow(job, look)]);
    if (!execution) throw new Error("a locked job was not counted");
    const { verdict } = look;
    if (verdict && (verdict.reasons.length > 0 || verdict.ignored.length > 0)) {
      const kept = { ...verdict, hunks: boundHunks(verdict.hunks, hunksKept) };
      await insertVerdict(tx, job.account_id, execution.id, {
        ...kept,
        ignored: kept.ignored.slice(0, ignoredKept),
      });
    }
    const { memory: said } = await findMemory(tx, job.id);
    const memory = look.memory && keepSaid(look.memory, said as NoiseMemory | null);
    await saveMemory(tx, job.id, { memory, evidence: look.evidence });
    if (look.retryAfterSeconds > 0) {
      await pauseHost(tx, job.account_id, job.host, look.retryAfterSeconds);
      await postponeJob(tx, job.id, look.retryAfterSeconds);
    }
    const { lines, notices, trouble } = judge(job, look);
    if (trouble || job.trouble)
      await updateJobRow(tx, job.id, { trouble: trouble && JSON.stringify(trouble) });
    await insertLogs(tx, job.id, [...look.lines, ...lines], execution.id);
    await seal(deps, tx, execution.id, look.snapshot);
    if (notices.some(({ kind }) => kind === "interrupted"))
      await updateJobRow(tx, job.id, { status: "INTERRUPTED" });
    await emitEvents(tx, job.account_id, [
      {
        kind: "finished",
        jobId: job.id,
        executionId: execution.id,
        changed: verdict?.changed ?? false,
        failed: look.failure !== null,
        summary: summaryOf(job, look),
      },
    ]);
    for (const notice of notices) {
      await notify(deps, tx, {
        ...notice,
        account_id: job.account_id,
        job_id: job.id,
        execution_id: execution.id,
        title: job.name,
      });
    }
  });
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

function hashesOf({ html, body, facts, picture }: Kept): Buffer[] {
  return [html, body, facts, ...(picture ? [picture] : [])];
}

import type { LiveEvent } from "#contract/job.ts";
import type { Attempt } from "#queue/queue.ts";
import { addRefs } from "#storage/chains.ts";
import type { Database } from "#storage/database.ts";
import { emitEvents } from "#storage/events.ts";
import { insertExecutions, insertVerdict, type Kept } from "#storage/executions.ts";
import { findJobToRun, type JobRow, saveMemory, updateJobRow } from "#storage/jobs.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import { insertNotification } from "#storage/notifications.ts";
import { markIdle, pauseHost, postponeJob } from "#storage/schedule.ts";
import type { ExecuteDeps } from "./deps.ts";
import { enqueue } from "./enqueue.ts";
import { type Finding, tooLarge } from "./look.ts";

export const failuresAllowed = 10;

export type Result = Omit<Finding, "snapshot"> & {
  kept: Kept | null;
  truncated: boolean;
  via: string | null;
  durationMs: number;
};

type Deps = Pick<ExecuteDeps, "db" | "queue">;

const ignoredKept = 100;

/**
 * Writes what an attempt found, all of it or nothing: the execution, its log, the counters, the notification and the
 * tasks that follow. An attempt that lost its claim writes nothing.
 */
export async function record(deps: Deps, seen: JobRow, attempt: Attempt, result: Result): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const job = await findJobToRun(tx, seen.id, true);
    if (!(await deps.queue.settle(tx, "execute", attempt)) || !job) return;
    if (job.target_version !== seen.target_version) return lookAgain(deps, tx, job);
    if (result.kept) await addRefs(tx, job.account_id, hashesOf(result.kept), 1);
    const [execution] = await insertExecutions(tx, [toRow(job, attempt, result)]);
    if (!execution) throw new Error("a locked job was not counted");
    const { verdict } = result;
    if (verdict && (verdict.reasons.length > 0 || verdict.ignored.length > 0)) {
      const { hunks: _, ...kept } = verdict;
      await insertVerdict(tx, execution.id, { ...kept, ignored: kept.ignored.slice(0, ignoredKept) });
    }
    await saveMemory(tx, job.id, result);
    if (result.retryAfterSeconds > 0) {
      await pauseHost(tx, job.host, result.retryAfterSeconds);
      await postponeJob(tx, job.id, result.retryAfterSeconds);
    }
    const { lines, notice } = judge(job, result);
    await insertLogs(tx, job.id, [...result.lines, ...lines], execution.id);
    if (notice?.kind === "interrupted") await updateJobRow(tx, job.id, { status: "INTERRUPTED" });
    const events: LiveEvent[] = [
      {
        kind: "finished",
        jobId: job.id,
        executionId: execution.id,
        changed: verdict?.changed ?? false,
        failed: result.failure !== null,
        summary: summaryOf(job, result),
      },
    ];
    if (notice) {
      const notificationId = await insertNotification(tx, {
        ...notice,
        account_id: job.account_id,
        job_id: job.id,
        execution_id: execution.id,
        title: job.name,
      });
      await deps.queue.send(tx, "announce", { notificationId });
      events.push({ kind: "notification", notificationId });
    }
    await emitEvents(tx, job.account_id, events);
  });
}

/** The job was pointed elsewhere while its old target was captured: that capture is nobody's. */
async function lookAgain(deps: Deps, tx: Database, job: JobRow): Promise<void> {
  await insertLogs(tx, job.id, [
    { level: "info", meta: "The target changed during the capture: captured again" },
  ]);
  await markIdle(tx, job.id);
  if (job.status === "ACTIVE") await enqueue(deps.queue, tx, job);
}

function toRow(job: JobRow, attempt: Attempt, result: Result) {
  const { verdict, failure } = result;
  return {
    job_id: job.id,
    account_id: job.account_id,
    status_code: result.status,
    changed: verdict?.changed ?? false,
    failure: failure?.kind ?? null,
    error: failure?.message ?? null,
    similarity: verdict?.similarity ?? (result.complete && job.baseline_id ? 100 : null),
    severity: verdict?.changed ? verdict.severity : null,
    summary: summaryOf(job, result),
    truncated: result.truncated,
    via: result.via,
    duration_ms: result.durationMs,
    attempts: attempt.retryCount + 1,
    baseline_id: job.baseline_id,
    kept: result.kept,
    becomesBaseline: result.complete && result.kept !== null,
  };
}

function summaryOf(job: JobRow, { failure, truncated, verdict, complete }: Result): string {
  if (failure) return failure.message;
  if (truncated) return tooLarge;
  if (verdict) return verdict.changed ? verdict.summary : "No change";
  if (!complete) return "A change could not be confirmed";
  return job.baseline_id ? "No change" : "First capture";
}

type Notice = { kind: "change" | "interrupted" | "recovered"; severity: string; message: string };

/** What the user is told of an execution, and what the log says besides. */
function judge(job: JobRow, { failure, verdict }: Result): { lines: LogLine[]; notice?: Notice } {
  if (failure) {
    if (job.failures + 1 < failuresAllowed || job.status !== "ACTIVE") return { lines: [] };
    const meta = `Interrupted after ${failuresAllowed} failures in a row`;
    const message = `${meta}: ${failure.message} Activate the job to go on.`;
    return {
      lines: [{ level: "error", meta }],
      notice: { kind: "interrupted", severity: "important", message },
    };
  }
  const times = job.failures === 1 ? "a failure" : `${job.failures} failures`;
  const recovered = `The target answers again after ${times}`;
  const lines: LogLine[] = job.failures > 0 ? [{ level: "info", meta: recovered }] : [];
  if (verdict?.changed) {
    return { lines, notice: { kind: "change", severity: verdict.severity, message: verdict.summary } };
  }
  return job.failures > 0
    ? { lines, notice: { kind: "recovered", severity: "info", message: `${recovered}.` } }
    : { lines };
}

function hashesOf({ html, body, facts, picture }: Kept): Buffer[] {
  return [html, body, facts, ...(picture ? [picture] : [])];
}

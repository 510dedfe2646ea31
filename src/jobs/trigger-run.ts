import { randomBytes } from "node:crypto";
import type { TriggerRun } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import type { Trigger } from "#contract/job.ts";
import { samples } from "#delivery/fill-placeholders.ts";
import { backoff, maxAttempts } from "#delivery/retry.ts";
import type { TriggerResult } from "#delivery/send-trigger.ts";
import type { Attempt } from "#queue/queue.ts";
import { findChannel, putChannel } from "#storage/channels.ts";
import type { Database } from "#storage/database.ts";
import { findJob } from "#storage/jobs.ts";
import { insertLogs } from "#storage/logs.ts";
import {
  countTriggerAttempt,
  failedBefore,
  findTriggerRun,
  insertTriggerRun,
  type TriggerRunRow,
  updateTriggerRun,
} from "#storage/trigger-runs.ts";
import type { DeliveryDeps } from "./delivery-deps.ts";
import type { Actor } from "./deps.ts";
import { notify } from "./give-up.ts";
import { type Change, readChange } from "./read-change.ts";
import { assertTemplate, openTrigger, unmasked } from "./rules.ts";
import { placeholderValues } from "./trigger.ts";

/** Makes one attempt at a run; five fail, then it is a dead letter that the user sees. */
export async function runTrigger(
  deps: DeliveryDeps,
  task: { runId: string },
  attempt: Attempt,
): Promise<void> {
  const run = await findTriggerRun(deps.db, task.runId);
  if (run?.state !== "waiting") return;
  const change = await readChange(deps, run.account_id, run.job_id, run.execution_id);
  const trigger = change && openTrigger(deps.secrets, change.job);
  if (!change || !trigger) {
    return updateTriggerRun(deps.db, run.id, { state: "failed", error: "The trigger was removed." });
  }
  const number = await countTriggerAttempt(deps.db, run.id);
  const result = number > maxAttempts ? undefined : await fire(deps, change, trigger, run, number);
  await deps.db.transaction().execute(async (tx) => {
    if (!(await deps.queue.settle(tx, "trigger", attempt))) return;
    await keepResult(deps, tx, run, result);
    const failure = result
      ? result.failure
      : { message: run.error ?? "It was broken off.", transient: false };
    if (failure?.transient && number < maxAttempts) {
      const startAfter = Math.max(backoff("trigger", number), failure.retryAfterSeconds ?? 0);
      await updateTriggerRun(tx, run.id, { error: failure.message });
      await deps.queue.send(tx, "trigger", { runId: run.id }, { startAfter });
      return;
    }
    await finish(tx, run, failure?.message ?? null);
    const times = number === 1 ? "" : ` at attempt ${Math.min(number, maxAttempts)}`;
    const meta = failure
      ? `Trigger given up after ${Math.min(number, maxAttempts)} of ${maxAttempts} attempts: ${failure.message}`
      : `Trigger answered ${result?.response?.status}${times}`;
    await insertLogs(tx, run.job_id, [{ level: failure ? "error" : "info", meta }], run.execution_id);
    if (failure && !(await failedBefore(tx, run.job_id, run.id))) {
      await notify(deps, tx, {
        account_id: run.account_id,
        kind: "delivery-failed",
        job_id: run.job_id,
        execution_id: run.execution_id,
        severity: "important",
        title: change.job.name,
        message: `The HTTP trigger was given up: ${failure.message}`,
      });
    }
  });
}

function fire(
  deps: DeliveryDeps,
  change: Change,
  trigger: Trigger,
  run: Pick<TriggerRunRow, "id" | "notification_id" | "account_id">,
  attempt: number,
): Promise<TriggerResult> {
  return signingSecret(deps, run.account_id).then((secret) =>
    deps.channels.trigger({
      trigger,
      values: placeholderValues(deps.baseUrl, change, run.notification_id ?? run.id),
      secret,
      attempt,
      now: new Date(),
    }),
  );
}

async function keepResult(
  { secrets }: DeliveryDeps,
  tx: Database,
  run: Pick<TriggerRunRow, "id">,
  result: TriggerResult | undefined,
): Promise<void> {
  if (!result) return;
  const { failure: _, ...kept } = result;
  const result_sealed = secrets.seal(JSON.stringify(kept), `trigger-run:${run.id}`);
  await updateTriggerRun(tx, run.id, { result_sealed });
}

async function finish(tx: Database, run: Pick<TriggerRunRow, "id">, error: string | null): Promise<void> {
  const state = error === null ? "sent" : "failed";
  await updateTriggerRun(tx, run.id, { state, error, finished_at: new Date() });
}

/** Fires an execution's trigger once more, now, and keeps what came of it. */
export async function runAgain(
  deps: DeliveryDeps,
  actor: Actor,
  jobId: string,
  executionId: string,
): Promise<TriggerRun> {
  const { accountId } = actor;
  const change = await readChange(deps, accountId, jobId, executionId);
  if (!change) throw new AppError("NOT_FOUND");
  const trigger = openTrigger(deps.secrets, change.job);
  if (!trigger) throw new AppError("CONFLICT", "The job has no trigger.");
  const id = await insertTriggerRun(deps.db, {
    account_id: accountId,
    job_id: jobId,
    execution_id: executionId,
    notification_id: null,
  });
  if (!id) throw new Error("a run by hand has no event to be twice");
  // Nobody comes back to a run by hand that ends half-way.
  await updateTriggerRun(deps.db, id, { state: "failed", error: "It was broken off." });
  const attempts = await countTriggerAttempt(deps.db, id);
  const result = await fire(
    deps,
    change,
    trigger,
    { id, notification_id: null, account_id: accountId },
    attempts,
  );
  await deps.db.transaction().execute(async (tx) => {
    await keepResult(deps, tx, { id }, result);
    await finish(tx, { id }, result.failure?.message ?? null);
  });
  const run = await findTriggerRun(deps.db, id);
  if (!run) throw new AppError("NOT_FOUND");
  return describeTriggerRun(deps, run);
}

/** Fires a trigger as it stands in a form, with example values; nothing is kept. */
export async function testTrigger(
  deps: DeliveryDeps,
  actor: Actor,
  input: { trigger: Trigger; jobId?: string },
): Promise<TriggerResult> {
  assertTemplate(input.trigger);
  const job = input.jobId ? await findJob(deps.db, actor.accountId, input.jobId) : undefined;
  if (input.jobId && !job) throw new AppError("NOT_FOUND");
  const kept = job ? openTrigger(deps.secrets, job) : null;
  const headers = unmasked(input.trigger.headers, kept?.headers ?? []);
  return deps.channels.trigger({
    trigger: { ...input.trigger, headers },
    values: { ...samples, "event.id": crypto.randomUUID() },
    secret: await signingSecret(deps, actor.accountId),
    attempt: 1,
    now: new Date(),
  });
}

export function describeTriggerRun(
  { secrets }: Pick<DeliveryDeps, "secrets">,
  row: TriggerRunRow,
): TriggerRun {
  const kept = row.result_sealed
    ? (JSON.parse(secrets.open(row.result_sealed, `trigger-run:${row.id}`)) as Omit<TriggerResult, "failure">)
    : { request: null, response: null, durationMs: null };
  return {
    id: row.id,
    eventId: row.notification_id ?? row.id,
    byHand: row.notification_id === null,
    state: row.state,
    attempts: Math.min(row.attempts, maxAttempts),
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    error: row.error,
    ...kept,
  };
}

const context = (accountId: string) => `channel-trigger:${accountId}`;

/** The secret that an account's triggers are signed with, made when it is first needed. */
async function signingSecret(deps: Pick<DeliveryDeps, "db" | "secrets">, accountId: string): Promise<string> {
  const row = await findChannel(deps.db, accountId, "trigger");
  return row?.secret_sealed
    ? deps.secrets.open(row.secret_sealed, context(accountId))
    : renewSigningSecret(deps, accountId);
}

export async function renewSigningSecret(
  deps: Pick<DeliveryDeps, "db" | "secrets">,
  accountId: string,
): Promise<string> {
  const secret = `whsec_${randomBytes(24).toString("base64url")}`;
  await putChannel(deps.db, accountId, "trigger", {
    secret_sealed: deps.secrets.seal(secret, context(accountId)),
  });
  return secret;
}

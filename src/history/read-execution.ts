import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import type { Delivery } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import type { ExecutionDetail } from "#contract/job.ts";
import { describeExecution } from "#jobs/describe-job.ts";
import { type DeliveryRow, listDeliveries } from "#storage/deliveries.ts";
import { findExecution, findNeighbours, findVerdict } from "#storage/executions.ts";
import { findSeal } from "#storage/seals.ts";
import { listTriggerRuns } from "#storage/trigger-runs.ts";
import { describeTriggerRun } from "./describe-trigger-run.ts";

export async function ownExecution(deps: Pick<Deps, "db">, actor: Actor, jobId: string, id: string) {
  const execution = await findExecution(deps.db, actor.accountId, jobId, id);
  if (!execution) throw new AppError("NOT_FOUND");
  return execution;
}

export async function readExecution(
  deps: Deps,
  actor: Actor,
  jobId: string,
  id: string,
): Promise<ExecutionDetail> {
  const row = await ownExecution(deps, actor, jobId, id);
  const [verdict, beside, runs, deliveries, seal] = await Promise.all([
    findVerdict(deps.db, id),
    findNeighbours(deps.db, jobId, id),
    listTriggerRuns(deps.db, actor.accountId, id),
    listDeliveries(deps.db, actor.accountId, id),
    findSeal(deps.db, id),
  ]);
  const isCompared = row.failure === null && row.similarity !== null;
  const plain = {
    changed: row.changed,
    similarity: row.similarity ?? 100,
    severity: "info",
    summary: row.summary,
    reasons: [],
    findings: [],
    ignored: [],
  };
  return {
    ...describeExecution(row),
    verdict: isCompared ? ((verdict ?? plain) as ExecutionDetail["verdict"]) : null,
    baselineId: row.baseline_id,
    ...beside,
    triggerRuns: runs.map((run) => describeTriggerRun(deps, run)),
    deliveries: deliveries.map(describeDelivery),
    // What stood in for another that failed told it after all.
    passedOver: (row.passed_over ?? []).filter(
      ({ channel }) => !deliveries.some((one) => one.channel === channel),
    ),
    seal: seal ? { position: seal.position, hash: seal.hash.toString("hex") } : null,
    stages: row.stages && { ...row.stages, deliver: msToFirst(row.created_at, deliveries) },
  };
}

function msToFirst(from: Date, deliveries: DeliveryRow[]): number {
  const sent = deliveries.flatMap(({ sent_at }) => sent_at?.getTime() ?? []);
  return sent.length === 0 ? 0 : Math.max(0, Math.min(...sent) - from.getTime());
}

function describeDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    channel: row.channel,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    insteadOf: row.instead_of,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  };
}

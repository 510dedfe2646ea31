import type { Deps } from "#checks/deps.ts";
import type { Actor } from "#contract/actor.ts";
import type { Delivery } from "#contract/delivery.ts";
import { AppError } from "#contract/errors.ts";
import type { ExecutionDetail } from "#contract/job.ts";
import { findSeal } from "#evidence/seal-rows.ts";
import { type DeliveryRow, listDeliveries } from "#storage/deliveries.ts";
import { describeExecution } from "#storage/describe-execution.ts";
import { findExecutionSteps, showStep } from "#storage/execution-steps.ts";
import { findExecution, findNeighbors, findVerdict } from "#storage/executions.ts";
import { type JoinedAlertRow, listJoinedAlerts } from "#storage/joined-alerts.ts";
import { findOpinion } from "#storage/opinions.ts";
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
  const [verdict, neighbors, runs, deliveries, joined, seal, opinion, steps] = await Promise.all([
    findVerdict(deps.db, id),
    findNeighbors(deps.db, jobId, id),
    listTriggerRuns(deps.db, actor.accountId, id),
    listDeliveries(deps.db, actor.accountId, id),
    listJoinedAlerts(deps.db, actor.accountId, id),
    findSeal(deps.db, id),
    findOpinion(deps.db, actor.accountId, id),
    findExecutionSteps(deps.db, actor.accountId, id),
  ]);
  const isCompared = row.failure === null && row.similarity !== null;
  const emptyVerdict = {
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
    verdict: isCompared ? ((verdict ?? emptyVerdict) as ExecutionDetail["verdict"]) : null,
    baselineId: row.baseline_id,
    ...neighbors,
    triggerRuns: runs.map((run) => describeTriggerRun(deps, run)),
    deliveries: [...deliveries.map(describeDelivery), ...joined.map(describeJoined)],
    // A skipped channel that later replaced a failed one did send the alert, so it is not listed.
    passedOver: (row.passed_over ?? []).filter(
      ({ channel }) => !deliveries.some((one) => one.channel === channel),
    ),
    opinion,
    steps: steps.map(showStep),
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

/** Named by the message that it joined, because that is one for each channel. */
const describeJoined = (row: JoinedAlertRow): Delivery => ({
  id: row.lead_id,
  channel: row.channel,
  state: "joined",
  attempts: 0,
  error: null,
  insteadOf: null,
  createdAt: row.created_at.toISOString(),
  sentAt: row.covered_at?.toISOString() ?? null,
});

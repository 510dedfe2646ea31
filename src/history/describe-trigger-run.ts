import { maxAttempts } from "#channels/retry.ts";
import type { Deps } from "#checks/deps.ts";
import type { TriggerRun } from "#contract/delivery.ts";
import type { TriggerRunRow } from "#storage/trigger-runs.ts";

export function describeTriggerRun({ secrets }: Pick<Deps, "secrets">, row: TriggerRunRow): TriggerRun {
  const stored = row.result_sealed
    ? (JSON.parse(secrets.open(row.result_sealed, `trigger-run:${row.id}`)) as Pick<
        TriggerRun,
        "request" | "response" | "durationMs"
      >)
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
    ...stored,
  };
}

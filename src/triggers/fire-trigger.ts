import { toAlert } from "#alerts/build-alert.ts";
import { capturedValues } from "#alerts/captured-values.ts";
import { signingSecret } from "#alerts/signing-secret.ts";
import type { Trigger } from "#contract/job.ts";
import type { ChangeRecord } from "#history/read-change.ts";
import { alertValues } from "#message-templates/alert-values.ts";
import type { Database } from "#storage/database.ts";
import { type TriggerRunRow, updateTriggerRun } from "#storage/trigger-runs.ts";
import type { Deps } from "./deps.ts";
import { sendTrigger, type TriggerResult } from "./send-trigger.ts";

/** Sends a change's signed trigger; the caller stores the result. */
export async function fireTrigger(
  deps: Deps,
  change: ChangeRecord,
  trigger: Trigger,
  run: Pick<TriggerRunRow, "id" | "notification_id" | "account_id">,
  attempt: number,
): Promise<TriggerResult> {
  const [secret, captured] = await Promise.all([
    signingSecret(deps, run.account_id),
    capturedValues(deps, change, `${trigger.url} ${trigger.body}`),
  ]);
  const eventId = run.notification_id ?? run.id;
  return sendTrigger(deps.http, {
    trigger,
    values: {
      ...alertValues(toAlert(deps, noticeOf(change, eventId), change, captured)),
      "event.id": eventId,
    },
    secret,
    attempt,
    now: new Date(),
  });
}

/** A trigger that is fired by hand has no notification. */
const noticeOf = ({ job, execution }: ChangeRecord, id: string) => ({
  id,
  kind: "change" as const,
  severity: execution.severity ?? "info",
  title: job.name,
  message: execution.summary,
  created_at: execution.created_at,
  job_id: job.id,
  execution_id: execution.id,
  incident_id: null,
});

export async function storeTriggerResult(
  { secrets }: Deps,
  tx: Database,
  run: Pick<TriggerRunRow, "id">,
  result: TriggerResult | undefined,
): Promise<void> {
  if (!result) return;
  const { failure: _, ...stored } = result;
  const result_sealed = secrets.seal(JSON.stringify(stored), `trigger-run:${run.id}`);
  await updateTriggerRun(tx, run.id, { result_sealed });
}

export async function finish(
  tx: Database,
  run: Pick<TriggerRunRow, "id">,
  error: string | null,
): Promise<void> {
  const state = error === null ? "sent" : "failed";
  await updateTriggerRun(tx, run.id, { state, error, finished_at: new Date() });
}

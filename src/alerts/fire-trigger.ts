import type { Trigger } from "#contract/job.ts";
import type { TriggerResult } from "#delivery/send-trigger.ts";
import type { ChangeRecord } from "#history/read-change.ts";
import type { Database } from "#storage/database.ts";
import { type TriggerRunRow, updateTriggerRun } from "#storage/trigger-runs.ts";
import type { Deps } from "./deps.ts";
import { matchedStrings, placeholderValues } from "./plan-trigger.ts";
import { signingSecret } from "./signing-secret.ts";

/** Sends a change's trigger, signed; what comes of it is kept by the caller. */
export async function fireTrigger(
  deps: Deps,
  change: ChangeRecord,
  trigger: Trigger,
  run: Pick<TriggerRunRow, "id" | "notification_id" | "account_id">,
  attempt: number,
): Promise<TriggerResult> {
  const [secret, matched] = await Promise.all([
    signingSecret(deps, run.account_id),
    matchedStrings(deps, change, trigger),
  ]);
  return deps.channels.trigger({
    trigger,
    values: placeholderValues(deps.baseUrl, change, run.notification_id ?? run.id, matched),
    secret,
    attempt,
    now: new Date(),
  });
}

export async function keepResult(
  { secrets }: Deps,
  tx: Database,
  run: Pick<TriggerRunRow, "id">,
  result: TriggerResult | undefined,
): Promise<void> {
  if (!result) return;
  const { failure: _, ...kept } = result;
  const result_sealed = secrets.seal(JSON.stringify(kept), `trigger-run:${run.id}`);
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

import type { Database } from "#storage/database.ts";
import {
  lockSandboxSubscription,
  type SandboxSubscription,
  updateSandboxSubscription,
} from "#storage/sandbox-subscriptions.ts";
import type { Deps } from "../deps.ts";
import { applyStoredEvent, storeEvent } from "../receive-event.ts";
import { newId } from "./sandbox-events.ts";
import { signBody } from "./signature.ts";

export type Send = (event: { type: string; data: object }, at: Date) => Promise<void>;

/** Changes sandbox subscriptions and sends the results as signed events, through the webhook's own code. */
export async function updateSandbox(
  deps: Deps,
  work: (tx: Database, send: Send) => Promise<void>,
): Promise<void> {
  const sent: string[] = [];
  await deps.db.transaction().execute((tx) =>
    work(tx, async ({ type, data }, at) => {
      const event = {
        event_id: newId("evt", at),
        event_type: type,
        occurred_at: at.toISOString(),
        notification_id: newId("ntf", at),
        data,
      };
      const body = Buffer.from(JSON.stringify(event));
      const signature = signBody(body, deps.provider.webhookSecret, new Date());
      sent.push(await storeEvent(deps, tx, body, signature));
    }),
  );
  for (const id of sent) await applyStoredEvent(deps, id);
}

type Changes = Parameters<typeof updateSandboxSubscription>[2];

/** Updates a subscription. Returns its new row and the time of its event, which is always after the previous event. */
export async function enter(
  tx: Database,
  row: SandboxSubscription,
  at: Date,
  changes: Changes,
): Promise<{ row: SandboxSubscription; at: Date }> {
  const moment = new Date(Math.max(at.getTime(), row.last_event_at.getTime() + 1));
  await updateSandboxSubscription(tx, row.id, { ...changes, last_event_at: moment });
  const written = await lockSandboxSubscription(tx, row.id);
  if (!written) throw new Error("a locked row cannot be gone");
  return { row: written, at: moment };
}

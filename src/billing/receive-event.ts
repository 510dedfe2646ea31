import { AppError } from "#contract/errors.ts";
import {
  insertBillingEvent,
  listPendingEvents,
  lockPendingEvent,
  markEventApplied,
  markEventFailed,
} from "#storage/billing-events.ts";
import type { Database } from "#storage/database.ts";
import { applyEvent } from "./apply-event.ts";
import type { Deps } from "./deps.ts";
import { isSignatureValid } from "./providers/signature.ts";
import { Envelope } from "./read-event.ts";

/** Stores a signed event once and returns its id. Refuses events without a valid signature. */
export async function storeEvent(
  deps: Pick<Deps, "provider">,
  db: Database,
  body: Uint8Array,
  signature: string | undefined,
): Promise<string> {
  if (!isSignatureValid(body, signature, deps.provider.webhookSecret, new Date())) {
    throw new AppError("UNAUTHENTICATED", "The signature is not valid.");
  }
  const envelope = Envelope.safeParse(parseJson(body));
  if (!envelope.success) throw new AppError("INVALID_INPUT", "This is not an event.");
  const { event_id, event_type, occurred_at } = envelope.data;
  await insertBillingEvent(db, {
    id: event_id,
    type: event_type,
    occurredAt: occurred_at,
    payload: envelope.data,
  });
  return event_id;
}

/** Applies a stored event once. An event that fails stays pending, and the billing clock retries it. */
export async function applyStoredEvent(deps: Deps, id: string): Promise<void> {
  try {
    await deps.db.transaction().execute(async (tx) => {
      const kept = await lockPendingEvent(tx, id);
      if (!kept) return;
      const { outcome, accountId } = await applyEvent(deps, tx, Envelope.parse(kept.payload));
      await markEventApplied(tx, id, outcome, accountId);
    });
  } catch (error) {
    deps.report("a billing event could not be applied", { event: id, err: error });
    await markEventFailed(deps.db, id, error instanceof Error ? error.message : String(error));
  }
}

/** Handles the webhook: stores the event, applies it, then lets the call be answered. */
export async function receiveEvent(
  deps: Deps,
  body: Uint8Array,
  signature: string | undefined,
): Promise<void> {
  await applyStoredEvent(deps, await storeEvent(deps, deps.db, body, signature));
}

export async function applyPendingEvents(deps: Deps): Promise<void> {
  for (const id of await listPendingEvents(deps.db)) await applyStoredEvent(deps, id);
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    throw new AppError("INVALID_JSON");
  }
}

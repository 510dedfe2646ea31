import { accountOfCheckout, bindCheckout, lockCheckout } from "#storage/checkouts.ts";
import type { Database } from "#storage/database.ts";
import { saveInvoice } from "#storage/invoices.ts";
import {
  accountOfSubscription,
  findSubscription,
  lockAccount,
  saveSubscription,
} from "#storage/subscriptions.ts";
import type { Deps } from "./deps.ts";
import { type Envelope, type InvoiceEvent, readEvent, type SubscriptionEvent } from "./read-event.ts";
import { settleAccount, type Turn } from "./settle-account.ts";

type Applied = { outcome: string; accountId?: string };

/** Applies an event of the payment provider. Older events never overwrite newer ones. */
export async function applyEvent(deps: Deps, tx: Database, envelope: Envelope): Promise<Applied> {
  const event = readEvent(envelope);
  if (!event) return { outcome: "nothing to us" };
  const owner = await findOwner(tx, event);
  if ("refusal" in owner) {
    // Nobody should keep paying for a plan they don't get. An event without a token of ours may be another shop's.
    if (owner.isOurs && event.kind === "subscription" && event.status !== "canceled") {
      await deps.queue.send(tx, "end-subscription", { subscriptionId: event.subscriptionId });
    }
    deps.report(`a billing event was refused: ${owner.refusal}`, {
      event: event.eventId,
      subscription: event.subscriptionId,
    });
    return { outcome: `refused: ${owner.refusal}` };
  }
  const { accountId } = owner;
  const isNews =
    event.kind === "invoice"
      ? await applyInvoice(tx, accountId, event)
      : await applySubscription(deps, tx, accountId, event);
  return { outcome: isNews ? "applied" : "older than what is known", accountId };
}

/** Finds the account of an event, by a known subscription or by a valid token for the same plan. */
async function findOwner(
  tx: Database,
  event: SubscriptionEvent | InvoiceEvent,
): Promise<{ accountId: string } | { refusal: string; isOurs?: true }> {
  const known = await accountOfSubscription(tx, event.subscriptionId);
  if (known) return { accountId: known };
  if (!event.token) return { refusal: "an unknown subscription without a token" };
  const buyer = await accountOfCheckout(tx, event.token);
  // An account is always locked before any of its other rows.
  if (buyer) await lockAccount(tx, buyer);
  const checkout = await lockCheckout(tx, event.token, event.occurredAt);
  if (!checkout) return { refusal: "an unknown token" };
  if (checkout.subscription_id === event.subscriptionId) return { accountId: checkout.account_id };
  if (!checkout.usable) {
    return { refusal: "a token that was used before or is older than an hour", isOurs: true };
  }
  if (checkout.plan_id !== event.planId) return { refusal: "a token for another plan", isOurs: true };
  await bindCheckout(tx, event.token, event.subscriptionId);
  return { accountId: checkout.account_id };
}

async function applyInvoice(tx: Database, accountId: string, event: InvoiceEvent): Promise<boolean> {
  return saveInvoice(tx, {
    id: event.id,
    account_id: accountId,
    plan_id: event.planId,
    amount_cents: event.amountCents,
    currency: event.currency,
    status: event.status,
    billed_at: event.billedAt,
    occurred_at: event.occurredAt,
    event_id: event.eventId,
  });
}

async function applySubscription(
  deps: Deps,
  tx: Database,
  accountId: string,
  event: SubscriptionEvent,
): Promise<boolean> {
  const { name: provider } = deps.provider;
  if (provider === "none") return false;
  await lockAccount(tx, accountId);
  const previous = await findSubscription(tx, event.subscriptionId);
  const isNews = await saveSubscription(tx, {
    id: event.subscriptionId,
    account_id: accountId,
    provider,
    plan_id: event.planId,
    status: event.status,
    period_ends_at: event.periodEndsAt,
    ends_at: event.endsAt,
    past_due_since: event.status === "past_due" ? (previous?.past_due_since ?? event.occurredAt) : null,
    occurred_at: event.occurredAt,
    event_id: event.eventId,
  });
  if (isNews) await settleAccount(deps, tx, accountId, findTransition(previous, event));
  return isNews;
}

/** What this event changed besides the plan. */
function findTransition(
  previous: { status: string; ends_at: Date | null } | undefined,
  event: SubscriptionEvent,
): Turn | undefined {
  if (event.status === "past_due" && previous?.status !== "past_due") return "payment-failed";
  if (event.status === "active" && previous?.status === "past_due") return "payment-received";
  if (event.status === "canceled" || !previous) return undefined;
  if (event.endsAt && !previous.ends_at) return "cancelled";
  if (!event.endsAt && previous.ends_at) return "resumed";
  return undefined;
}

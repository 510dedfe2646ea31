import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#contract/plans.ts";
import { testCards } from "#contract/test-cards.ts";
import { bindCheckout, lockCheckout } from "#storage/checkouts.ts";
import type { Database } from "#storage/database.ts";
import {
  advanceClock,
  insertSandboxSubscription,
  lockRunningSandbox,
  lockSandboxSubscription,
  sandboxClock,
} from "#storage/sandbox-subscriptions.ts";
import { lockAccount } from "#storage/subscriptions.ts";
import { runBillingClock } from "./billing-clock.ts";
import type { Deps } from "./deps.ts";
import { moveToPlan, settleOwed } from "./providers/sandbox.ts";
import { keepBooks, type Send } from "./providers/sandbox-books.ts";
import { newId, subscriptionEvent, transactionEvent } from "./providers/sandbox-events.ts";

type PaidPlanId = "professional" | "ultimate";

/** The built-in checkout's "pay". A declined card leaves the token as it was. */
export async function completeSandboxPayment(
  deps: Deps,
  { accountId }: Actor,
  { token, card }: { token: string; card: string },
): Promise<void> {
  assertSandbox(deps);
  await keepBooks(deps, async (tx, send) => {
    await lockAccount(tx, accountId);
    const checkout = await lockCheckout(tx, token);
    if (!checkout?.usable || checkout.account_id !== accountId) throw new AppError("PAYMENT_TOKEN_INVALID");
    if (card === testCards.declined) throw new AppError("PAYMENT_DECLINED");
    const running = await lockRunningSandbox(tx, accountId);
    if (!running) return subscribe(tx, accountId, checkout.plan_id, card, token, send);
    await bindCheckout(tx, token, running.id);
    const isSamePlan = running.plan_id === checkout.plan_id;
    if (running.status === "past_due") {
      if (!isSamePlan) throw new AppError("CONFLICT", "The last payment failed. Pay it first.");
      return settleOwed(tx, running, card, send);
    }
    if (isSamePlan) throw new AppError("PAYMENT_ALREADY_ON_PLAN");
    return moveToPlan(tx, running, planById(checkout.plan_id), card, send, token);
  });
}

async function subscribe(
  tx: Database,
  accountId: string,
  planId: PaidPlanId,
  card: string,
  token: string,
  send: Send,
): Promise<void> {
  const { now, clock_seconds } = await sandboxClock(tx, accountId);
  const id = newId("sub", now);
  await insertSandboxSubscription(tx, {
    id,
    account_id: accountId,
    plan_id: planId,
    status: "active",
    card,
    started_at: now,
    months: 1,
    clock_seconds,
    last_event_at: now,
  });
  await bindCheckout(tx, token, id);
  const row = await lockSandboxSubscription(tx, id);
  if (!row) throw new Error("a row just inserted cannot be missing");
  const payment = { id: newId("txn", now), cents: planById(planId).priceCents, at: now, token };
  await send(subscriptionEvent("created", row, now, token), now);
  await send(transactionEvent("completed", row, payment), now);
}

/** Moves the clock of one's own sandbox subscription, as test clocks do elsewhere; what falls due happens at once. */
export async function advanceSandboxClock(deps: Deps, { accountId }: Actor, days: number): Promise<void> {
  assertSandbox(deps);
  if (!(await advanceClock(deps.db, accountId, days * 86_400))) throw new AppError("NO_SUBSCRIPTION");
  await runBillingClock(deps);
}

function assertSandbox(deps: Deps): void {
  if (deps.provider.name !== "sandbox") throw new AppError("NOT_FOUND");
}

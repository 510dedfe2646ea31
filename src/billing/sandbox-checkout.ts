import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#plans/plans.ts";
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
import { moveToPlan, payOwedAmount } from "./providers/sandbox.ts";
import { newId, subscriptionEvent, transactionEvent } from "./providers/sandbox-events.ts";
import { type Send, updateSandbox } from "./providers/update-sandbox.ts";
import { testCards } from "./test-cards.ts";

type PaidPlanId = "professional" | "ultimate";

/** Pays in the built-in checkout. A declined card leaves the token unused. */
export async function completeSandboxPayment(
  deps: Deps,
  { accountId }: Actor,
  { token, card }: { token: string; card: string },
): Promise<void> {
  assertSandbox(deps);
  await updateSandbox(deps, async (tx, send) => {
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
      return payOwedAmount(tx, running, card, send);
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

/** Advances the clock of the account's sandbox subscription, like a test clock. What is then due happens at once. */
export async function advanceSandboxClock(deps: Deps, { accountId }: Actor, days: number): Promise<void> {
  assertSandbox(deps);
  if (!(await advanceClock(deps.db, accountId, days * 86_400))) throw new AppError("NO_SUBSCRIPTION");
  await runBillingClock(deps);
}

function assertSandbox(deps: Deps): void {
  if (deps.provider.name !== "sandbox") throw new AppError("NOT_FOUND");
}

import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { planById } from "#plans/plans.ts";
import { bindCheckout, lockCheckout } from "#storage/checkouts.ts";
import type { SubscriptionRow } from "#storage/subscriptions.ts";
import type { Deps, Result } from "./deps.ts";
import { runningSubscription } from "./prepare-payment.ts";

/** Asks the provider to end the subscription with its period. The provider's event confirms it. */
export async function cancelSubscription(deps: Deps, actor: Actor): Promise<void> {
  const running = await requireRunning(deps, actor);
  if (running.ends_at) throw new AppError("CONFLICT", "The subscription is already canceled.");
  expectOk(deps, await deps.provider.cancel(deps, running));
}

/** Takes back a cancellation that has not taken effect. */
export async function resumeSubscription(deps: Deps, actor: Actor): Promise<void> {
  const running = await requireRunning(deps, actor);
  if (!running.ends_at) throw new AppError("CONFLICT", "The subscription isn’t canceled.");
  expectOk(deps, await deps.provider.resume(deps, running));
}

/** Moves the running subscription to the plan that a token was prepared for. */
export async function changePlan(deps: Deps, actor: Actor, token: string): Promise<void> {
  const running = await requireRunning(deps, actor);
  if (running.status === "past_due") throw new AppError("CONFLICT", "The last payment failed. Pay it first.");
  const planId = await deps.db.transaction().execute(async (tx) => {
    const checkout = await lockCheckout(tx, token);
    if (!checkout?.usable || checkout.account_id !== actor.accountId) {
      throw new AppError("PAYMENT_TOKEN_INVALID");
    }
    await bindCheckout(tx, token, running.id);
    return checkout.plan_id;
  });
  if (planId === running.plan_id) throw new AppError("PAYMENT_ALREADY_ON_PLAN");
  expectOk(deps, await deps.provider.change(deps, running, planById(planId)));
}

/** Ends a subscription that has no account any more, such as that of a deleted account. */
export async function endSubscription(deps: Deps, subscriptionId: string): Promise<void> {
  const result = await deps.provider.end(subscriptionId);
  if (!result.ok) throw new Error(`a subscription could not be ended: ${result.failure.message}`);
}

async function requireRunning(deps: Deps, actor: Actor): Promise<SubscriptionRow> {
  const running = await runningSubscription(deps, actor.accountId);
  if (!running) throw new AppError("NO_SUBSCRIPTION");
  return running;
}

function expectOk(deps: Deps, result: Result<void>): void {
  if (result.ok) return;
  deps.report("the payment provider did not accept a request", { reason: result.failure.message });
  throw new AppError(result.failure.kind === "declined" ? "PAYMENT_DECLINED" : "PAYMENT_UNAVAILABLE");
}

import type { z } from "zod";
import type { PreparedPayment } from "#contract/billing.ts";
import { AppError } from "#contract/errors.ts";
import { type Plan, planById, plans } from "#plans/plans.ts";
import { findAccount } from "#storage/accounts.ts";
import { issueCheckout } from "#storage/checkouts.ts";
import { listSubscriptions, type SubscriptionRow } from "#storage/subscriptions.ts";
import type { Deps, Purpose } from "./deps.ts";

/** Prepares a checkout with a token for this user and plan. Nothing changes until a payment is made with that token. */
export async function preparePayment(
  deps: Deps,
  actor: { accountId: string },
  planId: string,
): Promise<z.input<typeof PreparedPayment>> {
  const plan = plans.find((candidate) => candidate.id === planId);
  if (!plan) throw new AppError("PAYMENT_UNKNOWN_PLAN");
  if (plan.id === "basic") throw new AppError("PAYMENT_FREE_PLAN");
  const account = await findAccount(deps.db, actor.accountId);
  if (!account) throw new AppError("UNAUTHENTICATED");
  const { provider } = deps;
  if (provider.name === "none") {
    throw new AppError(
      "PAYMENT_UNAVAILABLE",
      "This installation doesn’t take payments. Ask its operator for this plan.",
    );
  }
  const running = await runningSubscription(deps, account.id);
  const purpose = purposeOf(plan, running);
  const prepared = await deps.provider.prepare(deps, { plan, purpose, running });
  if (!prepared.ok) {
    deps.report("a checkout could not be prepared", { reason: prepared.failure.message });
    throw new AppError("PAYMENT_UNAVAILABLE");
  }
  const { priceId, dueCents, paddle } = prepared.value;
  return {
    code: "PAYMENT_PREPARE_ACCEPTED",
    message: `The checkout for the ${plan.name} plan is ready.`,
    token: await issueCheckout(deps.db, account.id, plan.id),
    subscriptionId: priceId,
    checkout: { provider: provider.name, purpose, email: account.email, dueCents, paddle },
  };
}

function purposeOf(plan: Plan, running: SubscriptionRow | undefined): Purpose {
  if (!running) return "subscribe";
  if (running.status === "paused")
    throw new AppError("CONFLICT", "Your subscription is paused. Ask support to resume it.");
  if (running.status === "past_due") {
    if (running.plan_id === plan.id) return "settle";
    const name = planById(running.plan_id).name;
    throw new AppError(
      "CONFLICT",
      `The payment for your ${name} plan failed. Pay it first, then change the plan.`,
    );
  }
  if (running.plan_id === plan.id) {
    throw new AppError(
      "PAYMENT_ALREADY_ON_PLAN",
      running.ends_at
        ? `You are already on the ${plan.name} plan. Resume the subscription to keep it.`
        : `You are already on the ${plan.name} plan.`,
    );
  }
  return "change";
}

/** The account's subscription at the current provider; the most expensive one if there are several. */
export async function runningSubscription(
  deps: Pick<Deps, "db" | "provider">,
  accountId: string,
): Promise<SubscriptionRow | undefined> {
  const rows = await listSubscriptions(deps.db, accountId);
  return rows
    .filter((row) => row.provider === deps.provider.name)
    .toSorted((a, b) => planById(b.plan_id).priceCents - planById(a.plan_id).priceCents)[0];
}

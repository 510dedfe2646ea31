import type { z } from "zod";
import type { Actor } from "#contract/actor.ts";
import type { BillingState, Invoice, PlanOffer } from "#contract/billing.ts";
import { AppError } from "#contract/errors.ts";
import { predictPlanLoss } from "#plans/apply-plan.ts";
import { planFeatures } from "#plans/plan-features.ts";
import { countUsage } from "#plans/plan-holds.ts";
import { planById, plans } from "#plans/plans.ts";
import { findAccount } from "#storage/accounts.ts";
import { listInvoices as listInvoiceRows } from "#storage/invoices.ts";
import { accessEndsAt } from "./access-ends-at.ts";
import type { Deps } from "./deps.ts";
import { runningSubscription } from "./prepare-payment.ts";

export async function listPlans(deps: Deps, actor: Actor): Promise<z.input<typeof PlanOffer>[]> {
  const current = await currentPlanId(deps, actor);
  return plans.map((plan) => ({
    id: plan.id,
    name: plan.name,
    description: plan.description,
    features: planFeatures(plan).join("*"),
    price: plan.priceCents / 100,
    current: plan.id === current,
  }));
}

export async function listInvoices(deps: Deps, actor: Actor): Promise<z.input<typeof Invoice>[]> {
  const rows = await listInvoiceRows(deps.db, actor.accountId);
  return rows.map((row) => ({
    id: row.id,
    amount: row.amount_cents / 100,
    currency: row.currency,
    status: row.status,
    createdAt: row.billed_at.toISOString(),
    plan: { name: planById(row.plan_id).name },
  }));
}

export async function describeBilling(deps: Deps, actor: Actor): Promise<z.input<typeof BillingState>> {
  const planId = await currentPlanId(deps, actor);
  const running = await runningSubscription(deps, actor.accountId);
  const end = running && accessEndsAt(running);
  const plan = planById(planId);
  const usage = await countUsage(deps.db, actor.accountId);
  return {
    planId,
    provider: deps.provider.name,
    subscription:
      running && running.status !== "canceled"
        ? {
            planId: running.plan_id,
            status: running.status,
            renewsAt: end ? null : (running.period_ends_at?.toISOString() ?? null),
            endsAt: end?.toISOString() ?? null,
          }
        : null,
    usage: [
      { name: "groups", used: usage.groups, limit: plan.groups },
      { name: "jobs", used: usage.jobs, limit: plan.jobs ?? plan.groups * plan.jobsPerGroup },
      { name: "triggers", used: usage.triggers, limit: plan.triggers },
      { name: "storage", used: usage.storedBytes, limit: plan.storageBytes },
    ],
    onBasic: await predictPlanLoss(deps.db, actor.accountId, plan),
  };
}

async function currentPlanId(deps: Deps, actor: Actor): Promise<string> {
  const account = await findAccount(deps.db, actor.accountId);
  if (!account) throw new AppError("UNAUTHENTICATED");
  return account.plan_id;
}

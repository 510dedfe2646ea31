import { randomBytes } from "node:crypto";
import { type Plan, planById } from "#plans/plans.ts";
import type { SandboxSubscription } from "#storage/sandbox-subscriptions.ts";

/** Creates an id in Paddle's format: a prefix and 26 letters and digits, the first ten of which encode the time. */
export function newId(prefix: "sub" | "txn" | "evt" | "ntf", at: Date): string {
  const time = at.getTime().toString(32).padStart(10, "0");
  const random = BigInt(`0x${randomBytes(10).toString("hex")}`)
    .toString(32)
    .padStart(16, "0");
  return `${prefix}_${time}${random}`;
}

export const priceId = (plan: Plan) => `pri_sandbox_${plan.id}`;

type SandboxEvent = { type: string; data: object };

function item(plan: Plan) {
  return {
    quantity: 1,
    price: {
      id: priceId(plan),
      product_id: `pro_sandbox_${plan.id}`,
      description: plan.name,
      type: "standard",
      billing_cycle: { interval: "month", frequency: 1 },
      tax_mode: "internal",
      unit_price: { amount: String(plan.priceCents), currency_code: "USD" },
      unit_price_overrides: [],
      quantity: { minimum: 1, maximum: 1 },
      status: "active",
      custom_data: { plan: plan.id },
    },
  };
}

/** A subscription as Paddle's events show it. */
export function subscriptionEvent(
  type: "created" | "updated" | "canceled" | "past_due",
  row: SandboxSubscription,
  at: Date,
  token?: string,
): SandboxEvent {
  const iso = (date: Date) => date.toISOString();
  const isOver = row.status === "canceled";
  return {
    type: `subscription.${type}`,
    data: {
      id: row.id,
      status: row.status,
      customer_id: `ctm_sandbox_${row.account_id}`,
      address_id: `add_sandbox_${row.account_id}`,
      currency_code: "USD",
      created_at: iso(row.started_at),
      updated_at: iso(at),
      started_at: iso(row.started_at),
      first_billed_at: iso(row.started_at),
      next_billed_at: isOver || row.cancels ? null : iso(row.period_ends_at),
      canceled_at: isOver ? iso(at) : null,
      collection_mode: "automatic",
      current_billing_period: isOver
        ? null
        : { starts_at: iso(row.period_starts_at), ends_at: iso(row.period_ends_at) },
      billing_cycle: { interval: "month", frequency: 1 },
      scheduled_change:
        row.cancels && !isOver
          ? { action: "cancel", effective_at: iso(row.period_ends_at), resume_at: null }
          : null,
      items: [{ ...item(planById(row.plan_id)), status: "active", recurring: true }],
      custom_data: token === undefined ? null : { token },
    },
  };
}

/** A payment as Paddle's events show it. */
export function transactionEvent(
  status: "completed" | "past_due",
  row: SandboxSubscription,
  payment: { id: string; cents: number; at: Date; token?: string },
): SandboxEvent {
  const total = String(payment.cents);
  const at = payment.at.toISOString();
  return {
    type: `transaction.${status}`,
    data: {
      id: payment.id,
      status,
      customer_id: `ctm_sandbox_${row.account_id}`,
      currency_code: "USD",
      origin: "subscription_recurring",
      subscription_id: row.id,
      collection_mode: "automatic",
      billing_period: {
        starts_at: row.period_starts_at.toISOString(),
        ends_at: row.period_ends_at.toISOString(),
      },
      items: [item(planById(row.plan_id))],
      details: {
        tax_rates_used: [],
        totals: { subtotal: total, tax: "0", total, grand_total: total, currency_code: "USD" },
        line_items: [],
      },
      payments: [],
      created_at: at,
      updated_at: at,
      billed_at: at,
      custom_data: payment.token === undefined ? null : { token: payment.token },
    },
  };
}

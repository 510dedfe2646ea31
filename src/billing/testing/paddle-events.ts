import { createHmac, randomUUID } from "node:crypto";

type Fields = Record<string, unknown>;

const item = (plan: string) => ({
  quantity: 1,
  price: { id: `pri_${plan}`, custom_data: { plan }, unit_price: { amount: "900", currency_code: "USD" } },
});

/** An event as Paddle sends it, with the fields that matter here. */
export function subscriptionEvent(type: string, subscription: Fields & { plan: string }, at: string): Fields {
  const { plan, ...data } = subscription;
  return {
    event_id: `evt_${randomUUID()}`,
    event_type: `subscription.${type}`,
    occurred_at: at,
    notification_id: `ntf_${randomUUID()}`,
    data: {
      status: "active",
      customer_id: "ctm_01",
      address_id: "add_01",
      currency_code: "USD",
      canceled_at: null,
      current_billing_period: { starts_at: "2026-11-01T00:00:00Z", ends_at: "2099-12-01T00:00:00Z" },
      billing_cycle: { interval: "month", frequency: 1 },
      scheduled_change: null,
      items: [item(plan)],
      custom_data: null,
      ...data,
    },
  };
}

export function transactionEvent(
  type: string,
  transaction: Fields & { plan: string; cents: string },
  at: string,
): Fields {
  const { plan, cents, ...data } = transaction;
  return {
    event_id: `evt_${randomUUID()}`,
    event_type: `transaction.${type}`,
    occurred_at: at,
    data: {
      status: type,
      currency_code: "USD",
      items: [item(plan)],
      details: { totals: { grand_total: cents, currency_code: "USD" } },
      created_at: at,
      billed_at: at,
      custom_data: null,
      ...data,
    },
  };
}

/** Paddle's signature, implemented a second time so that it doesn't depend on our own code. */
export function signLikePaddle(
  body: string,
  secret: string,
  seconds: number = Math.floor(Date.now() / 1000),
): string {
  return `ts=${seconds};h1=${createHmac("sha256", secret).update(`${seconds}:${body}`).digest("hex")}`;
}

import { z } from "zod";
import { invoiceStatuses } from "#contract/billing.ts";

const time = z.iso.datetime({ offset: true });

/** The fields that every event has. */
export const Envelope = z.object({
  event_id: z.string().min(1).max(100),
  event_type: z.string().min(1).max(100),
  occurred_at: time,
  data: z.looseObject({}),
});
export type Envelope = z.infer<typeof Envelope>;

const PaidPlan = z.enum(["professional", "ultimate"]);

/** Prices carry their plan in their custom data, which only the seller can set. */
const Items = z
  .array(z.object({ price: z.looseObject({ custom_data: z.unknown() }).nullish() }))
  .transform((items, context) => {
    for (const { price } of items) {
      const found = z.object({ plan: PaidPlan }).safeParse(price?.custom_data);
      if (found.success) return found.data.plan;
    }
    context.addIssue("no item has a price whose custom data names a plan");
    return z.NEVER;
  });

/** The token that our checkout sets; any other custom data isn't ours. */
const Token = z
  .unknown()
  .transform((data) => z.object({ token: z.string().max(200) }).safeParse(data).data?.token);

const Subscription = z.object({
  id: z.string().min(1).max(100),
  status: z.enum(["active", "trialing", "past_due", "paused", "canceled"]),
  canceled_at: time.nullish(),
  current_billing_period: z.object({ ends_at: time }).nullish(),
  scheduled_change: z.object({ action: z.string(), effective_at: time }).nullish(),
  items: Items,
  custom_data: Token,
});

const Transaction = z.object({
  id: z.string().min(1).max(100),
  status: z.string(),
  subscription_id: z.string().max(100).nullish(),
  currency_code: z.string().length(3),
  items: Items,
  details: z.object({ totals: z.object({ grand_total: z.string().regex(/^-?\d{1,9}$/) }) }),
  created_at: time,
  billed_at: time.nullish(),
  custom_data: Token,
});

type EventBase = { eventId: string; occurredAt: string; subscriptionId: string; token: string | undefined };
type PaidPlan = z.infer<typeof PaidPlan>;

export type SubscriptionEvent = EventBase & {
  kind: "subscription";
  planId: PaidPlan;
  status: z.infer<typeof Subscription>["status"];
  periodEndsAt: string | null;
  endsAt: string | null;
};
export type InvoiceEvent = EventBase & {
  kind: "invoice";
  id: string;
  planId: PaidPlan;
  status: (typeof invoiceStatuses)[number];
  amountCents: number;
  currency: string;
  billedAt: string;
};

/** Reads what an event means to us; undefined for events that concern neither access nor money. */
export function readEvent({
  event_id,
  event_type,
  occurred_at,
  data,
}: Envelope): SubscriptionEvent | InvoiceEvent | undefined {
  const base = { eventId: event_id, occurredAt: occurred_at };
  if (event_type.startsWith("subscription.")) {
    const { id, status, items, custom_data, ...rest } = Subscription.parse(data);
    const change = rest.scheduled_change;
    const scheduled = change?.action === "cancel" ? change.effective_at : null;
    return {
      ...base,
      kind: "subscription",
      subscriptionId: id,
      token: custom_data,
      planId: items,
      status,
      periodEndsAt: rest.current_billing_period?.ends_at ?? null,
      endsAt: status === "canceled" ? (rest.canceled_at ?? occurred_at) : scheduled,
    };
  }
  if (event_type.startsWith("transaction.")) {
    const known = z
      .object({ status: z.enum(invoiceStatuses), subscription_id: z.string() })
      .safeParse(data).data;
    // Drafts and unfinished payments aren't bills yet; one-off payments aren't ours.
    if (!known) return undefined;
    const transaction = Transaction.parse(data);
    return {
      ...base,
      kind: "invoice",
      id: transaction.id,
      subscriptionId: known.subscription_id,
      token: transaction.custom_data,
      planId: transaction.items,
      status: known.status,
      amountCents: Number(transaction.details.totals.grand_total),
      currency: transaction.currency_code,
      billedAt: transaction.billed_at ?? transaction.created_at,
    };
  }
  return undefined;
}

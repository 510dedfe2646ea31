import { z } from "zod";
import { testCards } from "#billing/test-cards.ts";
import { Outcome } from "./account.ts";

/** One plan, shown as a card in the plan view. */
export const PlanOffer = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  features: z.string().describe("The features that the plan includes, separated by asterisks"),
  price: z.number().describe("US dollars per month"),
  current: z.boolean(),
});
export type PlanOffer = z.infer<typeof PlanOffer>;

/** Payment statuses, in the provider's own terms. */
export const invoiceStatuses = ["billed", "paid", "completed", "past_due", "canceled"] as const;

export const Invoice = z.object({
  id: z.string(),
  amount: z.number(),
  currency: z.string(),
  status: z.enum(invoiceStatuses),
  createdAt: z.iso.datetime(),
  plan: z.object({ name: z.string() }),
});
export type Invoice = z.infer<typeof Invoice>;

export const PlanParams = z.object({ planId: z.string().max(40) });

/** What the browser needs to let the user pay. */
export const Checkout = z.object({
  provider: z.enum(["paddle", "sandbox"]),
  purpose: z
    .enum(["subscribe", "change", "settle"])
    .describe("subscribe: a first payment; change: another plan; settle: a payment that failed before"),
  email: z.string(),
  dueCents: z
    .int()
    .nullable()
    .describe("Amount charged now, in cents; null if the provider's own checkout shows it"),
  paddle: z
    .object({
      clientToken: z.string(),
      environment: z.enum(["sandbox", "production"]),
      transactionId: z
        .string()
        .nullable()
        .describe("If set, the checkout opens this payment instead of the plan's price"),
    })
    .nullable(),
});
export type Checkout = z.infer<typeof Checkout>;

export const PreparedPayment = Outcome.extend({
  token: z.string().describe("Identifies the user and the plan to the provider; works once, within an hour"),
  subscriptionId: z.string().describe("The provider's id of the plan's price"),
  checkout: Checkout,
});

export const PaymentToken = z.object({ token: z.string().min(1).max(200) });

export const SandboxPayment = PaymentToken.extend({
  card: z
    .enum(Object.values(testCards) as [string, ...string[]], "Card is not one of the test cards.")
    .default(testCards.pays),
});

export const SandboxClock = z.object({ days: z.int().min(1).max(366) });

const Usage = z.object({
  name: z.enum(["groups", "jobs", "triggers", "storage"]),
  used: z.number(),
  limit: z.number().nullable().describe("Null if there is no limit; storage is counted in bytes"),
});

/** What a smaller plan would deactivate, slow down or pause. */
const Loss = z.object({
  inactiveJobs: z.int(),
  slowedJobs: z.int(),
  pausedTriggers: z.int(),
  pausedChannels: z.array(z.string()),
});
export type Loss = z.infer<typeof Loss>;

export const BillingState = z.object({
  planId: z.string(),
  provider: z.enum(["paddle", "sandbox", "none"]).describe("none: the operator sets the plans"),
  subscription: z
    .object({
      planId: z.string(),
      status: z.enum(["active", "trialing", "past_due", "paused"]),
      renewsAt: z.iso.datetime().nullable(),
      endsAt: z.iso
        .datetime()
        .nullable()
        .describe("When the plan ends unless the user acts; null if it doesn't end"),
    })
    .nullable(),
  usage: z.array(Usage),
  onBasic: Loss.describe("What would be deactivated, slowed down or paused on the Basic plan"),
});
export type BillingState = z.infer<typeof BillingState>;

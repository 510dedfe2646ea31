import { z } from "zod";
import { Outcome } from "./account.ts";
import {
  BillingState,
  Invoice,
  PaymentToken,
  PlanOffer,
  PlanParams,
  PreparedPayment,
  SandboxClock,
  SandboxPayment,
} from "./billing.ts";
import type { Route } from "./route.ts";

/** Plans, payments and bills. */
export const billingRoutes = {
  listPlans: {
    method: "GET",
    path: "/api/payment/plans",
    access: "account",
    scope: "everything",
    summary: "The plans, the current one marked",
    reply: z.array(PlanOffer),
  },
  listInvoices: {
    method: "GET",
    path: "/api/payment/billing",
    access: "account",
    scope: "everything",
    summary: "What was billed, newest first",
    reply: z.array(Invoice),
  },
  billingState: {
    method: "GET",
    path: "/api/payment/subscription",
    access: "account",
    scope: "everything",
    summary: "The running subscription, and usage against the plan's limits",
    reply: BillingState,
  },
  preparePayment: {
    method: "GET",
    path: "/api/payment/prepare/:planId",
    access: "account",
    scope: "everything",
    summary: "Prepare a checkout; changes nothing by itself",
    params: PlanParams,
    reply: PreparedPayment,
    invalid: "PAYMENT_UNKNOWN_PLAN",
  },
  changePlan: {
    method: "POST",
    path: "/api/payment/change",
    access: "account",
    summary: "Move a running subscription to the prepared plan",
    body: PaymentToken,
    reply: Outcome,
  },
  cancelSubscription: {
    method: "POST",
    path: "/api/payment/cancel",
    access: "account",
    summary: "Cancel at the end of the billing period",
    reply: Outcome,
  },
  resumeSubscription: {
    method: "POST",
    path: "/api/payment/resume",
    access: "account",
    summary: "Take back a cancellation before it takes effect",
    reply: Outcome,
  },
  billingWebhook: {
    method: "POST",
    path: "/api/payment/webhook",
    access: "signed",
    summary: "The payment provider's events",
    bodyType: "bytes",
    reply: Outcome,
  },
  completeSandboxPayment: {
    method: "POST",
    path: "/api/payment/sandbox/complete",
    access: "account",
    summary: "Pay in the built-in checkout; only without Paddle",
    body: SandboxPayment,
    reply: Outcome,
  },
  advanceSandboxClock: {
    method: "POST",
    path: "/api/payment/sandbox/advance",
    access: "account",
    summary: "Move the built-in checkout's clock for one's own subscription; only without Paddle",
    body: SandboxClock,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;

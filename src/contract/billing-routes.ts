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
    summary: "List the plans; the current one is marked",
    reply: z.array(PlanOffer),
  },
  listInvoices: {
    method: "GET",
    path: "/api/payment/billing",
    access: "account",
    scope: "everything",
    summary: "List the invoices, newest first",
    reply: z.array(Invoice),
  },
  billingState: {
    method: "GET",
    path: "/api/payment/subscription",
    access: "account",
    scope: "everything",
    summary: "Get the running subscription, and the usage compared with the plan's limits",
    reply: BillingState,
  },
  preparePayment: {
    method: "GET",
    path: "/api/payment/prepare/:planId",
    access: "account",
    scope: "everything",
    summary: "Prepare a checkout for a plan; nothing is charged yet",
    params: PlanParams,
    reply: PreparedPayment,
    invalid: "PAYMENT_UNKNOWN_PLAN",
  },
  changePlan: {
    method: "POST",
    path: "/api/payment/change",
    access: "account",
    summary: "Switch the running subscription to the plan that was prepared",
    body: PaymentToken,
    reply: Outcome,
  },
  cancelSubscription: {
    method: "POST",
    path: "/api/payment/cancel",
    access: "account",
    summary: "Cancel the subscription at the end of the billing period",
    reply: Outcome,
  },
  resumeSubscription: {
    method: "POST",
    path: "/api/payment/resume",
    access: "account",
    summary: "Undo a cancellation before it takes effect",
    reply: Outcome,
  },
  billingWebhook: {
    method: "POST",
    path: "/api/payment/webhook",
    access: "signed",
    summary: "Receive events from the payment provider",
    bodyType: "bytes",
    reply: Outcome,
  },
  completeSandboxPayment: {
    method: "POST",
    path: "/api/payment/sandbox/complete",
    access: "account",
    summary: "Pay in the sandbox checkout; only if the sandbox is the payment provider",
    body: SandboxPayment,
    reply: Outcome,
  },
  advanceSandboxClock: {
    method: "POST",
    path: "/api/payment/sandbox/advance",
    access: "account",
    summary:
      "Move the clock of your sandbox subscription forward; only if the sandbox is the payment provider",
    body: SandboxClock,
    reply: Outcome,
  },
} as const satisfies Record<string, Route>;

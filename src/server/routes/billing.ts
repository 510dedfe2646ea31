import { describeBilling, listInvoices, listPlans } from "#billing/describe-billing.ts";
import { cancelSubscription, changePlan, resumeSubscription } from "#billing/manage-subscription.ts";
import { preparePayment } from "#billing/prepare-payment.ts";
import { receiveEvent } from "#billing/receive-event.ts";
import { advanceSandboxClock, completeSandboxPayment } from "#billing/sandbox-checkout.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const billingHandlers: Handlers<
  | "listPlans"
  | "listInvoices"
  | "billingState"
  | "preparePayment"
  | "changePlan"
  | "cancelSubscription"
  | "resumeSubscription"
  | "billingWebhook"
  | "completeSandboxPayment"
  | "advanceSandboxClock"
> = {
  listPlans: (app, { actor }) => listPlans(app.billing, actor),
  listInvoices: (app, { actor }) => listInvoices(app.billing, actor),
  billingState: (app, { actor }) => describeBilling(app.billing, actor),
  preparePayment: (app, { actor, params }) => preparePayment(app.billing, actor, params.planId),
  async changePlan(app, { actor, body }) {
    await changePlan(app.billing, actor, body.token);
    return { code: "PAYMENT_CHANGE_ACCEPTED", message: "Your plan is being changed." };
  },
  async cancelSubscription(app, { actor }) {
    await cancelSubscription(app.billing, actor);
    return { code: "PAYMENT_CANCEL_ACCEPTED", message: "Your subscription is canceled." };
  },
  async resumeSubscription(app, { actor }) {
    await resumeSubscription(app.billing, actor);
    return { code: "PAYMENT_RESUME_ACCEPTED", message: "Your subscription continues." };
  },
  async billingWebhook(app, { request }) {
    const signature = request.headers["paddle-signature"];
    // The body of a signed call is passed on as the bytes that were signed.
    await receiveEvent(
      app.billing,
      (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      signature?.toString(),
    );
    return { code: "EVENT_KEPT", message: "The event is stored." };
  },
  async completeSandboxPayment(app, { actor, body }) {
    await completeSandboxPayment(app.billing, actor, body);
    return { code: "PAYMENT_COMPLETED", message: "The payment went through." };
  },
  async advanceSandboxClock(app, { actor, body }) {
    await advanceSandboxClock(app.billing, actor, body.days);
    return { code: "CLOCK_MOVED", message: `The sandbox's clock is ${body.days} days ahead.` };
  },
};

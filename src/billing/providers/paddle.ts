import {
  ApiError,
  LogLevel,
  Paddle,
  type PaddleOptions,
  type UpdateSubscriptionRequestBody,
} from "@paddle/paddle-node-sdk";
import { type Plan, planById } from "#plans/plans.ts";
import type { PaymentFailure, Provider, Result } from "../deps.ts";

export type PaddleConfig = {
  apiKey: string;
  clientToken: string;
  webhookSecret: string;
  /** "sandbox", "production", or the URL of a server that answers like Paddle's API. */
  environment: string;
};

const timeoutMs = 10_000;
const priceCacheMs = 60 * 60_000;

/** Paddle Billing. Prices are found by their custom data, `{"plan": "professional"}` or `{"plan": "ultimate"}`. */
export function openPaddle(config: PaddleConfig): Provider {
  // The SDK accepts any base URL as an environment, although its type doesn't say so.
  const environment = config.environment as PaddleOptions["environment"];
  const paddle = new Paddle(config.apiKey, { environment, logLevel: LogLevel.none });
  const browserEnvironment = config.environment === "production" ? "production" : "sandbox";
  let prices: { ids: Map<string, string>; until: number } | undefined;

  async function priceOf(plan: Plan): Promise<string> {
    if (!prices || prices.until < Date.now() || !prices.ids.has(plan.id)) {
      const ids = new Map<string, string>();
      for await (const price of paddle.prices.list({ status: ["active"], recurring: true, perPage: 200 })) {
        const planId = (price.customData as { plan?: unknown } | null)?.plan;
        if (typeof planId === "string" && !ids.has(planId)) ids.set(planId, price.id);
      }
      prices = { ids, until: Date.now() + priceCacheMs };
    }
    const id = prices.ids.get(plan.id);
    if (!id) throw new Error(`no active recurring price has the custom data {"plan": "${plan.id}"}`);
    return id;
  }

  /** An upgrade is charged immediately; a downgrade is credited on the next bill. */
  async function changeTo(plan: Plan, from: string): Promise<UpdateSubscriptionRequestBody> {
    const isUpgrade = plan.priceCents > planById(from).priceCents;
    return {
      items: [{ priceId: await priceOf(plan), quantity: 1 }],
      prorationBillingMode: isUpgrade ? "prorated_immediately" : "prorated_next_billing_period",
    };
  }

  return {
    name: "paddle",
    webhookSecret: config.webhookSecret,
    prepare: (_, { plan, purpose, running }) =>
      attempt(async () => {
        const priceId = await priceOf(plan);
        const opening = { clientToken: config.clientToken, environment: browserEnvironment } as const;
        if (purpose === "subscribe" || !running) {
          return { priceId, dueCents: null, paddle: { ...opening, transactionId: null } };
        }
        if (purpose === "settle") {
          const { id } = await paddle.subscriptions.getPaymentMethodChangeTransaction(running.id);
          return { priceId, dueCents: null, paddle: { ...opening, transactionId: id } };
        }
        const preview = await paddle.subscriptions.previewUpdate(
          running.id,
          await changeTo(plan, running.plan_id),
        );
        const due = preview.immediateTransaction?.details.totals.grandTotal ?? "0";
        return { priceId, dueCents: Number(due), paddle: null };
      }),
    change: (_, subscription, plan) =>
      attempt(async () => {
        // Paddle changes nothing about a subscription with a scheduled cancellation, so it is taken back first.
        if (subscription.ends_at)
          await paddle.subscriptions.update(subscription.id, { scheduledChange: null });
        await paddle.subscriptions.update(subscription.id, await changeTo(plan, subscription.plan_id));
      }),
    cancel: (_, { id, status }) =>
      attempt(async () => {
        const effectiveFrom = status === "past_due" ? "immediately" : "next_billing_period";
        await paddle.subscriptions.cancel(id, { effectiveFrom });
      }),
    resume: (_, { id }) =>
      attempt(async () => {
        await paddle.subscriptions.update(id, { scheduledChange: null });
      }),
    end: (id) =>
      attempt(async () => {
        await paddle.subscriptions.cancel(id, { effectiveFrom: "immediately" });
      }, ["subscription_is_canceled_action_invalid", "not_found"]),
  };
}

/** Calls Paddle and returns failures as values. `ignored` are error codes that mean that nothing is left to do. */
async function attempt<T>(work: () => Promise<T>, ignored: string[] = []): Promise<Result<T>> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Paddle took longer than 10 s")), timeoutMs);
  });
  try {
    return { ok: true, value: await Promise.race([work(), timeout]) };
  } catch (error) {
    if (error instanceof ApiError && ignored.includes(error.code)) return { ok: true, value: undefined as T };
    return { ok: false, failure: failureOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

function failureOf(error: unknown): PaymentFailure {
  if (error instanceof ApiError) {
    const kind = /declined/.test(error.code) ? "declined" : "unavailable";
    return { kind, message: `${error.code}: ${error.detail}` };
  }
  return { kind: "unavailable", message: error instanceof Error ? error.message : String(error) };
}

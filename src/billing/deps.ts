import type { Checkout } from "#contract/billing.ts";
import type { Plan } from "#plans/plans.ts";
import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/encryption/secret-box.ts";
import type { SubscriptionRow } from "#storage/subscriptions.ts";

/** What the billing functions need. */
export type Deps = {
  db: Database;
  queue: Queue;
  secrets: SecretBox;
  baseUrl: string;
  provider: Provider;
  /** Logs for the operator what can't be shown to a user. */
  report: (message: string, details: object) => void;
};

/** A failure at the provider is a value: the user sees it, and nothing has changed. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: PaymentFailure };
export type PaymentFailure = { message: string; kind: "declined" | "unavailable" };

export type Purpose = Checkout["purpose"];

/**
 * The payment provider. The results of these functions arrive as signed events; only those change anything on our side.
 */
export type Provider = {
  name: "paddle" | "sandbox" | "none";
  webhookSecret: string;
  /** Returns what the checkout is opened with. */
  prepare(
    deps: Deps,
    order: { plan: Plan; purpose: Purpose; running: SubscriptionRow | undefined },
  ): Promise<Result<{ priceId: string; dueCents: number | null; paddle: Checkout["paddle"] }>>;
  /** Moves a running subscription to another plan; the difference is charged or credited. */
  change(deps: Deps, subscription: SubscriptionRow, plan: Plan): Promise<Result<void>>;
  /** Cancels at the end of the period, or immediately if the last payment failed. */
  cancel(deps: Deps, subscription: SubscriptionRow): Promise<Result<void>>;
  resume(deps: Deps, subscription: SubscriptionRow): Promise<Result<void>>;
  /** Ends a subscription that has no account any more. */
  end(subscriptionId: string): Promise<Result<void>>;
};

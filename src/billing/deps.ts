import type { Checkout } from "#contract/billing.ts";
import type { Plan } from "#contract/plans.ts";
import type { Queue } from "#queue/queue.ts";
import type { Database } from "#storage/database.ts";
import type { SecretBox } from "#storage/secret-box.ts";
import type { SubscriptionRow } from "#storage/subscriptions.ts";

/** What the billing verbs need. */
export type Deps = {
  db: Database;
  queue: Queue;
  secrets: SecretBox;
  baseUrl: string;
  provider: Provider;
  /** Tells the operator what no user can be told. */
  report: (message: string, details: object) => void;
};

/** The provider failing is a value: it is told to the user and nothing has changed. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: PaymentFailure };
export type PaymentFailure = { message: string; kind: "declined" | "unavailable" };

export type Purpose = Checkout["purpose"];

/**
 * Who takes the money. Whatever these verbs set in motion comes back as signed events; only those change anything on our
 * side.
 */
export type Provider = {
  name: "paddle" | "sandbox" | "none";
  webhookSecret: string;
  /** What the checkout is opened with. */
  prepare(
    deps: Deps,
    order: { plan: Plan; purpose: Purpose; running: SubscriptionRow | undefined },
  ): Promise<Result<{ priceId: string; dueCents: number | null; paddle: Checkout["paddle"] }>>;
  /** Moves a running subscription to another plan; the difference is charged or credited. */
  change(deps: Deps, subscription: SubscriptionRow, plan: Plan): Promise<Result<void>>;
  /** At the end of the period; at once where the last payment failed. */
  cancel(deps: Deps, subscription: SubscriptionRow): Promise<Result<void>>;
  resume(deps: Deps, subscription: SubscriptionRow): Promise<Result<void>>;
  /** Ends a subscription whose account is gone. */
  end(subscriptionId: string): Promise<Result<void>>;
};

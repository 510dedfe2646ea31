import type { ColumnType, Generated } from "kysely";

/** Written as the provider spelled it: its events are ordered by the microsecond, which a Date cannot hold. */
type ExactTime = ColumnType<Date, string, string>;
type Time = ColumnType<Date, Date | string, Date | string>;
type PaidPlanId = "professional" | "ultimate";

/** The tables of migrations 0030 and 0031. */
export type BillingTables = {
  plan_holds: {
    job_id: string;
    status: "ACTIVE" | "DISABLED" | "PAUSED" | "INTERRUPTED" | null;
    frequency_minutes: number | null;
    raised_to: number | null;
  };
  checkouts: {
    token_hash: Buffer;
    account_id: string;
    plan_id: PaidPlanId;
    expires_at: Date;
    subscription_id: string | null;
  };
  subscriptions: {
    id: string;
    account_id: string;
    provider: "paddle" | "sandbox";
    plan_id: PaidPlanId;
    status: "active" | "trialing" | "past_due" | "paused" | "canceled";
    period_ends_at: Time | null;
    ends_at: Time | null;
    past_due_since: Time | null;
    warned_of: Time | null;
    occurred_at: ExactTime;
    event_id: string;
  };
  invoices: {
    id: string;
    account_id: string;
    plan_id: PaidPlanId;
    amount_cents: number;
    currency: string;
    status: "billed" | "paid" | "completed" | "past_due" | "canceled";
    billed_at: ExactTime;
    occurred_at: ExactTime;
    event_id: string;
  };
  billing_events: {
    id: string;
    type: string;
    occurred_at: ExactTime;
    payload: ColumnType<unknown, string, never>;
    received_at: Generated<Date>;
    account_id: string | null;
    applied_at: Date | null;
    outcome: string | null;
    attempts: Generated<number>;
  };
  sandbox_subscriptions: {
    id: string;
    account_id: string;
    plan_id: PaidPlanId;
    status: "active" | "past_due" | "canceled";
    card: string;
    started_at: Date;
    months: number;
    cancels: Generated<boolean>;
    credit_cents: Generated<number>;
    owed_transaction: string | null;
    owed_cents: number | null;
    clock_seconds: Generated<number>;
    last_event_at: Date;
  };
};

import { type Plan, planById } from "#plans/plans.ts";
import type { Database } from "#storage/database.ts";
import {
  listDueSandbox,
  lockSandboxSubscription,
  type SandboxSubscription,
} from "#storage/sandbox-subscriptions.ts";
import type { Deps, Provider, Result } from "../deps.ts";
import { testCards } from "../test-cards.ts";
import { newId, priceId, subscriptionEvent, transactionEvent } from "./sandbox-events.ts";
import { enter, type Send, updateSandbox } from "./update-sandbox.ts";

const success: Result<void> = { ok: true, value: undefined };

/** The built-in provider: it moves no money, but otherwise works like Paddle. */
export function openSandbox(webhookSecret: string): Provider {
  return {
    name: "sandbox",
    webhookSecret,
    async prepare(deps, { plan, purpose, running }) {
      const row = running && (await lockSandboxSubscription(deps.db, running.id));
      const dueCents =
        purpose === "settle" ? (row?.owed_cents ?? 0) : row ? chargeFor(row, plan) : plan.priceCents;
      return { ok: true, value: { priceId: priceId(plan), dueCents, paddle: null } };
    },
    async change(deps, subscription, plan) {
      let result = success;
      await withRow(deps, subscription.id, async (tx, row, send) => {
        if (chargeFor(row, plan) > 0 && row.card !== testCards.pays) {
          result = { ok: false, failure: { kind: "declined", message: "the card on file was declined" } };
        } else await moveToPlan(tx, row, plan, row.card, send);
      });
      return result;
    },
    async cancel(deps, subscription) {
      await withRow(deps, subscription.id, async (tx, row, send) => {
        if (row.status === "past_due") return finish(tx, row, row.now, send);
        const entry = await enter(tx, row, row.now, { cancels: true });
        await send(subscriptionEvent("updated", entry.row, entry.at), entry.at);
      });
      return success;
    },
    async resume(deps, subscription) {
      await withRow(deps, subscription.id, async (tx, row, send) => {
        const entry = await enter(tx, row, row.now, { cancels: false });
        await send(subscriptionEvent("updated", entry.row, entry.at), entry.at);
      });
      return success;
    },
    // The account's rows are deleted, and the sandbox's rows with them.
    end: async () => success,
  };
}

const dunningDays = 30;

/** Renews, ends or declines the subscriptions that are due by their own clocks. */
export async function renewDueSandbox(deps: Deps): Promise<void> {
  for (const id of await listDueSandbox(deps.db, dunningDays)) {
    await withRow(deps, id, async (tx, first, send) => {
      let row = first;
      for (let step = nextStep(row); step; step = nextStep(row)) row = await step(tx, row, send);
    });
  }
}

type Step = (tx: Database, row: SandboxSubscription, send: Send) => Promise<SandboxSubscription>;

function nextStep(row: SandboxSubscription): Step | undefined {
  if (row.status === "past_due") {
    const end = new Date(row.period_starts_at.getTime() + dunningDays * 86_400_000);
    return end <= row.now ? (tx, open, send) => finish(tx, open, end, send) : undefined;
  }
  if (row.status === "canceled" || row.period_ends_at > row.now) return undefined;
  return row.cancels ? (tx, ending, send) => finish(tx, ending, ending.period_ends_at, send) : renew;
}

async function finish(
  tx: Database,
  row: SandboxSubscription,
  at: Date,
  send: Send,
): Promise<SandboxSubscription> {
  const entry = await enter(tx, row, at, { status: "canceled" });
  await send(subscriptionEvent("canceled", entry.row, entry.at), entry.at);
  return entry.row;
}

async function renew(tx: Database, row: SandboxSubscription, send: Send): Promise<SandboxSubscription> {
  const price = planById(row.plan_id).priceCents;
  const cents = Math.max(0, price - row.credit_cents);
  const id = newId("txn", row.period_ends_at);
  const isPaid = cents === 0 || row.card === testCards.pays;
  const entry = await enter(tx, row, row.period_ends_at, {
    months: row.months + 1,
    credit_cents: row.credit_cents - (price - cents),
    ...(isPaid ? {} : { status: "past_due", owed_transaction: id, owed_cents: cents }),
  });
  const { at } = entry;
  await send(transactionEvent(isPaid ? "completed" : "past_due", entry.row, { id, cents, at }), at);
  await send(subscriptionEvent(isPaid ? "updated" : "past_due", entry.row, at), at);
  return entry.row;
}

/** What a change of plan costs now: the price difference for the remaining days, less credit; 0 for a cheaper plan. */
function chargeFor(row: SandboxSubscription, plan: Plan): number {
  return Math.max(0, difference(row, plan) - row.credit_cents);
}

function difference(row: SandboxSubscription, plan: Plan): number {
  const total = row.period_ends_at.getTime() - row.period_starts_at.getTime();
  const left = Math.max(0, row.period_ends_at.getTime() - row.now.getTime());
  return Math.round(((plan.priceCents - planById(row.plan_id).priceCents) * left) / total);
}

/** Moves a subscription to another plan. The difference is charged, or stored as credit for the next bills. */
export async function moveToPlan(
  tx: Database,
  row: SandboxSubscription,
  plan: Plan,
  card: string,
  send: Send,
  token?: string,
): Promise<void> {
  const cents = chargeFor(row, plan);
  const credit = row.credit_cents + cents - difference(row, plan);
  const planId = plan.id === "ultimate" ? "ultimate" : "professional";
  const changes = { plan_id: planId, card, cancels: false, credit_cents: credit } as const;
  const entry = await enter(tx, row, row.now, changes);
  const { at } = entry;
  if (cents > 0) {
    await send(transactionEvent("completed", entry.row, { id: newId("txn", at), cents, at, token }), at);
  }
  await send(subscriptionEvent("updated", entry.row, at, token), at);
}

/** Pays the amount that a failed renewal left open. */
export async function payOwedAmount(
  tx: Database,
  row: SandboxSubscription,
  card: string,
  send: Send,
): Promise<void> {
  const entry = await enter(tx, row, row.now, {
    status: "active",
    card,
    owed_transaction: null,
    owed_cents: null,
  });
  const { at } = entry;
  const payment = { id: row.owed_transaction ?? newId("txn", at), cents: row.owed_cents ?? 0, at };
  await send(transactionEvent("completed", entry.row, payment), at);
  await send(subscriptionEvent("updated", entry.row, at), at);
}

async function withRow(
  deps: Deps,
  id: string,
  work: (tx: Database, row: SandboxSubscription, send: Send) => Promise<unknown>,
): Promise<void> {
  await updateSandbox(deps, async (tx, send) => {
    const row = await lockSandboxSubscription(tx, id);
    if (row && row.status !== "canceled") await work(tx, row, send);
  });
}

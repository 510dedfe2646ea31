import { Webhooks } from "@paddle/paddle-node-sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { runBillingClock } from "#billing/billing-clock.ts";
import { testCards } from "#billing/test-cards.ts";
import { type SharedApp, sharedApp } from "../testing/test-app.ts";

let t: SharedApp;
beforeAll(async () => {
  t = await sharedApp();
});

type Person = Awaited<ReturnType<SharedApp["addAccount"]>>;

const get = async (person: Person, path: string) =>
  (await t.call("GET", path, undefined, { token: person.token })).body;
const post = (person: Person, path: string, body?: object) =>
  t.call("POST", `/api/payment/${path}`, body, { token: person.token });
const prepare = async (person: Person, plan: string) =>
  t.call("GET", `/api/payment/prepare/${plan}`, undefined, { token: person.token });
const planOf = async (person: Person) => String((await get(person, "/api/me")).planId);
const subscriptionOf = async (person: Person) =>
  (await get(person, "/api/payment/subscription")).subscription as unknown as Record<string, string> | null;
const invoicesOf = async (person: Person) =>
  (await get(person, "/api/payment/billing")) as unknown as {
    amount: number;
    status: string;
    createdAt: string;
  }[];
const outcome = (answer: { status: number; body: Record<string, never> }) => [
  answer.status,
  answer.body.code,
];

async function pay(person: Person, plan: string, card?: string) {
  const { body } = await prepare(person, plan);
  return post(person, "sandbox/complete", { token: body.token, ...(card ? { card } : {}) });
}
const advance = (person: Person, days: number) => post(person, "sandbox/advance", { days });

async function subscriber(plan = "professional", card?: string) {
  const person = await t.addAccount();
  expect(outcome(await pay(person, plan, card))).toEqual([200, "PAYMENT_COMPLETED"]);
  return person;
}

describe("plans and prepare", () => {
  it("plans have the specified shape, with the current one marked", async () => {
    const person = await t.addAccount();
    const plans = (await get(person, "/api/payment/plans")) as unknown as Record<string, unknown>[];
    expect(plans.map(({ id, name, price, current }) => ({ id, name, price, current }))).toEqual([
      { id: "basic", name: "Basic", price: 0, current: true },
      { id: "professional", name: "Professional", price: 9, current: false },
      { id: "ultimate", name: "Ultimate", price: 19, current: false },
    ]);
    expect(plans[0]?.features).toBe(
      "1 group*4 jobs*Checks every 60 minutes or slower*Whole sites of up to 200 pages*1 HTTP trigger*Screenshots and HTML diff*Steps before the capture*Email alerts*History kept for 30 days",
    );
    expect(plans[0]?.description).toBe("For trying it out and for a handful of pages.");
  });

  it("prepare returns a token and the price and changes nothing", async () => {
    const person = await t.addAccount();
    const answer = await prepare(person, "professional");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      code: "PAYMENT_PREPARE_ACCEPTED",
      message: "The checkout for the Professional plan is ready.",
      token: expect.stringMatching(/^[\w-]{43}$/),
      subscriptionId: "pri_sandbox_professional",
      checkout: {
        provider: "sandbox",
        purpose: "subscribe",
        email: person.email,
        dueCents: 900,
        paddle: null,
      },
    });
    expect(await planOf(person)).toBe("basic");
    expect(await subscriptionOf(person)).toBeNull();
    expect(await invoicesOf(person)).toEqual([]);
  });

  it("prepare refuses the current plan, the free plan and unknown plans with a reason", async () => {
    const person = await subscriber("professional");
    const answers = await Promise.all(
      ["professional", "basic", "gold", "constructor", "x".repeat(41)].map((plan) => prepare(person, plan)),
    );
    expect(answers.map((answer) => [answer.status, answer.body.code, answer.body.message])).toEqual([
      [409, "PAYMENT_ALREADY_ON_PLAN", "You are already on the Professional plan."],
      [400, "PAYMENT_FREE_PLAN", "The Basic plan is free: there is nothing to pay."],
      [404, "PAYMENT_UNKNOWN_PLAN", "There is no such plan."],
      [404, "PAYMENT_UNKNOWN_PLAN", "There is no such plan."],
      [404, "PAYMENT_UNKNOWN_PLAN", "There is no such plan."],
    ]);
  });
});

describe("the built-in checkout", () => {
  it("takes the payment with the same kinds of events as Paddle's", async () => {
    const person = await subscriber("professional");
    expect(await planOf(person)).toBe("professional");
    expect(await subscriptionOf(person)).toMatchObject({ status: "active", endsAt: null });
    expect(await invoicesOf(person)).toMatchObject([
      { amount: 9, currency: "USD", status: "completed", plan: { name: "Professional" } },
    ]);
    const account = await get(person, "/api/me");
    const events = await t.app.db
      .selectFrom("billing_events")
      .select(["type", "payload"])
      .where("account_id", "=", String(account.id))
      .orderBy("type")
      .execute();
    expect(events.map((event) => event.type)).toEqual(["subscription.created", "transaction.completed"]);
    const parsedEvents = events.map((event) => Webhooks.fromJson(event.payload as never));
    expect(parsedEvents.map((event) => event?.constructor.name)).toEqual([
      "SubscriptionCreatedEvent",
      "TransactionCompletedEvent",
    ]);
    expect(parsedEvents[0]?.data).toMatchObject({
      status: "active",
      billingCycle: { interval: "month", frequency: 1 },
    });
  });

  it("a declined card changes nothing, and the token still works with another card", async () => {
    const person = await t.addAccount();
    const { token } = (await prepare(person, "professional")).body;
    const declined = await post(person, "sandbox/complete", { token, card: testCards.declined });
    expect([declined.status, declined.body.code, declined.body.message]).toEqual([
      402,
      "PAYMENT_DECLINED",
      "The card was declined. Nothing was charged.",
    ]);
    expect([await planOf(person), await invoicesOf(person)]).toEqual(["basic", []]);
    expect((await post(person, "sandbox/complete", { token })).status).toBe(200);
    expect(await planOf(person)).toBe("professional");
  });

  it("refuses real card numbers", async () => {
    const person = await t.addAccount();
    const { token } = (await prepare(person, "professional")).body;
    const answer = await post(person, "sandbox/complete", { token, card: "4111111111111111" });
    expect([answer.status, answer.body.message]).toEqual([400, "Card is not one of the test cards."]);
  });

  it("a token pays only once, also with concurrent calls", async () => {
    const person = await t.addAccount();
    const { token } = (await prepare(person, "professional")).body;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post(person, "sandbox/complete", { token })),
    );
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200, 400, 400, 400, 400,
    ]);
    expect(await invoicesOf(person)).toHaveLength(1);
  });

  it("two tokens used at once create one subscription", async () => {
    const person = await t.addAccount();
    const tokens = [
      (await prepare(person, "professional")).body.token,
      (await prepare(person, "ultimate")).body.token,
    ];
    const answers = await Promise.all(tokens.map((token) => post(person, "sandbox/complete", { token })));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    const rows = await t.app.db
      .selectFrom("subscriptions")
      .select("id")
      .where("account_id", "=", String((await get(person, "/api/me")).id))
      .execute();
    expect(rows).toHaveLength(1);
  });

  it("a token is refused from another account, after an hour and when it is made up", async () => {
    const [person, thief] = [await t.addAccount(), await t.addAccount()];
    const { token } = (await prepare(person, "ultimate")).body;
    expect(outcome(await post(thief, "sandbox/complete", { token }))).toEqual([400, "PAYMENT_TOKEN_INVALID"]);
    expect(await planOf(thief)).toBe("basic");
    expect(outcome(await post(person, "sandbox/complete", { token: "made-up" }))).toEqual([
      400,
      "PAYMENT_TOKEN_INVALID",
    ]);
    await t.app.db
      .updateTable("checkouts")
      .set({ expires_at: new Date() })
      .where("subscription_id", "is", null)
      .execute();
    expect(outcome(await post(person, "sandbox/complete", { token }))).toEqual([
      400,
      "PAYMENT_TOKEN_INVALID",
    ]);
    expect(await planOf(person)).toBe("basic");
  });

  it("N4 forged sandbox events are refused", async () => {
    const body = JSON.stringify({
      event_id: "e",
      event_type: "x",
      occurred_at: new Date().toISOString(),
      data: {},
    });
    const answer = await t.call("POST", "/api/payment/webhook", body, {
      headers: {
        "content-type": "application/json",
        "paddle-signature": `ts=${Math.floor(Date.now() / 1000)};h1=${"0".repeat(64)}`,
      },
    });
    expect(answer.status).toBe(401);
  });

  it("A4 another site's page can neither pay nor cancel", async () => {
    const person = await subscriber("professional");
    for (const path of ["cancel", "resume", "change", "sandbox/complete"]) {
      const answer = await t.call(
        "POST",
        `/api/payment/${path}`,
        { token: "x" },
        {
          cookie: person.token,
          headers: { origin: "https://evil.example" },
        },
      );
      expect([path, ...outcome(answer)]).toEqual([path, 403, "FORBIDDEN_ORIGIN"]);
    }
    expect(await subscriptionOf(person)).toMatchObject({ endsAt: null });
  });
});

describe("the lifecycle", () => {
  it("a subscription renews every month on the day it began", async () => {
    const person = await subscriber("ultimate");
    const first = await subscriptionOf(person);
    await advance(person, 20);
    expect(await invoicesOf(person)).toHaveLength(1);
    await advance(person, 12);
    expect((await invoicesOf(person)).map((bill) => [bill.amount, bill.status])).toEqual([
      [19, "completed"],
      [19, "completed"],
    ]);
    expect((await invoicesOf(person))[0]?.createdAt).toBe(first?.renewsAt);
    const next = await subscriptionOf(person);
    expect(Date.parse(next?.renewsAt ?? "")).toBeGreaterThan(Date.parse(first?.renewsAt ?? ""));
    expect(await planOf(person)).toBe("ultimate");
  });

  it("a subscription from the 31st renews on the last day of shorter months, then on the 31st again", async () => {
    const person = await subscriber("professional");
    await t.app.db
      .updateTable("sandbox_subscriptions")
      .set({
        started_at: new Date("2027-01-31T12:00:00Z"),
        clock_seconds: Math.ceil((Date.parse("2027-01-31T12:00:00Z") - Date.now()) / 1000),
      })
      .where("account_id", "=", String((await get(person, "/api/me")).id))
      .execute();
    const ends = [];
    for (const days of [29, 31, 30]) {
      await advance(person, days);
      ends.push((await subscriptionOf(person))?.renewsAt);
    }
    expect(ends).toEqual([
      "2027-03-31T12:00:00.000Z",
      "2027-04-30T12:00:00.000Z",
      "2027-05-31T12:00:00.000Z",
    ]);
  });

  it("each missed month is billed exactly once", async () => {
    const person = await subscriber("professional");
    await Promise.all([advance(person, 95), runBillingClock(t.app.billing), runBillingClock(t.app.billing)]);
    await runBillingClock(t.app.billing);
    expect(await invoicesOf(person)).toHaveLength(4);
  });

  it("cancel keeps the plan until the period ends, then moves to Basic, with mails before and after", async () => {
    const person = await subscriber("professional");
    const renewsAt = (await subscriptionOf(person))?.renewsAt;
    expect(outcome(await post(person, "cancel"))).toEqual([200, "PAYMENT_CANCEL_ACCEPTED"]);
    expect(await subscriptionOf(person)).toMatchObject({ renewsAt: null, endsAt: renewsAt });
    expect(await planOf(person)).toBe("professional");
    // The mail that greets the plan may be sent after it.
    await expect
      .poll(async () => (await t.mailsTo(person.email)).map(({ subject }) => subject))
      .toContainEqual(expect.stringMatching(/^Your Professional plan ends on /));
    await t.mailTo(person.email, 2);
    expect(outcome(await post(person, "cancel"))).toEqual([409, "CONFLICT"]);
    await advance(person, 20);
    expect(await t.countMailsTo(person.email)).toBe(2);
    await advance(person, 8);
    expect((await t.mailTo(person.email, 3)).text).toContain("You canceled it; you can still undo that.");
    expect(await planOf(person)).toBe("professional");
    await advance(person, 4);
    expect(await planOf(person)).toBe("basic");
    expect(await subscriptionOf(person)).toBeNull();
    expect((await t.mailTo(person.email, 4)).subject).toBe("You are on the Basic plan now");
    expect(await invoicesOf(person)).toHaveLength(1);
    expect(outcome(await advance(person, 40))).toEqual([409, "NO_SUBSCRIPTION"]);
  });

  it("resume undoes the cancellation", async () => {
    const person = await subscriber("professional");
    expect(outcome(await post(person, "resume"))).toEqual([409, "CONFLICT"]);
    await post(person, "cancel");
    expect(outcome(await post(person, "resume"))).toEqual([200, "PAYMENT_RESUME_ACCEPTED"]);
    await advance(person, 32);
    expect(await planOf(person)).toBe("professional");
    expect(await invoicesOf(person)).toHaveLength(2);
  });

  it("a card that stops paying leads to grace and then Basic, and paying restores the plan", async () => {
    const person = await subscriber("professional", testCards.paysOnce);
    await advance(person, 32);
    expect(await invoicesOf(person)).toMatchObject([{ status: "past_due" }, { status: "completed" }]);
    expect(await subscriptionOf(person)).toMatchObject({ status: "past_due", renewsAt: null });
    expect(await planOf(person)).toBe("professional");
    expect((await t.mailTo(person.email, 2)).subject).toBe("The payment for your Professional plan failed");
    expect(outcome(await prepare(person, "ultimate"))).toEqual([409, "CONFLICT"]);
    await advance(person, 9);
    expect(await planOf(person)).toBe("basic");
    const { body } = await prepare(person, "professional");
    expect(body.checkout).toMatchObject({ purpose: "settle", dueCents: 900 });
    expect((await post(person, "sandbox/complete", { token: body.token })).status).toBe(200);
    expect(await planOf(person)).toBe("professional");
    expect(await invoicesOf(person)).toMatchObject([{ status: "completed" }, { status: "completed" }]);
    expect(await invoicesOf(person)).toHaveLength(2);
  });

  it("an unpaid subscription ends after thirty days, and a new one can begin", async () => {
    const person = await subscriber("professional", testCards.paysOnce);
    await advance(person, 65);
    expect(await subscriptionOf(person)).toBeNull();
    expect(await planOf(person)).toBe("basic");
    expect((await pay(person, "ultimate")).status).toBe(200);
    expect(await planOf(person)).toBe("ultimate");
    expect(await invoicesOf(person)).toMatchObject([{ amount: 19 }, { status: "past_due" }, { amount: 9 }]);
  });

  it("canceling an unpaid subscription ends it at once", async () => {
    const person = await subscriber("professional", testCards.paysOnce);
    await advance(person, 32);
    await post(person, "cancel");
    expect([await planOf(person), await subscriptionOf(person)]).toEqual(["basic", null]);
  });

  it("an upgrade costs its share of the days left, and a downgrade is credited on the next bills", async () => {
    const person = await subscriber("professional");
    const account = String((await get(person, "/api/me")).id);
    await t.app.db
      .updateTable("sandbox_subscriptions")
      .set({
        started_at: new Date("2027-04-01T00:00:00Z"),
        clock_seconds: Math.round((Date.parse("2027-04-16T00:00:00Z") - Date.now()) / 1000),
      })
      .where("account_id", "=", account)
      .execute();
    const upgrade = (await prepare(person, "ultimate")).body;
    expect(upgrade.checkout).toMatchObject({ purpose: "change", dueCents: 500 });
    expect(outcome(await post(person, "change", { token: upgrade.token }))).toEqual([
      200,
      "PAYMENT_CHANGE_ACCEPTED",
    ]);
    expect(await planOf(person)).toBe("ultimate");
    expect(await invoicesOf(person)).toMatchObject([
      { amount: 5, plan: { name: "Ultimate" } },
      { amount: 9 },
    ]);
    expect(outcome(await post(person, "change", { token: upgrade.token }))).toEqual([
      400,
      "PAYMENT_TOKEN_INVALID",
    ]);

    const downgrade = (await prepare(person, "professional")).body;
    expect(downgrade.checkout).toMatchObject({ purpose: "change", dueCents: 0 });
    expect((await post(person, "sandbox/complete", { token: downgrade.token })).status).toBe(200);
    expect(await planOf(person)).toBe("professional");
    expect(await invoicesOf(person)).toHaveLength(2);
    await advance(person, 16);
    expect((await invoicesOf(person))[0]).toMatchObject({ amount: 4, status: "completed" });
    await advance(person, 31);
    expect((await invoicesOf(person))[0]).toMatchObject({ amount: 9 });
  });

  it("a plan change on a card that stopped paying declined and changes nothing", async () => {
    const person = await subscriber("professional", testCards.paysOnce);
    const { token } = (await prepare(person, "ultimate")).body;
    expect(outcome(await post(person, "change", { token }))).toEqual([402, "PAYMENT_DECLINED"]);
    expect(await planOf(person)).toBe("professional");
  });

  it("a plan change undoes a cancellation", async () => {
    const person = await subscriber("professional");
    await post(person, "cancel");
    await pay(person, "ultimate");
    expect(await planOf(person)).toBe("ultimate");
    expect(await subscriptionOf(person)).toMatchObject({ endsAt: null });
  });
});

describe("other accounts and account deletion", () => {
  it("Z2 each user sees only their own bills", async () => {
    const [person, stranger] = [await subscriber("professional"), await t.addAccount()];
    expect(await invoicesOf(person)).toHaveLength(1);
    expect(await invoicesOf(stranger)).toEqual([]);
    expect(await subscriptionOf(stranger)).toBeNull();
    expect(outcome(await advance(stranger, 40))).toEqual([409, "NO_SUBSCRIPTION"]);
    expect(await invoicesOf(person)).toHaveLength(1);
  });

  it("D3 no billing data remains of a deleted account", async () => {
    const person = await subscriber("professional");
    await post(person, "cancel");
    const id = String((await get(person, "/api/me")).id);
    expect(
      (await t.call("DELETE", "/api/me", { password: person.password }, { token: person.token })).status,
    ).toBe(200);
    for (const table of [
      "checkouts",
      "subscriptions",
      "invoices",
      "billing_events",
      "sandbox_subscriptions",
    ] as const) {
      const rows = await t.app.db
        .selectFrom(table)
        .select("account_id")
        .where("account_id", "=", id)
        .execute();
      expect([table, rows]).toEqual([table, []]);
    }
    await runBillingClock(t.app.billing);
  });

  it("a sandbox subscription from before Paddle was set up ends with its period", async () => {
    const person = await subscriber("professional");
    const deps = { ...t.app.billing, provider: { ...t.app.billing.provider, name: "paddle" as const } };
    await runBillingClock(deps);
    expect(await planOf(person)).toBe("professional");
    await t.app.db
      .updateTable("subscriptions")
      .set({ period_ends_at: new Date() })
      .where("account_id", "=", String((await get(person, "/api/me")).id))
      .execute();
    await runBillingClock(deps);
    expect(await planOf(person)).toBe("basic");
  });
});

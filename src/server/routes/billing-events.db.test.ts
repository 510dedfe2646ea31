import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBillingClock } from "#billing/billing-clock.ts";
import { signLikePaddle, subscriptionEvent, transactionEvent } from "#billing/testing/paddle-events.ts";
import { startPaddleApp } from "../testing/paddle-app.ts";
import type { TestApp } from "../testing/test-app.ts";

const secret = "pdl_ntfset_01_marked_webhook_secret";
let t: TestApp;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ t, close } = await startPaddleApp(secret));
});
afterAll(() => close());

type Person = Awaited<ReturnType<TestApp["addAccount"]>>;
type Event = Record<string, unknown>;

const post = (body: string, signature: string | undefined) =>
  t.call("POST", "/api/payment/webhook", body, {
    headers: {
      "content-type": "application/json",
      ...(signature === undefined ? {} : { "paddle-signature": signature }),
    },
  });
const send = (event: Event) => {
  const body = JSON.stringify(event);
  return post(body, signLikePaddle(body, secret));
};
const get = async (person: Person, path: string) =>
  (await t.call("GET", path, undefined, { token: person.token })).body;
const planOf = async (person: Person) => String((await get(person, "/api/me")).planId);
const stateOf = (person: Person) => get(person, "/api/payment/subscription");
const outcomeOf = async (event: Event) => {
  const row = await t.app.db
    .selectFrom("billing_events")
    .select("outcome")
    .where("id", "=", String(event.event_id))
    .executeTakeFirst();
  return row?.outcome;
};
const tokenOf = async (person: Person, plan = "professional") =>
  String((await get(person, `/api/payment/prepare/${plan}`)).token);

let number = 0;
/** The time so many minutes ago, with microseconds. */
const ago = (minutes: number, micros = "000") =>
  new Date(Date.now() - minutes * 60_000).toISOString().replace("Z", `${micros}Z`);

/** A new account with a subscription. */
async function subscriber(plan = "professional", at = ago(30)) {
  const person = await t.addAccount();
  const id = `sub_${++number}`;
  const token = await tokenOf(person, plan);
  const created = subscriptionEvent("created", { id, plan, custom_data: { token } }, at);
  expect((await send(created)).status).toBe(200);
  return { person, id, token, created };
}

describe("events", () => {
  it("subscription.created sets the plan and mails the user", async () => {
    const person = await t.addAccount();
    const token = await tokenOf(person);
    expect(await planOf(person)).toBe("basic");
    const answer = await send(
      subscriptionEvent("created", { id: "sub_first", plan: "professional", custom_data: { token } }, ago(1)),
    );
    expect([answer.status, answer.body.code]).toEqual([200, "EVENT_KEPT"]);
    expect(await planOf(person)).toBe("professional");
    expect((await stateOf(person)).subscription).toEqual({
      planId: "professional",
      status: "active",
      renewsAt: "2099-12-01T00:00:00.000Z",
      endsAt: null,
    });
    const mail = await t.mailTo(person.email);
    expect(mail.subject).toBe("You are on the Professional plan");
    expect(mail.text).toContain("for 9$ a month until you cancel");
  });

  it("subscription.updated changes the plan and its period", async () => {
    const { person, id } = await subscriber();
    const period = { starts_at: "2026-12-01T00:00:00Z", ends_at: "2099-01-01T00:00:00Z" };
    await send(
      subscriptionEvent("updated", { id, plan: "ultimate", current_billing_period: period }, ago(20)),
    );
    expect(await planOf(person)).toBe("ultimate");
    expect((await stateOf(person)).subscription).toMatchObject({ renewsAt: "2099-01-01T00:00:00.000Z" });
  });

  it("a scheduled cancellation keeps the plan until the period ends; undone, the plan renews", async () => {
    const { person, id } = await subscriber();
    const change = { action: "cancel", effective_at: "2099-12-01T00:00:00Z", resume_at: null };
    await send(subscriptionEvent("updated", { id, plan: "professional", scheduled_change: change }, ago(20)));
    expect(await planOf(person)).toBe("professional");
    expect((await stateOf(person)).subscription).toMatchObject({
      renewsAt: null,
      endsAt: "2099-12-01T00:00:00.000Z",
    });
    const mail = await t.mailTo(person.email, 2);
    expect(mail.subject).toBe("Your Professional plan ends on December 1, 2099");
    expect(mail.text).toMatch(/Telegram, Discord, .+ and .+ alerts are paused, email alerts continue/);
    expect(mail.text).toContain("Nothing is deleted");
    await send(subscriptionEvent("updated", { id, plan: "professional" }, ago(19)));
    expect((await stateOf(person)).subscription).toMatchObject({
      renewsAt: "2099-12-01T00:00:00.000Z",
      endsAt: null,
    });
    expect((await t.mailTo(person.email, 3)).subject).toBe("Your Professional plan continues");
  });

  it("a pause scheduled by Paddle is not treated as a cancellation", async () => {
    const { person, id } = await subscriber();
    const change = { action: "pause", effective_at: "2099-12-01T00:00:00Z", resume_at: null };
    await send(subscriptionEvent("updated", { id, plan: "professional", scheduled_change: change }, ago(20)));
    expect((await stateOf(person)).subscription).toMatchObject({ endsAt: null });
  });

  it("subscription.canceled moves the account to Basic and mails the user", async () => {
    const { person, id } = await subscriber();
    await send(
      subscriptionEvent(
        "canceled",
        { id, plan: "professional", status: "canceled", canceled_at: ago(20), current_billing_period: null },
        ago(20),
      ),
    );
    expect(await planOf(person)).toBe("basic");
    expect((await stateOf(person)).subscription).toBeNull();
    expect((await t.mailTo(person.email, 2)).subject).toBe("You are on the Basic plan now");
  });

  it("subscription.past_due gives seven days of grace, with mails before and after they end", async () => {
    const { person, id } = await subscriber();
    const since = new Date(Date.now() - 60_000);
    await send(
      subscriptionEvent("past_due", { id, plan: "professional", status: "past_due" }, since.toISOString()),
    );
    const end = new Date(since.getTime() + 7 * 86_400_000).toISOString();
    expect(await planOf(person)).toBe("professional");
    expect((await stateOf(person)).subscription).toMatchObject({ status: "past_due", endsAt: end });
    expect((await t.mailTo(person.email, 2)).subject).toBe("The payment for your Professional plan failed");

    const shift = (days: number) =>
      t.app.db
        .updateTable("subscriptions")
        .set({ past_due_since: new Date(since.getTime() - days * 86_400_000) })
        .where("id", "=", id)
        .execute();
    await shift(3);
    await runBillingClock(t.app.billing);
    expect(await t.countMailsTo(person.email)).toBe(2);
    await shift(5);
    await runBillingClock(t.app.billing);
    await runBillingClock(t.app.billing);
    const warning = await t.mailTo(person.email, 3);
    expect(warning.subject).toMatch(/^Your Professional plan ends on /);
    expect(warning.text).toContain("still open; pay it to keep the plan");
    expect(await planOf(person)).toBe("professional");
    await shift(7);
    await runBillingClock(t.app.billing);
    await runBillingClock(t.app.billing);
    expect(await planOf(person)).toBe("basic");
    expect((await t.mailTo(person.email, 4)).subject).toBe("You are on the Basic plan now");

    await send(subscriptionEvent("updated", { id, plan: "professional" }, new Date().toISOString()));
    expect(await planOf(person)).toBe("professional");
    expect((await t.mailTo(person.email, 5)).subject).toBe("You are on the Professional plan");
    expect(await t.countMailsTo(person.email)).toBe(5);
  });

  it("a payment within the grace period changes only the state", async () => {
    const { person, id } = await subscriber();
    await send(subscriptionEvent("past_due", { id, plan: "professional", status: "past_due" }, ago(20)));
    await send(subscriptionEvent("updated", { id, plan: "professional" }, ago(10)));
    expect((await stateOf(person)).subscription).toMatchObject({ status: "active", endsAt: null });
    expect((await t.mailTo(person.email, 3)).subject).toBe("The payment for your Professional plan arrived");
  });

  it("transaction.completed stores a bill in cents and changes no plan", async () => {
    const { person, id } = await subscriber();
    const bill = { id: "txn_a", subscription_id: id, plan: "ultimate", cents: "1935" };
    await send(transactionEvent("completed", bill, "2026-11-02T10:00:00.000Z"));
    expect(await planOf(person)).toBe("professional");
    expect(await get(person, "/api/payment/billing")).toEqual([
      {
        id: "txn_a",
        amount: 19.35,
        currency: "USD",
        status: "completed",
        createdAt: "2026-11-02T10:00:00.000Z",
        plan: { name: "Ultimate" },
      },
    ]);
    const row = await t.app.db
      .selectFrom("invoices")
      .selectAll()
      .where("id", "=", "txn_a")
      .executeTakeFirst();
    expect(row?.amount_cents).toBe(1935);
  });

  it("a past-due bill becomes a paid one instead of a second bill", async () => {
    const { person, id } = await subscriber();
    const bill = { id: "txn_late", subscription_id: id, plan: "professional", cents: "900" };
    await send(transactionEvent("past_due", bill, ago(10)));
    expect(await get(person, "/api/payment/billing")).toMatchObject([{ status: "past_due" }]);
    await send(transactionEvent("completed", bill, ago(5)));
    expect(await get(person, "/api/payment/billing")).toMatchObject([
      { id: "txn_late", status: "completed" },
    ]);
  });

  it("other events are stored and change nothing", async () => {
    for (const type of ["customer.updated", "transaction.ready", "price.created"]) {
      const event = {
        event_id: `evt_${type}`,
        event_type: type,
        occurred_at: ago(1),
        data: { status: "ready" },
      };
      expect((await send(event)).status).toBe(200);
      expect(await outcomeOf(event)).toBe("nothing to us");
    }
  });
});

describe("N4 events out of order", () => {
  it("an older event never overwrites a newer one", async () => {
    const { person, id } = await subscriber("professional", ago(30));
    await send(subscriptionEvent("updated", { id, plan: "ultimate" }, ago(10)));
    const late = subscriptionEvent("updated", { id, plan: "professional" }, ago(20));
    expect((await send(late)).status).toBe(200);
    expect(await planOf(person)).toBe("ultimate");
    expect(await outcomeOf(late)).toBe("older than what is known");
  });

  it("events are ordered by microsecond, then by id", async () => {
    const { person, id } = await subscriber("professional", ago(30));
    const at = "2026-11-15T10:00:00.123";
    await t.app.db
      .updateTable("subscriptions")
      .set({ occurred_at: `${at}000Z` })
      .where("id", "=", id)
      .execute();
    await send(subscriptionEvent("updated", { id, plan: "ultimate" }, `${at}457Z`));
    await send(subscriptionEvent("updated", { id, plan: "professional" }, `${at}456Z`));
    expect(await planOf(person)).toBe("ultimate");
    const simultaneous = (event_id: string, plan: string) => ({
      ...subscriptionEvent("updated", { id, plan }, `${at}458Z`),
      event_id,
    });
    await send(simultaneous(`evt_b_${id}`, "ultimate"));
    await send(simultaneous(`evt_a_${id}`, "professional"));
    expect(await planOf(person)).toBe("ultimate");
    await send(simultaneous(`evt_c_${id}`, "professional"));
    expect(await planOf(person)).toBe("professional");
  });

  it("a cancellation that arrives before the creation stays a cancellation", async () => {
    const person = await t.addAccount();
    const custom_data = { token: await tokenOf(person) };
    const subscription = { id: "sub_overtaken", plan: "professional", custom_data };
    await send(subscriptionEvent("canceled", { ...subscription, status: "canceled" }, ago(5)));
    await send(subscriptionEvent("created", subscription, ago(10)));
    expect(await planOf(person)).toBe("basic");
  });

  it("a bill that arrives before its subscription is matched by the token, and so is the subscription", async () => {
    const person = await t.addAccount();
    const custom_data = { token: await tokenOf(person) };
    const bill = {
      id: "txn_early",
      subscription_id: "sub_late",
      plan: "professional",
      cents: "900",
      custom_data,
    };
    await send(transactionEvent("completed", bill, ago(5)));
    expect(await planOf(person)).toBe("basic");
    expect(await get(person, "/api/payment/billing")).toMatchObject([{ id: "txn_early", amount: 9 }]);
    await send(subscriptionEvent("created", { id: "sub_late", plan: "professional", custom_data }, ago(6)));
    expect(await planOf(person)).toBe("professional");
  });

  it("of ten concurrent events of one subscription the newest decides", async () => {
    const { person, id } = await subscriber("professional", ago(60));
    const events = Array.from({ length: 10 }, (_, i) =>
      subscriptionEvent("updated", { id, plan: i % 2 ? "ultimate" : "professional" }, ago(50 - i)),
    );
    const answers = await Promise.all(events.toSorted(() => 0.5 - Math.random()).map(send));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(await planOf(person)).toBe("ultimate");
  });
});

describe("N4 events repeated", () => {
  it("the same event sent twenty times in parallel is stored once and sends one mail", async () => {
    const person = await t.addAccount();
    const custom_data = { token: await tokenOf(person) };
    const event = subscriptionEvent(
      "created",
      { id: "sub_often", plan: "professional", custom_data },
      ago(1),
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(event)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    const stored = await t.app.db
      .selectFrom("billing_events")
      .select("id")
      .where("id", "=", String(event.event_id))
      .execute();
    expect(stored).toHaveLength(1);
    await t.mailTo(person.email);
    expect(await t.countMailsTo(person.email)).toBe(1);
  });

  it("only the first event with an id counts", async () => {
    const { person, id } = await subscriber();
    const event = subscriptionEvent("updated", { id, plan: "professional" }, ago(10));
    await send(event);
    const other = subscriptionEvent("updated", { id, plan: "ultimate" }, ago(5));
    await send({ ...other, event_id: event.event_id });
    expect(await planOf(person)).toBe("professional");
  });
});

describe("N4 events forged", () => {
  it.each([
    ["no signature", undefined],
    ["another secret", (body: string) => signLikePaddle(body, "guess")],
    ["another body", () => signLikePaddle("{}", secret)],
    [
      "a signature 301 s old",
      (body: string) => signLikePaddle(body, secret, Math.floor(Date.now() / 1000) - 301),
    ],
    [
      "a signature from the future",
      (body: string) => signLikePaddle(body, secret, Math.floor(Date.now() / 1000) + 310),
    ],
  ])("%s: the event is refused and not stored", async (_, sign) => {
    const person = await t.addAccount();
    const custom_data = { token: await tokenOf(person) };
    const event = subscriptionEvent("created", { id: "sub_forged", plan: "ultimate", custom_data }, ago(1));
    const body = JSON.stringify(event);
    const answer = await post(body, sign?.(body));
    expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
    expect(await outcomeOf(event)).toBeUndefined();
    expect(await planOf(person)).toBe("basic");
  });

  it("the signature covers the raw bytes, not the parsed content", async () => {
    const { id } = await subscriber();
    const event = subscriptionEvent("updated", { id, plan: "ultimate" }, ago(1));
    const signature = signLikePaddle(JSON.stringify(event), secret);
    expect((await post(JSON.stringify(event, null, 1), signature)).status).toBe(401);
    expect(
      (await post(JSON.stringify(event), signature.replace("h1=", `h1=${"0".repeat(64)};h1=`))).status,
    ).toBe(200);
  });

  it("a signed but invalid body is refused with an error code instead of a server error", async () => {
    for (const [body, code] of [
      ["", "INVALID_JSON"],
      ["{", "INVALID_JSON"],
      ["[]", "INVALID_INPUT"],
      ['{"event_id":"e","event_type":"x","occurred_at":"yesterday","data":{}}', "INVALID_INPUT"],
    ] as const) {
      const answer = await post(body, signLikePaddle(body, secret));
      expect([body, answer.status, answer.body.code]).toEqual([body, 400, code]);
    }
  });

  it("a signed-in user can't send events without a signature", async () => {
    const { person, id } = await subscriber();
    const event = subscriptionEvent("updated", { id, plan: "ultimate" }, ago(1));
    const answer = await t.call("POST", "/api/payment/webhook", event, { token: person.token });
    expect(answer.status).toBe(401);
  });
});

describe("checkout tokens", () => {
  const sendAndGetOutcome = async (custom_data: unknown, plan = "professional", at = ago(0)) => {
    const event = subscriptionEvent("created", { id: `sub_${++number}`, plan, custom_data }, at);
    expect((await send(event)).status).toBe(200);
    return outcomeOf(event);
  };

  it("are valid for one plan", async () => {
    const person = await t.addAccount();
    expect(await sendAndGetOutcome({ token: await tokenOf(person) }, "ultimate")).toBe(
      "refused: a token for another plan",
    );
    expect(await planOf(person)).toBe("basic");
  });

  it("are valid once", async () => {
    const { token } = await subscriber();
    expect(await sendAndGetOutcome({ token })).toBe(
      "refused: a token that was used before or is older than an hour",
    );
  });

  it("are valid for an hour, measured at the payment and not at the arrival of its event", async () => {
    const person = await t.addAccount();
    const token = await tokenOf(person);
    await t.app.db
      .updateTable("checkouts")
      .set({ expires_at: new Date(Date.now() - 60 * 60_000) })
      .where("subscription_id", "is", null)
      .execute();
    expect(await sendAndGetOutcome({ token }, "professional", ago(59))).toBe(
      "refused: a token that was used before or is older than an hour",
    );
    expect(await sendAndGetOutcome({ token }, "professional", ago(61))).toBe("applied");
    expect(await planOf(person)).toBe("professional");
  });

  it.each([[null], [{}], [{ token: "guess" }], [{ token: 1 }], ["token"], [{ token: "x".repeat(300) }]])(
    "custom data %j gives nobody a plan",
    async (custom_data) => {
      expect(await sendAndGetOutcome(custom_data)).toMatch(
        /^refused: an unknown (token|subscription without a token)$/,
      );
    },
  );

  it("are stored only as hashes", async () => {
    const token = await tokenOf(await t.addAccount());
    const rows = await t.app.db.selectFrom("checkouts").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(t.log.join("\n")).not.toContain(token);
  });
});

describe("an event that cannot be applied", () => {
  it("is stored, answered with 200 and applied as soon as possible", async () => {
    const { person, id } = await subscriber();
    const event = subscriptionEvent("updated", { id, plan: "ultimate" }, ago(1));
    await t.app.db.schema.alterTable("subscriptions").renameTo("away").execute();
    expect((await send(event)).status).toBe(200);
    await t.app.db.schema.alterTable("away").renameTo("subscriptions").execute();
    expect(await planOf(person)).toBe("professional");
    await runBillingClock(t.app.billing);
    expect(await planOf(person)).toBe("ultimate");
  });

  it("doesn't block other events and is given up after ten attempts", async () => {
    const { person, id } = await subscriber();
    const poison = subscriptionEvent("updated", { id, plan: "free lunch" }, ago(2));
    expect((await send(poison)).status).toBe(200);
    await send(subscriptionEvent("updated", { id, plan: "ultimate" }, ago(1)));
    expect(await planOf(person)).toBe("ultimate");
    for (let i = 0; i < 12; i++) await runBillingClock(t.app.billing);
    const row = await t.app.db
      .selectFrom("billing_events")
      .select(["attempts", "applied_at"])
      .where("id", "=", String(poison.event_id))
      .executeTakeFirst();
    expect(row).toEqual({ attempts: 10, applied_at: null });
  });
});

describe("clients cannot set a plan", () => {
  it("N4 by any field of their calls", async () => {
    const person = await t.addAccount();
    const planFields = { plan: "ultimate", planId: "ultimate", plan_id: "ultimate" };
    const auth = { token: person.token };
    await t.call("PATCH", "/api/me/update", { firstname: "Eve", ...planFields }, auth);
    await t.call("PATCH", "/api/settings/notifications", { ...planFields }, auth);
    await t.call("GET", "/api/payment/prepare/ultimate", undefined, auth);
    expect((await t.call("POST", "/api/payment/cancel", planFields, auth)).status).toBe(409);
    expect((await t.call("POST", "/api/payment/resume", planFields, auth)).status).toBe(409);
    const token = await tokenOf(person);
    expect((await t.call("POST", "/api/payment/change", { token }, auth)).status).toBe(409);
    expect((await t.call("POST", "/api/payment/change", { token, ...planFields }, auth)).status).toBe(400);
    expect(await planOf(person)).toBe("basic");
  });

  it("the sandbox's endpoints don't exist when Paddle is configured", async () => {
    const person = await t.addAccount();
    const token = await tokenOf(person, "ultimate");
    const auth = { token: person.token };
    expect((await t.call("POST", "/api/payment/sandbox/complete", { token }, auth)).status).toBe(404);
    expect((await t.call("POST", "/api/payment/sandbox/advance", { days: 1 }, auth)).status).toBe(404);
    expect(await planOf(person)).toBe("basic");
  });

  it("payment endpoints need a session", async () => {
    for (const path of ["plans", "billing", "subscription", "prepare/professional"]) {
      expect([path, (await t.call("GET", `/api/payment/${path}`)).status]).toEqual([path, 401]);
    }
    for (const path of ["cancel", "resume", "change", "sandbox/complete", "sandbox/advance"]) {
      expect([path, (await t.call("POST", `/api/payment/${path}`, {})).status]).toEqual([path, 401]);
    }
  });
});

describe("a scheduled end whose event never arrives", () => {
  it("still ends the plan", async () => {
    const { person, id } = await subscriber();
    await t.app.db
      .updateTable("subscriptions")
      .set({ ends_at: new Date(Date.now() - 1000) })
      .where("id", "=", id)
      .execute();
    expect(await planOf(person)).toBe("professional");
    await runBillingClock(t.app.billing);
    expect(await planOf(person)).toBe("basic");
  });
});

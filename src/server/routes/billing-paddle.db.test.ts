import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signLikePaddle, subscriptionEvent } from "#billing/testing/paddle-events.ts";
import type { PaddleStandIn } from "#billing/testing/paddle-stand-in.ts";
import { startPaddleApp } from "../testing/paddle-app.ts";
import { startTestApp, type TestApp } from "../testing/test-app.ts";

const secret = "pdl_ntfset_01";
let paddle: PaddleStandIn;
let t: TestApp;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ paddle, t, close } = await startPaddleApp(secret, "pdl_marked_key"));
});
afterAll(() => close());

type Person = Awaited<ReturnType<TestApp["addAccount"]>>;
const prepare = (person: Person, plan: string) =>
  t.call("GET", `/api/payment/prepare/${plan}`, undefined, { token: person.token });
const post = (person: Person, path: string, body?: object) =>
  t.call("POST", `/api/payment/${path}`, body, { token: person.token });
const planOf = async (person: Person) =>
  (await t.call("GET", "/api/me", undefined, { token: person.token })).body.planId;
async function send(event: object) {
  const body = JSON.stringify(event);
  const headers = { "content-type": "application/json", "paddle-signature": signLikePaddle(body, secret) };
  expect((await t.call("POST", "/api/payment/webhook", body, { headers })).status).toBe(200);
}

let number = 0;
async function subscriber() {
  const person = await t.addAccount();
  const { token } = (await prepare(person, "professional")).body;
  const id = `sub_p${++number}`;
  await send(
    subscriptionEvent(
      "created",
      { id, plan: "professional", custom_data: { token } },
      new Date().toISOString(),
    ),
  );
  expect(await planOf(person)).toBe("professional");
  paddle.seen.length = 0;
  return { person, id };
}
const paddleCalls = () => paddle.seen.map(({ method, path, body }) => ({ method, path, body }));

describe("Paddle's SDK against a stand-in for its API", () => {
  it("finds the plan's price by its custom data, caches it and opens the checkout with it", async () => {
    const person = await t.addAccount();
    const { body } = await prepare(person, "professional");
    expect(body).toMatchObject({
      code: "PAYMENT_PREPARE_ACCEPTED",
      subscriptionId: "pri_pro",
      checkout: {
        provider: "paddle",
        purpose: "subscribe",
        email: person.email,
        dueCents: null,
        paddle: { clientToken: "test_client", environment: "sandbox", transactionId: null },
      },
    });
    const pages = paddle.seen.filter(({ path }) => path.startsWith("/prices"));
    expect(pages.map(({ path }) => path)).toEqual([
      "/prices?status=active&recurring=true&per_page=200",
      "/prices?after=pri_2",
    ]);
    expect(pages[0]?.authorization).toBe("bearer pdl_marked_key");
    expect((await prepare(person, "ultimate")).body.subscriptionId).toBe("pri_ult");
    expect(paddle.seen.filter(({ path }) => path.startsWith("/prices"))).toHaveLength(2);
  });

  it("cancels at the period's end and records that only when the event arrives", async () => {
    const { person, id } = await subscriber();
    expect((await post(person, "cancel")).status).toBe(200);
    expect(paddleCalls()).toEqual([
      {
        method: "POST",
        path: `/subscriptions/${id}/cancel`,
        body: { effective_from: "next_billing_period" },
      },
    ]);
    const state = async () =>
      (await t.call("GET", "/api/payment/subscription", undefined, { token: person.token })).body
        .subscription;
    expect(await state()).toMatchObject({ endsAt: null });
    const change = { action: "cancel", effective_at: "2099-12-01T00:00:00Z", resume_at: null };
    await send(
      subscriptionEvent(
        "updated",
        { id, plan: "professional", scheduled_change: change },
        new Date().toISOString(),
      ),
    );
    expect(await state()).toMatchObject({ endsAt: "2099-12-01T00:00:00.000Z" });
    paddle.seen.length = 0;
    expect((await post(person, "resume")).status).toBe(200);
    expect(paddleCalls()).toEqual([
      { method: "PATCH", path: `/subscriptions/${id}`, body: { scheduled_change: null } },
    ]);
  });

  it("changes the plan of a running subscription after showing the price difference", async () => {
    const { person, id } = await subscriber();
    const { body } = await prepare(person, "ultimate");
    expect(body.checkout).toMatchObject({ purpose: "change", dueCents: 1000, paddle: null });
    expect((await post(person, "change", { token: body.token })).status).toBe(200);
    const change = {
      items: [{ price_id: "pri_ult", quantity: 1 }],
      proration_billing_mode: "prorated_immediately",
    };
    expect(paddleCalls()).toEqual([
      { method: "PATCH", path: `/subscriptions/${id}/preview`, body: change },
      { method: "PATCH", path: `/subscriptions/${id}`, body: change },
    ]);
    expect(await planOf(person)).toBe("professional");
    await send(subscriptionEvent("updated", { id, plan: "ultimate" }, new Date().toISOString()));
    expect(await planOf(person)).toBe("ultimate");
    paddle.seen.length = 0;
    const downgrade = (await prepare(person, "professional")).body;
    await post(person, "change", { token: downgrade.token });
    expect(paddleCalls().at(-1)?.body).toEqual({
      items: [{ price_id: "pri_pro", quantity: 1 }],
      proration_billing_mode: "prorated_next_billing_period",
    });
  });

  it("settles a failed payment in Paddle's own checkout", async () => {
    const { person, id } = await subscriber();
    await send(
      subscriptionEvent(
        "past_due",
        { id, plan: "professional", status: "past_due" },
        new Date().toISOString(),
      ),
    );
    const { body } = await prepare(person, "professional");
    expect(body.checkout).toMatchObject({ purpose: "settle", paddle: { transactionId: "txn_open" } });
    paddle.seen.length = 0;
    await post(person, "cancel");
    expect(paddleCalls()).toEqual([
      { method: "POST", path: `/subscriptions/${id}/cancel`, body: { effective_from: "immediately" } },
    ]);
  });

  it("reports it when Paddle refuses, declines or answers garbage, and changes nothing", async () => {
    const { person } = await subscriber();
    const refusal = (code: string) =>
      JSON.stringify({ error: { type: "request_error", code, detail: "No.", documentation_url: "" } });
    const { token } = (await prepare(person, "ultimate")).body;
    paddle.failNext(400, refusal("subscription_payment_declined"));
    const declined = await post(person, "change", { token });
    expect([declined.status, declined.body.code]).toEqual([402, "PAYMENT_DECLINED"]);
    paddle.failNext(403, refusal("forbidden"));
    expect((await post(person, "cancel")).body.code).toBe("PAYMENT_UNAVAILABLE");
    paddle.failNext(502, "<html>Bad gateway</html>");
    const answer = await post(person, "cancel");
    expect([answer.status, answer.body.message]).toEqual([
      503,
      "The payment provider cannot be reached. Nothing was changed. Try again in a minute.",
    ]);
    expect(await planOf(person)).toBe("professional");
    expect(t.log.join("\n")).toContain("forbidden: No.");
    expect(t.log.join("\n")).not.toContain("pdl_marked_key");
  });

  it("cancels the subscription of a deleted account, so that nobody goes on paying", async () => {
    const { person, id } = await subscriber();
    paddle.failNext(500, "{}");
    await t.call("DELETE", "/api/me", { password: person.password }, { token: person.token });
    await expect
      .poll(() =>
        paddleCalls()
          .filter(({ path }) => path === `/subscriptions/${id}/cancel`)
          .at(-1),
      )
      .toEqual({
        method: "POST",
        path: `/subscriptions/${id}/cancel`,
        body: { effective_from: "immediately" },
      });
    await send(
      subscriptionEvent(
        "canceled",
        { id, plan: "professional", status: "canceled" },
        new Date().toISOString(),
      ),
    );
  });

  it("cancels a subscription that gives no plan, but not one of another shop", async () => {
    const { person } = await subscriber();
    const { token } = (await prepare(person, "ultimate")).body;
    const countCancellations = (id: string) =>
      paddleCalls().filter(({ method, path }) => method === "POST" && path === `/subscriptions/${id}/cancel`)
        .length;
    const wrong = { id: "sub_wrong", plan: "professional", custom_data: { token } };
    await send(subscriptionEvent("created", wrong, new Date().toISOString()));
    await expect.poll(() => countCancellations("sub_wrong")).toBe(1);
    const foreign = { id: "sub_foreign", plan: "professional", custom_data: { token: "of another shop" } };
    await send(subscriptionEvent("created", foreign, new Date().toISOString()));
    const queued = await t.app.db.transaction().execute((tx) =>
      sql<{ count: number }>`
        select count(*)::integer as count from pgboss.job where data ->> 'subscriptionId' = 'sub_foreign'
      `.execute(tx),
    );
    expect(queued.rows).toEqual([{ count: 0 }]);
  });

  it("V4 allows Paddle's hosts in the content security policy only when Paddle is configured", async () => {
    const policy = String((await t.call("GET", "/healthz")).headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self' https://cdn.paddle.com;");
    expect(policy).toContain("frame-src https://sandbox-buy.paddle.com;");
    const appWithoutPaddle = await startTestApp();
    const policyWithoutPaddle = String(
      (await appWithoutPaddle.call("GET", "/healthz")).headers["content-security-policy"],
    );
    await appWithoutPaddle.close();
    expect(policyWithoutPaddle).toContain("script-src 'self';");
    expect(policyWithoutPaddle).not.toContain("paddle");
  });
});

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasValidSignature, startHookServer } from "#channels/testing/hook-server.ts";
import type { Received } from "#channels/testing/listen.ts";
import { sampleValues } from "#message-templates/template.ts";
import { parseEgressAllow } from "#network/address-rules/egress-allow.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch, type GuardedFetch } from "#network/guarded-fetch.ts";
import { sendTrigger } from "./send-trigger.ts";
import { signTrigger } from "./sign-trigger.ts";

let hook: Awaited<ReturnType<typeof startHookServer>>;
let http: GuardedFetch;
beforeAll(async () => {
  hook = await startHookServer();
  http = createGuardedFetch(createGuard({ allow: parseEgressAllow(`127.0.0.1:${hook.port}`) }));
});
afterAll(async () => {
  await http.close();
  await hook.close();
});
beforeEach(() => {
  hook.received.length = 0;
  hook.next.length = 0;
});

const now = new Date("2026-01-02T03:04:05.678Z");
const fire = (trigger: object = {}, attempt = 1) =>
  sendTrigger(http, {
    trigger: {
      url: `${hook.url}/hook`,
      method: "POST",
      body: '{"s": "{{summary}}"}',
      headers: [],
      ...trigger,
    },
    values: sampleValues,
    secret: "a-secret",
    attempt,
    now,
  });

test("N3 the signature covers timestamp and body, so that a receiver can detect changes", async () => {
  await fire();
  const [request] = hook.received;
  if (!request) throw new Error("nothing came");
  expect(request.headers["x-watchglass-signature"]).toBe(
    signTrigger("a-secret", '{"s": "Test: 2 lines added, 1 removed in main"}', now),
  );
  expect(request.headers["x-watchglass-signature"]).toMatch(/^t=1767323045,v1=[0-9a-f]{64}$/);
  expect(hasValidSignature(request, "a-secret")).toBe(true);
  expect(hasValidSignature(request, "another")).toBe(false);
  expect(
    hasValidSignature({ ...request, body: Buffer.concat([request.body, Buffer.from(" ")]) }, "a-secret"),
  ).toBe(false);
  expect(request.headers["x-watchglass-event"]).toBe(sampleValues["event.id"]);
  expect(request.headers["content-type"]).toBe("application/json");
});

describe("N3 Standard Webhooks: a receiver's library", () => {
  const secret = `whsec_${Buffer.from("24 bytes are 32 letters!").toString("base64")}`;
  const values = { ...sampleValues, "event.id": "0199a0b0-1111-7222-8333-444455556666" };
  const send = async (method: string, signingSecret = secret, attempt = 1) => {
    const trigger = { url: `${hook.url}/hook`, method, body: '{"s": "{{job.name}} ć"}', headers: [] };
    await sendTrigger(http, { trigger, values, secret: signingSecret, attempt, now: new Date() });
    const request = hook.received.at(-1);
    if (!request) throw new Error("nothing came");
    return { body: request.body.toString(), headers: request.headers as Record<string, string> };
  };

  test.each(["POST", "GET"])(
    "verifies a %s trigger, which has the same id at each attempt",
    async (method) => {
      const first = await send(method);
      const retry = await send(method, secret, 2);
      for (const { body, headers } of [first, retry]) {
        expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
        expect(headers["webhook-id"]).toBe(values["event.id"]);
      }
    },
  );

  test("refuses another body, id, time or secret", async () => {
    const { body, headers } = await send("POST");
    const verify = (text: string, changed: object, key = secret) =>
      new Webhook(key).verify(text, { ...headers, ...changed });
    expect(verify(body, {})).toEqual(JSON.parse(body));
    expect(() => verify(`${body} `, {})).toThrow("No matching signature");
    expect(() => verify(body, { "webhook-id": "another" })).toThrow("No matching signature");
    const second = Number(headers["webhook-timestamp"]) - 1;
    expect(() => verify(body, { "webhook-timestamp": String(second) })).toThrow("No matching signature");
    expect(() => verify(body, {}, `whsec_${btoa("another")}`)).toThrow("No matching signature");
  });

  test("verifies with an older base64url secret once it is rewritten as standard base64", async () => {
    const key = Buffer.from("fb".repeat(12) + "ff".repeat(12), "hex");
    const oldSecret = `whsec_${key.toString("base64url")}`;
    expect(oldSecret).toMatch(/-.*_/);
    const { body, headers } = await send("POST", oldSecret);
    const standardSecret = oldSecret.replaceAll("-", "+").replace(/(?<!^whsec)_/g, "/");
    expect(() => new Webhook(standardSecret).verify(body, headers)).not.toThrow();
    expect(
      hasValidSignature({ ...hook.received[0], body: Buffer.from(body), headers } as Received, oldSecret),
    ).toBe(true);
  });
});

test("the result contains request and response, with the user's header values masked", async () => {
  hook.next.push({ status: 201, headers: { "x-run": "7" }, body: "created" });
  const result = await fire({ headers: [{ name: "Authorization", value: "Bearer s3cret" }] }, 3);
  expect(hook.received[0]?.headers.authorization).toBe("Bearer s3cret");
  expect(result).toMatchObject({
    failure: null,
    request: {
      method: "POST",
      url: `${hook.url}/hook`,
      body: '{"s": "Test: 2 lines added, 1 removed in main"}',
    },
    response: { status: 201, body: "created", truncated: false },
  });
  expect(result.response?.headers).toContainEqual({ name: "x-run", value: "7" });
  expect(result.request.headers).toContainEqual({ name: "x-watchglass-attempt", value: "3" });
  expect(JSON.stringify(result)).not.toContain("s3cret");
});

test("N3 the first 64 KiB of the response are kept as text, whatever its type", async () => {
  hook.next.push({ status: 200, body: "é".repeat(64 * 1024) });
  const { response } = await fire();
  expect([response?.body.length, response?.truncated]).toEqual([32 * 1024, true]);
});

test.each(["GET", "HEAD"])("a %s trigger has no body", async (method) => {
  const result = await fire({ method, url: `${hook.url}/x?s={{summary}}` });
  const [request] = hook.received;
  expect([request?.method, request?.body.length, request?.headers["content-type"]]).toEqual([
    method,
    0,
    undefined,
  ]);
  expect(request?.path).toBe("/x?s=Test%3A%202%20lines%20added%2C%201%20removed%20in%20main");
  expect(result.failure).toBeNull();
});
test.each(["PUT", "DELETE", "PATCH"])("a %s trigger has a body", async (method) => {
  await fire({ method });
  expect([hook.received[0]?.method, hook.received[0]?.body.length]).toEqual([method, 48 - 1]);
});

describe("whether a failure is retried", () => {
  test.each([429, 500, 502, 503])("status %i is retried", async (status) => {
    hook.next.push({ status });
    expect((await fire()).failure).toEqual({ message: `The receiver answered ${status}.`, transient: true });
  });
  test.each([400, 401, 404, 410])("status %i isn't retried", async (status) => {
    hook.next.push({ status });
    expect((await fire()).failure).toEqual({ message: `The receiver answered ${status}.`, transient: false });
  });
  test("a dropped connection is retried", async () => {
    hook.next.push("drop", "drop");
    const result = await fire();
    expect([result.failure?.transient, result.response]).toEqual([true, null]);
  });
  test("Retry-After sets the wait before the next attempt", async () => {
    hook.next.push({ status: 429, headers: { "retry-after": "17" } });
    expect((await fire()).failure?.retryAfterSeconds).toBe(17);
    hook.next.push({
      status: 503,
      headers: { "retry-after": new Date(now.getTime() + 90_000).toUTCString() },
    });
    expect((await fire()).failure?.retryAfterSeconds).toBe(90);
  });
  test("E7 a redirect is neither followed nor retried", async () => {
    hook.next.push({ status: 302, headers: { location: "/elsewhere" } });
    expect((await fire()).failure).toEqual({
      message: "The receiver answered 302; redirects are not followed.",
      transient: false,
    });
    expect(hook.received.length).toBe(1);
  });
  test("E1 an address that the guard refuses isn't retried, and the error reveals nothing about it", async () => {
    for (const url of ["http://127.0.0.1:1/", "http://169.254.169.254/latest", "http://[::1]/"]) {
      expect((await fire({ url })).failure).toEqual({
        message: "This address may not be requested: only public http and https addresses are allowed.",
        transient: false,
      });
    }
  });
  test("E9 headers that control the connection are refused", async () => {
    expect((await fire({ headers: [{ name: "Host", value: "evil.example" }] })).failure?.transient).toBe(
      false,
    );
    expect(hook.received.length).toBe(0);
  });
});

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseEgressAllow } from "#network/egress-allow.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch, type GuardedFetch } from "#network/guarded-fetch.ts";
import { samples } from "./fill-placeholders.ts";
import { sendTrigger } from "./send-trigger.ts";
import { signTrigger } from "./sign-trigger.ts";
import { isSigned, startHookServer } from "./testing/hook-server.ts";
import type { Received } from "./testing/listen.ts";

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
    values: samples,
    secret: "a-secret",
    attempt,
    now,
  });

test("N3 signs timestamp and body; both can be checked by the receiver, neither be changed", async () => {
  await fire();
  const [request] = hook.received;
  if (!request) throw new Error("nothing came");
  expect(request.headers["x-watchglass-signature"]).toBe(
    signTrigger("a-secret", '{"s": "Test: 2 lines added, 1 removed in main"}', now),
  );
  expect(request.headers["x-watchglass-signature"]).toMatch(/^t=1767323045,v1=[0-9a-f]{64}$/);
  expect(isSigned(request, "a-secret")).toBe(true);
  expect(isSigned(request, "another")).toBe(false);
  expect(isSigned({ ...request, body: Buffer.concat([request.body, Buffer.from(" ")]) }, "a-secret")).toBe(
    false,
  );
  expect(request.headers["x-watchglass-event"]).toBe(samples["event.id"]);
  expect(request.headers["content-type"]).toBe("application/json");
});

describe("N3 Standard Webhooks: the library of a receiver verifies a trigger", () => {
  const secret = `whsec_${Buffer.from("24 bytes are 32 letters!").toString("base64")}`;
  const values = { ...samples, "event.id": "0199a0b0-1111-7222-8333-444455556666" };
  const send = async (method: string, given = secret, attempt = 1) => {
    const trigger = { url: `${hook.url}/hook`, method, body: '{"s": "{{job.name}} ć"}', headers: [] };
    await sendTrigger(http, { trigger, values, secret: given, attempt, now: new Date() });
    const request = hook.received.at(-1);
    if (!request) throw new Error("nothing came");
    return { body: request.body.toString(), headers: request.headers as Record<string, string> };
  };

  test.each(["POST", "GET"])("%s, whose id is the same at each attempt", async (method) => {
    const first = await send(method);
    const again = await send(method, secret, 2);
    for (const { body, headers } of [first, again]) {
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
      expect(headers["webhook-id"]).toBe(values["event.id"]);
    }
  });

  test("neither body, id, time nor secret can be another", async () => {
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

  test("a secret from before, in the alphabet of URLs, verifies once it is written in the usual one", async () => {
    const key = Buffer.from("fb".repeat(12) + "ff".repeat(12), "hex");
    const old = `whsec_${key.toString("base64url")}`;
    expect(old).toMatch(/-.*_/);
    const { body, headers } = await send("POST", old);
    const usual = old.replaceAll("-", "+").replace(/(?<!^whsec)_/g, "/");
    expect(() => new Webhook(usual).verify(body, headers)).not.toThrow();
    expect(isSigned({ ...hook.received[0], body: Buffer.from(body), headers } as Received, old)).toBe(true);
  });
});

test("tells what was asked and what came back; the user's header values are masked", async () => {
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

test("N3 keeps the first 64 KiB of the answer, as text whatever it is", async () => {
  hook.next.push({ status: 200, body: "é".repeat(64 * 1024) });
  const { response } = await fire();
  expect([response?.body.length, response?.truncated]).toEqual([32 * 1024, true]);
});

test.each(["GET", "HEAD"])("%s carries no body", async (method) => {
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
test.each(["PUT", "DELETE", "PATCH"])("%s carries one", async (method) => {
  await fire({ method });
  expect([hook.received[0]?.method, hook.received[0]?.body.length]).toEqual([method, 48 - 1]);
});

describe("what is worth another attempt", () => {
  test.each([429, 500, 502, 503])("%i is", async (status) => {
    hook.next.push({ status });
    expect((await fire()).failure).toEqual({ message: `The receiver answered ${status}.`, transient: true });
  });
  test.each([400, 401, 404, 410])("%i is not", async (status) => {
    hook.next.push({ status });
    expect((await fire()).failure).toEqual({ message: `The receiver answered ${status}.`, transient: false });
  });
  test("a dropped connection is", async () => {
    hook.next.push("drop", "drop");
    const result = await fire();
    expect([result.failure?.transient, result.response]).toEqual([true, null]);
  });
  test("Retry-After is passed on", async () => {
    hook.next.push({ status: 429, headers: { "retry-after": "17" } });
    expect((await fire()).failure?.retryAfterSeconds).toBe(17);
    hook.next.push({
      status: 503,
      headers: { "retry-after": new Date(now.getTime() + 90_000).toUTCString() },
    });
    expect((await fire()).failure?.retryAfterSeconds).toBe(90);
  });
  test("E7 a redirect is not followed and not tried again", async () => {
    hook.next.push({ status: 302, headers: { location: "/elsewhere" } });
    expect((await fire()).failure).toEqual({
      message: "The receiver answered 302; redirects are not followed.",
      transient: false,
    });
    expect(hook.received.length).toBe(1);
  });
  test("E1 an address the guard refuses is not tried again and tells nothing", async () => {
    for (const url of ["http://127.0.0.1:1/", "http://169.254.169.254/latest", "http://[::1]/"]) {
      expect((await fire({ url })).failure).toEqual({
        message: "This address may not be requested: only public http and https addresses are allowed.",
        transient: false,
      });
    }
  });
  test("E9 headers that steer the connection are refused", async () => {
    expect((await fire({ headers: [{ name: "Host", value: "evil.example" }] })).failure?.transient).toBe(
      false,
    );
    expect(hook.received.length).toBe(0);
  });
});

import { createECDH, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { channelSecretContext } from "#alerts/channel-secret.ts";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { answer, listen, type Received } from "#channels/testing/listen.ts";
import { putChannel } from "#storage/channels.ts";

const encryption = createRequire(import.meta.url)("http_ece") as {
  decrypt: (body: Buffer, options: object) => Buffer;
};

let outside: SharedOutside;
let service: Awaited<ReturnType<typeof listen>>;
const received: Received[] = [];
const unsubscribedPaths = new Set<string>();
beforeAll(async () => {
  outside = await sharedOutside();
  // Answers like a push service: 201, and 410 for a browser that has unsubscribed.
  service = await listen((request, response) => {
    received.push(request);
    if (unsubscribedPaths.has(request.path)) return answer(response, 410, "");
    const isValid = request.headers["content-encoding"] === "aes128gcm" && request.headers.ttl !== undefined;
    answer(response, isValid ? 201 : 400, "");
  });
});
afterAll(() => service.close());

/** A browser with its own keys and a subscription at a push service. */
function browser(path: string) {
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: {
      endpoint: `${service.url}${path}`,
      keys: { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") },
      label: `Firefox ${path}`,
    },
    decrypt: (body: Buffer) =>
      JSON.parse(
        encryption.decrypt(body, { version: "aes128gcm", privateKey: ecdh, authSecret: auth }).toString(),
      ),
  };
}

test("an alert reaches every subscribed browser, encrypted for it and signed by us", async () => {
  const person = await outside.person();
  const [one, other] = [browser("/one"), browser("/other")];
  for (const { subscription } of [one, other, one])
    expect((await person.call("POST", "/api/me/push", subscription)).status).toBe(200);
  expect((await person.call("GET", "/api/me/channels")).body.push).toMatchObject({
    included: true,
    webhook: { label: "Firefox /other, Firefox /one" },
  });
  const jobId = await person.createJob({ name: "Pushed" });
  unsubscribedPaths.add("/other");
  const { id } = await person.change(jobId, "Now in the browser");
  const deliveries = await person.deliveriesOf(jobId, id);
  expect(deliveries.find(({ channel }) => channel === "push")?.state).toBe("sent");
  const sent = received.find(({ path }) => path === "/one");
  expect(one.decrypt(sent?.body ?? Buffer.alloc(0))).toMatchObject({
    title: "Pushed",
    body: expect.stringContaining("+ Now in the browser"),
    url: expect.stringContaining(id),
  });
  const { publicKey } = (await person.call("GET", "/api/me/push")).body as { publicKey?: string };
  const [, token = "", key] = /^vapid t=([^,]+), k=(.+)$/.exec(String(sent?.headers.authorization)) ?? [];
  expect(key).toBe(publicKey);
  expect(decodeJwt(token).aud).toBe(service.url);
  unsubscribedPaths.add("/one");
  const { id: next } = await person.change(jobId, "Nobody there");
  const nextDeliveries = await person.deliveriesOf(jobId, next);
  expect(nextDeliveries.find(({ channel }) => channel === "push")).toMatchObject({
    state: "failed",
    error: "The browser no longer accepts notifications. Allow them there again.",
  });
});

test("an invalid subscription is refused, one browser can be removed, and the Basic plan has no push", async () => {
  const person = await outside.person();
  const { subscription } = browser("/a");
  for (const [body, field] of [
    [{ ...subscription, keys: { p256dh: "short", auth: subscription.keys.auth } }, "keys.p256dh"],
    // The key has the right length but isn't a point on the curve.
    [
      { ...subscription, keys: { ...subscription.keys, p256dh: Buffer.alloc(65, 4).toString("base64url") } },
      "keys.p256dh",
    ],
    [{ ...subscription, endpoint: "http://169.254.169.254/push" }, "endpoint"],
    [{ ...subscription, extra: 1 }, "extra"],
  ] as const) {
    const refused = await person.call("POST", "/api/me/push", body);
    expect([refused.status, refused.body.field]).toEqual([400, field]);
  }
  await person.call("POST", "/api/me/push", subscription);
  const { endpoint } = subscription;
  expect((await person.call("DELETE", "/api/me/push", { endpoint: `${endpoint}x` })).status).toBe(404);
  expect((await person.call("DELETE", "/api/me/push", { endpoint })).status).toBe(200);
  expect((await person.call("GET", "/api/me/channels")).body.push).toMatchObject({ webhook: null });
  // An invalid key that an earlier version accepted gives an explanation instead of an internal error.
  await person.call("POST", "/api/me/push", subscription);
  const invalidSubscriptions = [
    { ...subscription, keys: { ...subscription.keys, p256dh: Buffer.alloc(65, 4).toString("base64url") } },
  ];
  await putChannel(outside.app.db, person.accountId, "push", {
    secret_sealed: outside.app.alerts.secrets.seal(
      JSON.stringify(invalidSubscriptions),
      channelSecretContext("push", person.accountId),
    ),
    label: "Firefox",
  });
  const test = await person.call("POST", "/api/me/channels/push/test");
  expect([test.status, test.body.message]).toEqual([
    502,
    expect.stringMatching(/^The browser's key isn’t valid/),
  ]);
  const basic = await outside.person({ plan: "basic" });
  expect((await basic.call("POST", "/api/me/push", subscription)).body.code).toBe("PLAN_LIMIT_REACHED");
});

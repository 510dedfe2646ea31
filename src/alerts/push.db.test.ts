import { createECDH, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answer, listen, type Received } from "#delivery/testing/listen.ts";
import { putChannel } from "#storage/channels.ts";
import { sealedFor } from "./channel-secret.ts";
import { type SharedOutside, sharedOutside } from "./testing/outside.ts";

const encryption = createRequire(import.meta.url)("http_ece") as {
  decrypt: (body: Buffer, options: object) => Buffer;
};

let outside: SharedOutside;
let service: Awaited<ReturnType<typeof listen>>;
const received: Received[] = [];
const gone = new Set<string>();
beforeAll(async () => {
  outside = await sharedOutside();
  // As the push services answer: 201, and 410 for a browser that left.
  service = await listen((request, response) => {
    received.push(request);
    if (gone.has(request.path)) return answer(response, 410, "");
    const isRight = request.headers["content-encoding"] === "aes128gcm" && request.headers.ttl !== undefined;
    answer(response, isRight ? 201 : 400, "");
  });
});
afterAll(() => service.close());

/** A browser: its own keys, and a place at a push service. */
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
    open: (body: Buffer) =>
      JSON.parse(
        encryption.decrypt(body, { version: "aes128gcm", privateKey: ecdh, authSecret: auth }).toString(),
      ),
  };
}

test("an alert comes to every browser, encrypted for it and signed by us; one that left is passed over", async () => {
  const person = await outside.person();
  const [one, other] = [browser("/one"), browser("/other")];
  for (const { subscription } of [one, other, one])
    expect((await person.call("POST", "/api/me/push", subscription)).status).toBe(200);
  expect((await person.call("GET", "/api/me/channels")).body.push).toMatchObject({
    included: true,
    webhook: { label: "Firefox /other, Firefox /one" },
  });
  const jobId = await person.createJob({ name: "Pushed" });
  gone.add("/other");
  const { id } = await person.change(jobId, "Now in the browser");
  const told = await person.told(jobId, id);
  expect(told.find(({ channel }) => channel === "push")?.state).toBe("sent");
  const sent = received.find(({ path }) => path === "/one");
  expect(one.open(sent?.body ?? Buffer.alloc(0))).toMatchObject({
    title: "Pushed",
    body: expect.stringContaining("+ Now in the browser"),
    url: expect.stringContaining(id),
  });
  const { publicKey } = (await person.call("GET", "/api/me/push")).body as { publicKey?: string };
  const [, token = "", key] = /^vapid t=([^,]+), k=(.+)$/.exec(String(sent?.headers.authorization)) ?? [];
  expect(key).toBe(publicKey);
  expect(decodeJwt(token).aud).toBe(service.url);
  gone.add("/one");
  const { id: next } = await person.change(jobId, "Nobody there");
  const failed = await person.told(jobId, next);
  expect(failed.find(({ channel }) => channel === "push")).toMatchObject({
    state: "failed",
    error: "The browser does not take notifications any more: allow them there again.",
  });
});

test("bad input is refused; a browser is removed alone; Basic has none", async () => {
  const person = await outside.person();
  const { subscription } = browser("/a");
  for (const [body, field] of [
    [{ ...subscription, keys: { p256dh: "short", auth: subscription.keys.auth } }, "keys.p256dh"],
    // Of the right length, but no point of the curve.
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
  // One that an earlier version took is given up in words, and does not fail on our side.
  await person.call("POST", "/api/me/push", subscription);
  const bad = [
    { ...subscription, keys: { ...subscription.keys, p256dh: Buffer.alloc(65, 4).toString("base64url") } },
  ];
  await putChannel(outside.app.db, person.accountId, "push", {
    secret_sealed: outside.app.alerts.secrets.seal(JSON.stringify(bad), sealedFor("push", person.accountId)),
    label: "Firefox",
  });
  const test = await person.call("POST", "/api/me/channels/push/test");
  expect([test.status, test.body.message]).toEqual([
    502,
    expect.stringMatching(/^The browser's key is not valid/),
  ]);
  const basic = await outside.person({ plan: "basic" });
  expect((await basic.call("POST", "/api/me/push", subscription)).body.code).toBe("PLAN_LIMIT_REACHED");
});

import { decodeJwt } from "jose";
import { afterAll, expect, test } from "vitest";
import { channelSecretContext } from "#alerts/channel-secret.ts";
import { sharedOutside } from "#alerts/testing/outside.ts";
import { startPushService } from "#channels/testing/push-service.ts";
import { putChannel } from "#storage/channels.ts";

const [outside, service] = await Promise.all([sharedOutside(), startPushService()]);
afterAll(() => service.close());
const { browser, received, unsubscribedPaths } = service;

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

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => {
  Object.assign(world.discord.state, { down: false, limited: 0 });
});

const outcome = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body.code,
  body.message,
];

describe("Discord in the profile", () => {
  test("a webhook's name is fetched, its address stored encrypted, and it can be tested and removed", async () => {
    const { call, accountId } = await world.person();
    expect(
      outcome(await call("PUT", "/api/me/channels/discord", { url: ` ${world.discord.webhook} ` })),
    ).toEqual([200, "CHANNEL_UPDATED", 'Alerts go to the Discord webhook "Alerts".']);
    const rows = await world.app.db
      .selectFrom("channels")
      .selectAll()
      .where("account_id", "=", accountId)
      .execute();
    expect(JSON.stringify(rows)).not.toContain("good-token");
    const channels = await call("GET", "/api/me/channels");
    expect(channels.body).toMatchObject({
      discord: { included: true, webhook: { label: "Alerts", failure: null } },
    });
    expect(channels.raw.toString()).not.toContain("good-token");
    const messagesBefore = world.discord.messages.length;
    expect(outcome(await call("POST", "/api/me/channels/discord/test"))).toEqual([
      200,
      "TEST_SENT",
      "A test alert was sent by Discord.",
    ]);
    expect(world.discord.messages.slice(messagesBefore)).toMatchObject([
      { message: { embeds: [{ title: "Test alert" }] } },
    ]);
    await call("DELETE", "/api/me/channels/discord");
    expect((await call("GET", "/api/me/channels")).body).toMatchObject({ discord: { webhook: null } });
    expect(outcome(await call("POST", "/api/me/channels/discord/test"))).toEqual([
      502,
      "CHANNEL_FAILED",
      "This channel isn’t set up.",
    ]);
  });

  test.each([
    ["", "The address is missing."],
    ["nonsense", /^This is not a Discord webhook address/],
    ["http://127.0.0.1:9/api/webhooks/1/a?x", /^The server refused or dropped the connection\.$/],
    ["https://example.com/api/webhooks/1/a", /^This is not a Discord webhook address/],
    ["http://169.254.169.254/api/webhooks/1/a", /^This is not a Discord webhook address/],
  ])("the address %j is refused with a clear message", async (url, message) => {
    const { call } = await world.person();
    const answer = await call("PUT", "/api/me/channels/discord", { url });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body.message).toMatch(message);
    expect((await call("GET", "/api/me/channels")).body).toMatchObject({ discord: { webhook: null } });
  });

  test("a webhook that Discord does not know is refused", async () => {
    const { call } = await world.person();
    const url = world.discord.webhook.replace("good-token", "wrong");
    expect(outcome(await call("PUT", "/api/me/channels/discord", { url }))).toEqual([
      400,
      "INVALID_INPUT",
      "Discord doesn’t know this webhook: it was deleted, or its address is incomplete.",
    ]);
  });
});

test("a channel can be tested by mail and by Telegram, a limited number of times", async () => {
  const { call, chat, alerts } = await world.person({ telegram: true });
  expect(outcome(await call("POST", "/api/me/channels/telegram/test"))).toContain("TEST_SENT");
  expect((await world.telegram.message(chat, 2)).text).toContain("Test alert");
  expect(outcome(await call("POST", "/api/me/channels/email/test"))).toContain("TEST_SENT");
  expect((await alerts()).map(({ subject }) => subject)).toEqual([
    "Test alert: This is what an alert from Watchglass looks like here.",
  ]);
  const codes = [];
  for (let i = 0; i < 9; i++) codes.push((await call("POST", "/api/me/channels/discord/test")).body.code);
  expect(codes).toEqual([...Array(8).fill("CHANNEL_FAILED"), "RATE_LIMITED"]);
});

describe("unsubscribing", () => {
  const linkIn = (text: string) =>
    new URL(/https?:\/\/\S+\/api\/unsubscribe\/\S+/.exec(text)?.[0] ?? "").pathname;

  test("RFC 8058: a POST without a session stops mail alerts, also as a fallback; a GET changes nothing", async () => {
    const { call, chat, alerts, createJob, change, deliveriesOf, detail, botToken } = await world.person();
    await world.telegram.say(chat, `/addtoken ${await botToken()}`);
    await world.telegram.message(chat);
    const jobId = await createJob();
    const first = await change(jobId, "A paragraph that comes by mail and by chat.");
    await deliveriesOf(jobId, first.id);
    const path = linkIn((await alerts())[0]?.text ?? "");
    const page = await world.call("GET", path);
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html"]);
    expect((await call("GET", "/api/me")).body.notifications).toMatchObject({ telegram: true, email: true });
    const done = await world.call("POST", path, "List-Unsubscribe=One-Click", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([done.status, done.raw.toString()]).toEqual([
      200,
      expect.stringContaining("Alerts by mail are switched off"),
    ]);
    expect((await call("GET", "/api/me")).body.notifications).toMatchObject({ telegram: true, email: false });
    world.telegram.state.blocked.add(chat);
    const second = await change(jobId, "A paragraph that comes by no channel at all.");
    expect(await deliveriesOf(jobId, second.id)).toMatchObject([{ channel: "telegram", state: "failed" }]);
    expect((await alerts()).length).toBe(1);
    await call("PATCH", "/api/settings/notifications", { emailNotifications: true });
    const third = await change(jobId, "A paragraph that comes by mail again after all.");
    expect(await deliveriesOf(jobId, third.id)).toMatchObject([{ channel: "email", state: "sent" }]);
    expect((await detail(jobId, second.id)).deliveries).toHaveLength(1);
  });

  test("an unknown link is not found, and forms are refused at other endpoints", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await world.call("POST", "/api/unsubscribe/nonsense", "a=b", { headers })).status).toBe(404);
    expect((await world.call("GET", "/api/unsubscribe/nonsense")).status).toBe(404);
    expect((await world.call("POST", "/api/auth/login", "a=b", { headers })).status).toBe(415);
  });
});

test("N3 the signing secret is shown only once, when it is created", async () => {
  const { call, accountId } = await world.person();
  expect((await call("GET", "/api/me/channels")).body).toMatchObject({ signing: { since: null } });
  const { body } = await call("POST", "/api/me/signing-secret");
  expect(body.secret).toMatch(/^whsec_[\w-]{32}$/);
  const channels = await call("GET", "/api/me/channels");
  expect(channels.body).toMatchObject({ signing: { since: expect.any(String) } });
  expect(channels.raw.toString()).not.toContain(String(body.secret));
  const rows = await world.app.db
    .selectFrom("channels")
    .selectAll()
    .where("account_id", "=", accountId)
    .execute();
  expect(JSON.stringify(rows)).not.toContain(String(body.secret));
});

test("Z2 another account's trigger runs, jobs and executions look as if they didn't exist", async () => {
  const owner = await world.person();
  const stranger = await world.person();
  const jobId = await owner.createJob({ trigger: { url: `${world.hook.url}/x`, method: "POST" } });
  const { id } = await owner.change(jobId, "A paragraph for the owner alone to see.");
  const receivedBefore = world.hook.received.length;
  expect((await stranger.call("POST", `/api/jobs/${jobId}/executions/${id}/trigger`)).status).toBe(404);
  const triggerTest = { jobId, trigger: { url: `${world.hook.url}/x`, method: "POST" } };
  expect((await stranger.call("POST", "/api/triggers/test", triggerTest)).status).toBe(404);
  expect(world.hook.received.slice(receivedBefore).filter(({ path }) => path !== "/x")).toEqual([]);
});

test("D3 deleting the account leaves no channel, delivery or trigger run", async () => {
  const { call, accountId, createJob, change, deliveriesOf } = await world.person({
    telegram: true,
    discord: true,
  });
  const jobId = await createJob({ trigger: { url: `${world.hook.url}/x`, method: "POST" } });
  const { id } = await change(jobId, "The last paragraph that this account hears of.");
  await deliveriesOf(jobId, id);
  expect((await call("DELETE", "/api/me", { password: "correct1!" })).status).toBe(200);
  for (const table of ["channels", "deliveries", "trigger_runs"] as const) {
    const rows = await world.app.db
      .selectFrom(table)
      .select("account_id")
      .where("account_id", "=", accountId)
      .execute();
    expect([table, rows]).toEqual([table, []]);
  }
});

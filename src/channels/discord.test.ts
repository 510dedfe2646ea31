import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseEgressAllow } from "#network/address-rules/egress-allow.ts";
import { createGuard } from "#network/guard.ts";
import { createGuardedFetch, type GuardedFetch } from "#network/guarded-fetch.ts";
import { type Discord, openDiscord } from "./discord.ts";
import { alert, hostile, huge, noRateLimit } from "./testing/alerts.ts";
import { startDiscordServer } from "./testing/discord-server.ts";

let server: Awaited<ReturnType<typeof startDiscordServer>>;
let http: GuardedFetch;
let discord: Discord;
beforeAll(async () => {
  server = await startDiscordServer();
  const allow = parseEgressAllow(`127.0.0.1:${server.port}`);
  http = createGuardedFetch(createGuard({ allow }));
  discord = openDiscord({ http, allow, pace: noRateLimit });
});
afterAll(async () => {
  await http.close();
  await server.close();
});
beforeEach(() => {
  server.messages.length = 0;
  Object.assign(server.state, { down: false, limited: 0 });
});

test("an alert is an embed with its picture", async () => {
  const picture = Buffer.from([255, 216, 1, 2, 3]);
  const sentAlert = alert({ picture, condition: "‘In stock’ added" });
  expect(await discord.sendAlert({ url: server.webhook }, sentAlert)).toMatchObject({ ok: true });
  const [sent] = server.messages;
  expect(sent?.message).toMatchObject({
    username: "Watchglass",
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: "Shop",
        description:
          "2 lines added in main\n```diff\n- Sold out\n+ In stock\n! endpoint: /api/v2\n```\nhttps://watch.example/dashboard?view=jobs",
        url: "https://watch.example/dashboard?view=jobs",
        image: { url: "attachment://before-after.jpg" },
        fields: [
          { name: "Address", value: "https://shop.example/" },
          { name: "You asked for", value: "‘In stock’ added" },
          { name: "Similarity", value: "97%" },
        ],
      },
    ],
  });
  expect(Buffer.from(sent?.files["files[0]"]?.bytes ?? [])).toEqual(picture);
});

test("the largest possible alert and digest stay within Discord's limits", async () => {
  expect(await discord.sendAlert({ url: server.webhook }, huge())).toMatchObject({ ok: true });
  const entries = Array.from({ length: 1000 }, () => huge());
  expect(
    await discord.sendDigest(
      { url: server.webhook },
      {
        isDaily: false,
        entries,
        link: "http://localhost:3000/",
        note: hostile,
      },
    ),
  ).toMatchObject({ ok: true });
  expect(server.messages[1]?.message.embeds[0]?.description).toMatch(
    /… \d+ more\nhttp:\/\/localhost:3000\/$/,
  );
});

test("V3 page text can't add formatting or links, or end its code block", async () => {
  await discord.sendAlert(
    { url: server.webhook },
    alert({ message: hostile, lines: [{ sign: "+", text: hostile }] }),
  );
  const text = server.messages[0]?.message.embeds[0]?.description ?? "";
  expect(text.split("```").length).toBe(3);
  expect(text.split("```")[0]).not.toMatch(/(?<!\\)\[a\]/);
  expect(text).toContain("\\*\\*x\\*\\* \\[a\\]\\(http://evil.example\\)");
});

test.each([
  "https://discord.com/api/webhooks/123456789012345678/aB-_9",
  "https://discordapp.com/api/webhooks/1/a",
  "https://ptb.discord.com/api/v10/webhooks/1/a",
  " https://discord.com/api/webhooks/1/a ",
])("accepts the webhook address %s", (url) => {
  expect(discord.refuse(url)).toBeNull();
});
test.each([
  "",
  "hello",
  "http://discord.com/api/webhooks/1/a",
  "https://discord.com:8443/api/webhooks/1/a",
  "https://discord.com/api/webhooks/1",
  "https://discord.com/channels/1/2",
  "https://discord.com.evil.example/api/webhooks/1/a",
  "https://evil.example/api/webhooks/1/a",
  "https://discord.com@evil.example/api/webhooks/1/a",
  "http://127.0.0.1:1/api/webhooks/1/a",
  "http://169.254.169.254/api/webhooks/1/a",
  "https://8.8.8.8/api/webhooks/1/a",
  "https://discord.com/api/webhooks/1/a/../../../x",
])("refuses the webhook address %j with an explanation", (url) => {
  expect(discord.refuse(url)).toMatch(/^This is not a Discord webhook address/);
});

test("Discord is asked for the webhook's name, and an unknown webhook counts as gone", async () => {
  expect(await discord.look({ url: server.webhook })).toEqual({ ok: true, name: "Alerts" });
  const unknown = `${server.url}/api/webhooks/1/unknown`;
  const goneResult = {
    ok: false,
    failure: {
      message: "Discord doesn’t know this webhook: it was deleted, or its address is incomplete.",
      transient: false,
      gone: true,
    },
  };
  expect(await discord.look({ url: unknown })).toEqual(goneResult);
  expect(await discord.sendAlert({ url: unknown }, alert())).toEqual(goneResult);
});

test("rate limits and outages are failures that can be retried", async () => {
  server.state.limited = 1;
  expect(await discord.sendAlert({ url: server.webhook }, alert())).toEqual({
    ok: false,
    failure: { message: "Discord answered 429.", transient: true, retryAfterSeconds: 1 },
  });
  server.state.down = true;
  expect(await discord.sendAlert({ url: server.webhook }, alert())).toMatchObject({
    ok: false,
    failure: { transient: true },
  });
});

test("an alert is edited in place and keeps its picture; a message that was deleted isn't sent again", async () => {
  const before = server.messages.length;
  const result = await discord.sendAlert({ url: server.webhook }, alert({ picture: Buffer.alloc(100) }));
  const ref = result.ok ? (result.ref ?? "") : "";
  const edited = alert({ note: "The same changed on 36 other pages." });
  expect(await discord.editAlert?.({ url: server.webhook }, ref, edited)).toEqual({ ok: true });
  const stored = server.messages[before];
  expect(stored?.edits).toBe(1);
  expect(stored?.message.embeds[0]).toMatchObject({
    description: expect.stringContaining("The same changed on 36 other pages"),
    image: { url: "attachment://before-after.jpg" },
  });
  expect(await discord.editAlert?.({ url: server.webhook }, "999/text", edited)).toMatchObject({ ok: false });
  expect(server.messages).toHaveLength(before + 1);
});

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTelegram, type Telegram } from "./telegram.ts";
import { alertText, digestText } from "./telegram-text.ts";
import { alert, hostile, huge, noRateLimit } from "./testing/alerts.ts";
import { startTelegramServer } from "./testing/telegram-server.ts";

let server: Awaited<ReturnType<typeof startTelegramServer>>;
let telegram: Telegram;
beforeAll(async () => {
  server = await startTelegramServer();
  server.state.perChat = Number.POSITIVE_INFINITY;
  telegram = openTelegram({ token: server.token, apiRoot: server.url, pace: noRateLimit });
});
afterAll(() => server.close());
beforeEach(() => {
  server.sent.length = 0;
  server.state.down = false;
  server.state.blocked.clear();
});

test("an alert has title, summary, lines, findings, link and buttons", async () => {
  const condition = "‘In stock’ added";
  const sentAlert = alert({ status: { before: 404, after: 200 }, condition });
  expect(await telegram.sendAlert("7", sentAlert)).toMatchObject({ ok: true });
  const [sent] = server.sent;
  expect(sent?.text).toBe(
    [
      "🔵 Shop",
      "2 lines added in main",
      "You asked for: ‘In stock’ added",
      "Status 404 → 200",
      "https://shop.example/",
      "- Sold out\n+ In stock\n! endpoint: /api/v2",
      "",
      "https://watch.example/dashboard?view=jobs",
    ].join("\n"),
  );
  expect(sent?.buttons).toEqual([
    { text: "Run again", callback_data: "run:00000000-0000-4000-8000-000000000001" },
    { text: "Pause job", callback_data: "pause:00000000-0000-4000-8000-000000000001" },
    { text: "This is noise", callback_data: "noise:00000000-0000-4000-8000-000000000002" },
  ]);
});

test("mentions and commands in a page's text are disabled outside of quoted lines", () => {
  const text = alertText(alert({ title: "@everyone", message: "Ask @admin or tap /stop; 1/2 stands" }), 4096);
  expect(text).not.toMatch(/@\w|\s\/stop/);
  expect(text.replaceAll("\u2060", "")).toContain("Ask @admin or tap /stop; 1/2 stands\n");
});

test("an alert with a picture is sent as a photo with a caption", async () => {
  const picture = Buffer.from("a picture");
  await telegram.sendAlert("7", alert({ picture }));
  expect([server.sent[0]?.method, Buffer.from(server.sent[0]?.photo ?? [])]).toEqual(["sendPhoto", picture]);
});

test("the largest possible alert stays within Telegram's limits and keeps its link", async () => {
  expect(await telegram.sendAlert("7", huge())).toMatchObject({ ok: true });
  expect(await telegram.sendAlert("8", { ...huge(), picture: Buffer.alloc(100) })).toMatchObject({
    ok: true,
  });
  expect(server.sent.map((sent) => [sent.method, sent.text.endsWith("dashboard?view=jobs")])).toEqual([
    ["sendMessage", true],
    ["sendPhoto", true],
  ]);
  expect(server.sent[0]?.text).toMatch(/… \d+ more/);
});

test("an alert whose picture is over 10 MB is sent without it", async () => {
  expect(await telegram.sendAlert("7", alert({ picture: Buffer.alloc(10 * 1024 * 1024 + 1) }))).toMatchObject(
    { ok: true },
  );
  expect(server.sent[0]?.method).toBe("sendMessage");
});

test("V3 page text is never interpreted as markup", async () => {
  await telegram.sendAlert(
    "7",
    alert({ title: hostile, message: hostile, lines: [{ sign: "+", text: hostile }] }),
  );
  expect(server.sent[0]?.text.replaceAll("\u2060", "").split(hostile).length).toBe(4);
  expect(server.sent[0]?.html).not.toContain("<script>");
});

test("a digest lists as many changes as fit and counts the others", async () => {
  const entries = Array.from({ length: 1000 }, (_, i) => alert({ title: `Job ${i} ${hostile}` }));
  expect(
    await telegram.sendDigest("7", { isDaily: false, entries, link: "https://watch.example/", note: null }),
  ).toMatchObject({ ok: true });
  const lines = server.sent[0]?.text.split("\n") ?? [];
  expect(lines[0]).toBe("1000 more changes");
  const listedCount = lines.filter((line) => line.startsWith("🔵")).length;
  expect(lines).toContain(`… ${1000 - listedCount} more`);
  expect(listedCount).toBeGreaterThan(20);
});

test("a failure says whether the chat is gone, whether to retry and how long to wait", async () => {
  server.state.blocked.add("7");
  expect(await telegram.sendAlert("7", alert())).toEqual({
    ok: false,
    failure: {
      message: "Telegram answered: Forbidden: bot was blocked by the user",
      transient: false,
      gone: true,
    },
  });
  server.state.down = true;
  expect(await telegram.sendAlert("8", alert())).toEqual({
    ok: false,
    failure: { message: "We couldn’t reach Telegram.", transient: true },
  });
  server.state.down = false;
  server.state.perChat = 1;
  await telegram.sendAlert("9", alert());
  expect(await telegram.sendAlert("9", alert())).toMatchObject({
    ok: false,
    failure: { transient: true, retryAfterSeconds: 1 },
  });
  server.state.perChat = Number.POSITIVE_INFINITY;
  const wrongTokenBot = openTelegram({ token: "1:WRONG", apiRoot: server.url, pace: noRateLimit });
  expect(await wrongTokenBot.sendAlert("7", alert())).toMatchObject({
    ok: false,
    failure: { transient: true },
  });
});

test("a message that the rate limit would hold for long is postponed instead of waited for", async () => {
  const rateLimitedBot = openTelegram({
    token: server.token,
    apiRoot: server.url,
    pace: { take: async (key) => (key === "telegram:7" ? 12 : 0), pause: async () => undefined },
  });
  expect(await rateLimitedBot.sendAlert("7", alert())).toEqual({
    ok: false,
    failure: {
      message: "Telegram limits how fast we may send: we’ll try again.",
      transient: true,
      retryAfterSeconds: 12,
    },
  });
  expect(server.sent.length).toBe(0);
});

test("text lengths are counted as Telegram counts them", () => {
  expect(alertText(alert({ title: "&".repeat(500) }), 1024)).toContain("&amp;".repeat(100));
  expect(digestText({ isDaily: false, entries: [alert()], link: "l", note: "n" })).toBe(
    "<b>1 more change</b>\nn\n🔵 Shop: 2 lines added in main\n\nl",
  );
});

test("an alert is edited in place, with or without its picture; in another chat it isn't", async () => {
  for (const picture of [null, Buffer.alloc(100)]) {
    const result = await telegram.sendAlert("9", { ...alert(), picture });
    const ref = result.ok ? (result.ref ?? "") : "";
    const edited = { ...alert(), note: "The same changed on 36 other pages." };
    expect(await telegram.editAlert?.("9", ref, edited)).toEqual({ ok: true });
    // A repeated edit is no failure, although Telegram refuses what changes nothing.
    expect(await telegram.editAlert?.("9", ref, edited)).toEqual({ ok: true });
    expect(server.sentTo("9").at(-1)).toMatchObject({
      edits: 1,
      text: expect.stringContaining("The same changed on 36 other pages."),
    });
    expect(await telegram.editAlert?.("10", ref, edited)).toMatchObject({ ok: false });
    expect(await telegram.editAlert?.("9", "9/999/text", edited)).toMatchObject({ ok: false });
  }
});

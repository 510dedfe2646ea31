import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SharedOutside, sharedOutside, startOutside } from "#alerts/testing/outside.ts";
import { startTelegram } from "./start-telegram-bot.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => {
  world.telegram.state.blocked.clear();
});

const linkedMail = "A Telegram chat was linked to your account";

describe("linking a chat", () => {
  test("N2 a token links one chat, announced by mail and shown in the profile, where it can be unlinked", async () => {
    const { chat, botToken, email, call } = await world.person();
    const token = await botToken();
    await world.telegram.say(chat, "/start");
    expect((await world.telegram.message(chat)).text).toMatch(
      /^Watchglass watches web pages[\s\S]+\/addtoken command/,
    );
    await world.telegram.say(chat, `/addtoken ${token}`);
    expect((await world.telegram.message(chat, 2)).text).toMatch(/^Linked\./);
    const mail = await world.mailTo(email);
    expect(mail.subject).toBe(linkedMail);
    expect(mail.text).toContain("The Telegram chat @ana now receives your alerts.");
    const channels = await call("GET", "/api/me/channels");
    expect(channels.body).toMatchObject({
      telegram: {
        included: true,
        available: true,
        bot: "watchglass_bot",
        chat: { label: "@ana", failure: null },
      },
    });
    expect(
      world.telegram.calls.some(
        ({ method, fields }) => method === "deleteMessage" && fields.chat_id === chat,
      ),
    ).toBe(true);

    const renewed = await botToken();
    expect(renewed).not.toBe(token);
    const stranger = `${chat}9`;
    await world.telegram.say(stranger, `/addtoken ${token}`);
    expect((await world.telegram.message(stranger)).text).toMatch(/^This token isn’t valid/);

    expect((await call("DELETE", "/api/me/channels/telegram")).status).toBe(200);
    expect((await call("GET", "/api/me/channels")).body).toMatchObject({ telegram: { chat: null } });
    await world.telegram.say(chat, "/status");
    expect((await world.telegram.message(chat, 3)).text).toMatch(/^This chat is not linked/);
  });

  test("N2 a renewed token replaces the old one", async () => {
    const { chat, botToken, call } = await world.person();
    const old = await botToken();
    const { body } = await call("POST", "/api/me/bot-token");
    expect(body.token).toBe(await botToken());
    await world.telegram.say(chat, `/addtoken ${old}`);
    expect((await world.telegram.message(chat)).text).toMatch(/^This token isn’t valid/);
    await world.telegram.say(chat, `/addtoken ${body.token}`);
    expect((await world.telegram.message(chat, 2)).text).toMatch(/^Linked\./);
  });

  test("N2 guesses are limited per chat, and after too many the right token is refused too", async () => {
    const { chat, botToken, call } = await world.person();
    for (let guess = 1; guess <= 5; guess++) {
      await world.telegram.say(chat, `/addtoken guess-${guess}`);
      expect((await world.telegram.message(chat, guess)).text).toMatch(/^This token isn’t valid/);
    }
    await world.telegram.say(chat, `/addtoken ${await botToken()}`);
    expect((await world.telegram.message(chat, 6)).text).toMatch(
      /^Too many attempts\. Try again in (59|60) minutes\.$/,
    );
    expect((await call("GET", "/api/me/channels")).body).toMatchObject({ telegram: { chat: null } });
  }, 40_000);

  test("A6 one token sent in two chats at once links only one of them", async () => {
    const { chat, botToken } = await world.person();
    const token = await botToken();
    const chats = [`${chat}1`, `${chat}2`];
    await Promise.all(chats.map((chatId) => world.telegram.say(chatId, `/addtoken ${token}`)));
    const answers = await Promise.all(chats.map((chatId) => world.telegram.message(chatId)));
    expect(answers.filter(({ text }) => text.startsWith("Linked.")).length).toBe(1);
  });

  test("a chat that is linked to another account is unlinked from the first, whose owner is notified", async () => {
    const first = await world.person({ telegram: true });
    const second = await world.person();
    await world.telegram.say(first.chat, `/addtoken ${await second.botToken()}`);
    await world.telegram.message(first.chat, 2);
    expect((await first.call("GET", "/api/me/channels")).body).toMatchObject({ telegram: { chat: null } });
    expect(await first.feed()).toMatchObject([
      { kind: "delivery-failed", message: "The chat was linked to another account." },
    ]);
  });
});

describe("commands", () => {
  test("/status and /jobs show the account's own jobs, and /stop unlinks the chat", async () => {
    const { chat, createJob, call } = await world.person({ telegram: true });
    await createJob({ name: "Login <page>" });
    await createJob({ name: "Shop" });
    await world.telegram.say(chat, "/status");
    expect((await world.telegram.message(chat, 2)).text).toBe(
      "2 jobs: 2 active, 0 paused, 0 interrupted.\n0 changes found so far. 0 jobs are failing now.\nThis chat is linked. You’ll get your alerts here.",
    );
    await world.telegram.say(chat, "/jobs@watchglass_bot");
    expect((await world.telegram.message(chat, 3)).text).toBe("ACTIVE Login <page>\nACTIVE Shop");
    await world.telegram.say(chat, "/stop");
    expect((await world.telegram.message(chat, 4)).text).toBe(
      "This chat is unlinked; no more alerts come here.",
    );
    expect((await call("GET", "/api/me/channels")).body).toMatchObject({ telegram: { chat: null } });
  });

  test("N2 an update that arrives twice is handled once", async () => {
    const { chat } = await world.person({ telegram: true });
    const id = await world.telegram.say(chat, "/jobs");
    await world.telegram.message(chat, 2);
    await world.telegram.say(chat, "/jobs", id);
    await world.telegram.say(chat, "/status");
    expect((await world.telegram.message(chat, 3)).text).toMatch(/^0 jobs/);
    expect(world.telegram.sentTo(chat)).toHaveLength(3);
  });
});

describe("buttons", () => {
  const answerTo = (press: string) =>
    world.eventually(`the answer to ${press}`, async () => {
      const calls = world.telegram.calls.filter(({ method }) => method === "answerCallbackQuery");
      return calls.findLast(({ fields }) => fields.callback_query_id === press)?.fields.text;
    });
  let presses = 0;
  const press = async (chat: string, data: string) => {
    presses = await world.telegram.press(chat, data);
    return answerTo(`press-${presses - 1}`);
  };

  test("the buttons for running again, pausing and marking as noise work", async () => {
    const { chat, createJob, change, execution, run, call, deliveriesOf, logsOf } = await world.person({
      telegram: true,
    });
    const jobId = await createJob();
    const changed = await change(jobId, "A line that comes and goes by itself, every day anew.");
    await deliveriesOf(jobId, changed.id);
    expect(await press(chat, `noise:${changed.id}`)).toBe(
      "Marked as noise. You won’t get alerts about it anymore.",
    );
    expect(await logsOf(jobId)).toContain("[info] Marked as noise: what differed is learned");
    await createJob();
    expect(await run(jobId)).toMatchObject({ changed: false });

    expect(await press(chat, `run:${jobId}`)).toBe("The check has started.");
    await execution(jobId, 4);
    expect(await press(chat, `pause:${jobId}`)).toBe("The job is paused.");
    expect((await call("GET", `/api/jobs/${jobId}`)).body.status).toBe("PAUSED");
  });

  test("Z2 other accounts, unlinked chats and malformed buttons can't reach a job", async () => {
    const owner = await world.person({ telegram: true });
    const stranger = await world.person({ telegram: true });
    const jobId = await owner.createJob();
    const changed = await owner.change(jobId, "A paragraph that is nobody else's business at all.");
    for (const data of [`run:${jobId}`, `pause:${jobId}`])
      expect(await press(stranger.chat, data)).toBe("There is nothing here.");
    expect(await press(stranger.chat, `noise:${changed.id}`)).toBe("This change is no longer stored.");
    expect(await press("77777", `pause:${jobId}`)).toMatch(/^This chat is not linked/);
    for (const data of ["pause:' or 1=1", "drop", "pause:", "evil:00000000-0000-4000-8000-000000000000"])
      expect(await press(owner.chat, data)).toBe("There is nothing here.");
    expect((await owner.call("GET", `/api/jobs/${jobId}`)).body.status).toBe("ACTIVE");
  });
});

test("of two processes only one polls at a time", async () => {
  const stop = startTelegram(world.app);
  await world.person({ telegram: true });
  await world.person({ telegram: true });
  expect(world.telegram.state.conflicts).toBe(0);
  await stop();
});

describe("the webhook", () => {
  const update = (id: number, chat: number) => ({
    update_id: id,
    message: {
      message_id: 1,
      date: 0,
      chat: { id: chat, type: "private", first_name: "Ana" },
      text: "/start",
      entities: [{ type: "bot_command", offset: 0, length: 6 }],
    },
  });

  test("updates are accepted only with the secret that Telegram was given", async () => {
    for (const secret of ["", "wrong"]) {
      const headers = { "x-telegram-bot-api-secret-token": secret };
      const answer = await world.call("POST", "/api/telegram/webhook", update(900_001, 4242), { headers });
      expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect(world.telegram.sentTo("4242")).toEqual([]);
  });

  test("is used instead of polling when BASE_URL is public", async () => {
    const other = await startOutside({ BASE_URL: "https://watch.example.com" });
    const webhook = await other.until("the webhook", async () => other.telegram.webhook());
    expect(webhook.url).toBe("https://watch.example.com/api/telegram/webhook");
    const headers = { "x-telegram-bot-api-secret-token": webhook.secret };
    for (let time = 0; time < 2; time++) {
      const answer = await other.call("POST", "/api/telegram/webhook", update(1, 4242), { headers });
      expect(answer.status).toBe(200);
    }
    expect(other.telegram.sentTo("4242").map(({ text }) => text)).toEqual([
      expect.stringContaining("https://watch.example.com/dashboard?view=profile"),
    ]);
    expect(other.telegram.calls.some(({ method }) => method === "getUpdates")).toBe(false);
    await other.close();
  });
});

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "./testing/outside.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => {
  Object.assign(world.telegram.state, { down: false, floods: 0 });
  world.telegram.state.blocked.clear();
  Object.assign(world.discord.state, { down: false, limited: 0 });
  world.discord.webhooks.set("/api/webhooks/123456/good-token", "Alerts");
  world.hook.next.length = 0;
  world.hook.received.length = 0;
});

const trigger = () => ({
  url: `${world.hook.url}/hook`,
  method: "POST",
  body: '{"event": "{{event.id}}", "name": "{{job.name}}", "summary": "{{summary}}", "added": "{{added}}", "before": {{status.before}}}',
});

describe("a change", () => {
  test("of a feed is told by entry, with links; what only made way for a new entry isn't", async () => {
    const { createJob, run, deliveriesOf, alerts } = await world.person();
    const feed = (...numbers: number[]) =>
      `<rss version="2.0"><channel><title>News</title>${numbers
        .map(
          (n) =>
            `<item><guid>${n}</guid><title>Title ${n}</title><link>https://news.example/${n}</link><pubDate>${new Date(Date.UTC(2026, 0, n)).toUTCString()}</pubDate></item>`,
        )
        .join("")}</channel></rss>`;
    const { page } = world.site;
    page.kind = "xml";
    const jobId = await createJob({}, feed(5, 4, 3, 2, 1));
    page.html = feed(3, 5, 4, 1, 2);
    expect(await run(jobId)).toMatchObject({ changed: false, error: null });
    page.html = feed(6, 5, 4, 3, 2);
    const added = await run(jobId);
    page.html = feed(6, 5, 3, 2);
    const gone = await run(jobId);
    for (const { id } of [added, gone]) await deliveriesOf(jobId, id);
    const [first, second] = await alerts();
    page.kind = "html";
    expect(first?.subject).toBe("Job 1: New entry: Title 6");
    expect(first?.text).toContain("+ New entry: Title 6 https://news.example/6");
    expect(first?.text).not.toContain("Title 1 ");
    expect(second?.subject).toBe("Job 1: Gone: Title 4");
    expect(second?.text).toContain("- Gone: Title 4 https://news.example/4");
  });

  test("R1 reaches every channel once with picture, changed lines and link, and deliveries are listed", async () => {
    const { chat, createJob, change, deliveriesOf, alerts, detail, call } = await world.person({
      telegram: true,
      discord: true,
    });
    const jobId = await createJob({ trigger: trigger() });
    const messages = world.discord.messages.length;
    const { id } = await change(jobId, `A "new" <b>paragraph</b> about glass.`);
    expect(
      (await deliveriesOf(jobId, id)).map(({ channel, state, attempts }) => [channel, state, attempts]),
    ).toEqual([
      ["telegram", "sent", 1],
      ["discord", "sent", 1],
      ["email", "sent", 1],
    ]);
    const [linked, alert, ...more] = world.telegram.sentTo(chat);
    expect(linked?.text).toMatch(/^Linked\./);
    expect(more).toEqual([]);
    expect(alert?.method).toBe("sendPhoto");
    expect(alert?.text).toContain('+ A "new" paragraph about glass.');
    expect(alert?.text).toContain(`/dashboard?view=jobs&job=${jobId}&execution=${id}`);
    expect(alert?.buttons.map(({ text }) => text)).toEqual([
      "Run again",
      "Pause job",
      "This is noise",
      // The two tags of the new paragraph.
      "Ignored: 2",
    ]);
    expect(world.discord.messages.length - messages).toBe(1);
    expect(world.discord.messages.at(-1)?.message.embeds[0]).toMatchObject({
      title: "Job 1",
      image: { url: "attachment://before-after.jpg" },
    });
    const [mail, ...others] = await alerts();
    expect(others).toEqual([]);
    expect(mail?.subject).toMatch(/^Job 1: /);
    expect(mail?.text).toContain('+ A "new" paragraph about glass.');
    // The mailbox shows the picture that the mail brings along.
    expect(mail?.html).toContain('src="data:image/jpeg;base64,');

    const run = await world.eventually("the run", async () => {
      const { triggerRuns } = await detail(jobId, id);
      return triggerRuns[0]?.state === "sent" && triggerRuns[0];
    });
    expect(world.hook.received.length).toBe(1);
    const body = JSON.parse(world.hook.received[0]?.body.toString() ?? "");
    expect(body).toMatchObject({ name: "Job 1", before: 200, added: 'A "new" paragraph about glass.' });
    expect(run).toMatchObject({
      attempts: 1,
      eventId: body.event,
      byHand: false,
      response: { status: 200, body: '{"ok":true}' },
    });
    expect((await call("GET", "/api/notifications")).body).toMatchObject({ unread: 1 });
  });

  test("R2 is alerted once even if it is announced twice", async () => {
    const { createJob, change, deliveriesOf, alerts, accountId } = await world.person();
    const jobId = await createJob({ trigger: trigger() });
    const { id } = await change(jobId, "Another paragraph about glass stands here.");
    await deliveriesOf(jobId, id);
    const { id: notificationId } = await world.app.db
      .selectFrom("notifications")
      .select("id")
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    const taskId = await world.app.queue.send(world.app.db, "announce", { notificationId });
    await world.eventually("the second announcement", async () => {
      const row = await world.app.db
        .selectFrom("pgboss.job" as never)
        .select("state" as never)
        .where("id" as never, "=", taskId as never)
        .executeTakeFirst();
      return (row as { state?: string } | undefined)?.state === "completed";
    });
    expect((await deliveriesOf(jobId, id)).length).toBe(1);
    expect([(await alerts()).length, world.hook.received.length]).toEqual([1, 1]);
  });

  test("recovery after a failed check adds a notification to the feed and sends no alert", async () => {
    const { createJob, run, feed, alerts } = await world.person();
    const jobId = await createJob();
    world.site.next.push({ failure: { kind: "refused", message: "Down." } });
    await run(jobId);
    await run(jobId);
    expect((await feed()).map(({ kind }) => kind)).toEqual(["recovered"]);
    expect(await alerts()).toEqual([]);
  });
});

describe("a channel that fails", () => {
  test("after five attempts while Telegram is down, the alert is mailed and the failure is reported once", async () => {
    const { createJob, change, deliveriesOf, alerts, feed, call } = await world.person({ telegram: true });
    await call("PATCH", "/api/settings/notifications", { emailNotifications: false });
    const jobId = await createJob();
    world.telegram.state.down = true;
    const { id } = await change(jobId, "A paragraph that Telegram does not get.");
    await world.eventually("the mail", async () => (await alerts()).length === 2);
    expect(await deliveriesOf(jobId, id)).toMatchObject([
      { channel: "telegram", state: "failed", attempts: 5, error: "We couldn’t reach Telegram." },
      { channel: "email", state: "sent", insteadOf: "telegram" },
    ]);
    const subjects = (await alerts()).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith("Alerts by Telegram are failing"))).toHaveLength(
      1,
    );
    expect((await alerts()).find(({ subject }) => subject.startsWith("Job 1"))?.text).toContain(
      "You’re getting this by email because Telegram didn’t accept it.",
    );
    expect((await feed()).map(({ kind }) => kind)).toEqual(["delivery-failed", "change"]);
    const second = await change(jobId, "One more paragraph that Telegram does not get.");
    await deliveriesOf(jobId, second.id);
    expect((await feed()).map(({ kind }) => kind)).toEqual(["change", "delivery-failed", "change"]);
    world.telegram.state.down = false;
    const third = await change(jobId, "A third paragraph, which Telegram gets.");
    expect(await deliveriesOf(jobId, third.id)).toMatchObject([{ channel: "telegram", state: "sent" }]);
    const channels = await call("GET", "/api/me/channels");
    expect(channels.body).toMatchObject({ telegram: { chat: { label: "@ana", failure: null } } });
  }, 60_000);

  test("a bot that the user blocked fails after one attempt, shows in the profile and isn't tried again", async () => {
    const { chat, createJob, change, deliveriesOf, call } = await world.person({ telegram: true });
    const jobId = await createJob();
    world.telegram.state.blocked.add(chat);
    const { id } = await change(jobId, "A paragraph for a chat that is closed.");
    expect(await deliveriesOf(jobId, id)).toMatchObject([
      { channel: "telegram", state: "failed", attempts: 1 },
      { channel: "email", state: "sent", insteadOf: null },
    ]);
    const channels = await call("GET", "/api/me/channels");
    expect(channels.body).toMatchObject({
      telegram: { chat: { failure: "Telegram answered: Forbidden: bot was blocked by the user" } },
    });
    const again = await change(jobId, "Another paragraph for a chat that is closed.");
    expect(await deliveriesOf(jobId, again.id)).toMatchObject([{ channel: "email", state: "sent" }]);
  });

  test("a chat that is unlinked while an alert is waiting stays unlinked, and the alert is sent by mail", async () => {
    const { createJob, change, deliveriesOf, feed, call, detail } = await world.person({ telegram: true });
    await call("PATCH", "/api/settings/notifications", { emailNotifications: false });
    const jobId = await createJob();
    world.telegram.state.down = true;
    const { id } = await change(jobId, "A paragraph for a chat that is about to go.");
    await world.waitFor("an attempt", async () => {
      const { deliveries } = await detail(jobId, id);
      return deliveries[0]?.attempts === 1 && deliveries[0].error !== null;
    });
    await call("DELETE", "/api/me/channels/telegram");
    expect(await deliveriesOf(jobId, id)).toMatchObject([
      { channel: "telegram", state: "failed", error: "It was unlinked." },
      { channel: "email", state: "sent", insteadOf: "telegram" },
    ]);
    expect((await call("GET", "/api/me/channels")).body).toMatchObject({ telegram: { chat: null } });
    expect((await feed()).map(({ kind }) => kind)).toEqual(["change"]);
  });

  test("a deleted Discord webhook is reported through the other channels", async () => {
    const { createJob, change, deliveriesOf, feed, alerts } = await world.person({ discord: true });
    const jobId = await createJob();
    world.discord.webhooks.clear();
    const { id } = await change(jobId, "A paragraph that Discord does not get.");
    expect(await deliveriesOf(jobId, id)).toMatchObject([
      { channel: "discord", state: "failed", attempts: 1 },
      { channel: "email", state: "sent" },
    ]);
    expect((await feed())[0]).toMatchObject({
      kind: "delivery-failed",
      title: "Alerts by Discord are failing",
    });
    await world.eventually("the mail", async () =>
      (await alerts()).some(({ subject }) => subject.startsWith("Alerts by Discord are failing")),
    );
  });

  test("a delivery waits out rate-limit responses, and they don't count as attempts", async () => {
    const { createJob, change, deliveriesOf } = await world.person({ discord: true });
    const jobId = await createJob();
    world.discord.state.limited = 3;
    const { id } = await change(jobId, "A paragraph for a busy Discord.");
    expect(await deliveriesOf(jobId, id)).toMatchObject([
      { channel: "discord", state: "sent", attempts: 1 },
      {},
    ]);
  });
});

import { beforeAll, beforeEach, expect, test } from "vitest";
import { announce } from "./announce.ts";
import { type SharedOutside, sharedOutside } from "./testing/outside.ts";
import { deployed, footer, watchPages } from "./testing/pages.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
beforeEach(() => world.reset());

// 200 pages take a while; their number changes nothing but the count.
const deployment = process.env.TEST_SIZE === "long" ? 200 : 40;
const byText = (a = "", b = "") => a.localeCompare(b);
test(`a deployment over ${deployment} pages is one message, what is beyond it is alerted for itself, and mail closes it`, async () => {
  const person = await watchPages(world);
  const all = await person.addPages(deployment);
  const [first, , remainder, leaking, defaced] = all;
  if (!first || !remainder || !leaking || !defaced) throw new Error("no pages");
  await person.pages.change(first, deployed);
  await person.settled();
  for (const page of all.slice(1))
    await person.pages.change(page, {
      ...deployed,
      ...(page === remainder ? { added: ["Jobs", "Prices go up in June"] } : {}),
      ...(page === leaking
        ? { findings: [{ kind: "secret", severity: "important", value: "key", where: "" }] }
        : {}),
      ...(page === defaced ? { removed: footer, added: ["Hacked"], severity: "critical" as const } : {}),
    });
  await person.settled();
  const joined = deployment - 4;
  await world.eventually("the edit", async () => (await person.uncovered("telegram")) === 0);
  const titles = (messages: { text: string }[]) =>
    messages.map(({ text }) => /Page \d+/.exec(text)?.[0]).toSorted(byText);
  const own = ["Page 0", "Page 2", "Page 3", "Page 4"];
  expect(titles(person.telegram())).toEqual(own);
  const lead = person.telegram().find(({ text }) => text.includes("Page 0"));
  expect(lead?.text).toContain(`The same changed on ${joined} other pages: Page 1, Page 5, `);
  expect(lead?.text).toContain("- Careers");
  expect(lead?.buttons.map(({ text }) => text)).toContain("Run again");
  expect(person.telegram().find(({ text }) => text.includes("Page 2"))?.text).toContain(
    "Prices go up in June",
  );

  expect((await person.alerts()).map(({ subject }) => subject.slice(0, 6)).sort()).toEqual(own);
  await world.passQuietTime(person.accountId);
  const closing = await world.eventually("the closing mail", async () => (await person.alerts())[4]);
  expect(closing.subject).toContain(`The same change on ${joined} more pages`);
  expect(closing.text).toMatch(
    /Visible text “(Careers|Jobs)” (removed|added) on \d+ pages, and 1 more thing/,
  );
  expect(closing.text).toContain("view=incidents&incident=");
  await person.settled();
  expect([person.telegram().length, (await person.alerts()).length]).toEqual([4, 5]);
  expect(await person.uncovered("email")).toBe(0);
});

test("two deployments at once are two messages, and so are those of two sites", async () => {
  const person = await watchPages(world);
  const all = await person.addPages(8);
  const elsewhere = await person.pages.add("Elsewhere", [...footer, "Own"], { host: "other.example" });
  for (const [i, page] of all.entries())
    await person.pages.change(
      page,
      i % 2 === 0 ? deployed : { removed: ["Imprint"], added: ["Legal notice"] },
    );
  await person.pages.change(elsewhere, { removed: ["Careers", "Own"], added: ["Jobs"] });
  await person.settled();
  await world.eventually("the edits", async () => (await person.uncovered("telegram")) === 0);
  const texts = person.telegram().map(({ text }) => text);
  expect(texts).toHaveLength(3);
  const counts = texts.map((text) => /on (\d+) other pages/.exec(text)?.[1]).toSorted(byText);
  expect(counts).toEqual(["3", "3", undefined]);
  await world.passQuietTime(person.accountId);
  await world.eventually("the closing mails", async () => (await person.alerts()).length === 5);
});

test("an alert that is more severe, a page that changes again, and another channel are messages of their own", async () => {
  const person = await watchPages(world);
  const [first, second, third] = await person.addPages(3);
  if (!first || !second || !third) throw new Error("no pages");
  await person.pages.change(first, deployed);
  await person.settled();
  await person.pages.change(second, { ...deployed, severity: "important" });
  await person.settled();
  // A visitor sees the old page again, then the new one.
  await person.pages.change(first, { removed: ["Jobs"], added: ["Careers"] });
  await person.pages.change(first, deployed);
  await person.settled();
  expect([person.telegram().length, (await person.rows()).length]).toEqual([4, 0]);
  await world.app.db
    .updateTable("jobs")
    .set({ settings: JSON.stringify({ channels: ["email"] }) })
    .where("id", "=", first.jobId)
    .execute();
  await person.pages.change(third, { ...deployed, severity: "important" });
  await person.settled();
  // The more severe message says everything that the third page's would.
  expect((await person.rows()).map(({ channel }) => channel).sort()).toEqual(["email", "telegram"]);
});

test("a message that can't be edited, or is gone, leaves its pages to the closing message", async () => {
  const person = await watchPages(world, { discord: true });
  const all = await person.addPages(4);
  for (const page of all.slice(0, 2)) await person.pages.change(page, deployed);
  await person.settled();
  await world.eventually("the edit", async () => (await person.uncovered("discord")) === 0);
  expect(world.discord.messages.map(({ edits }) => edits)).toEqual([1]);
  const [lead] = world.discord.messages;
  expect(lead?.message.embeds[0]?.description).toContain("The same changed on 1 other page: Page");
  // Somebody deletes the message in Discord.
  world.discord.messages.length = 0;
  for (const page of all.slice(2)) await person.pages.change(page, deployed);
  await person.settled();
  await world.passQuietTime(person.accountId);
  await world.eventually("the closing message", async () => world.discord.messages.length === 1);
  const [closing] = world.discord.messages;
  expect(closing?.message.embeds[0]?.title).toBe("The same change on 3 more pages");
  await world.eventually("the closing mail", async () => (await person.alerts()).length === 2);
  expect([await person.uncovered("discord"), await person.uncovered("email")]).toEqual([0, 0]);
});

test("pages that joined a page whose job is deleted are in the closing message", async () => {
  const person = await watchPages(world, { telegram: false });
  const all = await person.addPages(3);
  for (const page of all) await person.pages.change(page, deployed);
  await person.settled();
  const rows = await person.rows();
  const { execution_id: leadId } = await world.app.db
    .selectFrom("deliveries")
    .select("execution_id")
    .where("id", "=", rows[0]?.lead_id ?? "")
    .executeTakeFirstOrThrow();
  const lead = await world.app.db
    .selectFrom("executions")
    .select("job_id")
    .where("id", "=", leadId)
    .executeTakeFirstOrThrow();
  expect((await person.call("DELETE", `/api/jobs/${lead.job_id}`)).status).toBe(200);
  await world.eventually("the deletion", async () => {
    const left = await world.app.db.selectFrom("executions").select("id").where("id", "=", leadId).execute();
    return left.length === 0;
  });
  await world.passQuietTime(person.accountId);
  const closing = await world.eventually("the closing mail", async () => (await person.alerts())[1]);
  expect(closing.subject).toContain("The same change on 2 more pages");
});

test("a task that runs again after a killed worker announces nothing twice", async () => {
  const person = await watchPages(world, { telegram: true });
  const all = await person.addPages(2);
  for (const page of all) await person.pages.change(page, deployed);
  await person.settled();
  const { notifications } = (await person.call("GET", "/api/notifications")).body as unknown as {
    notifications: { id: string }[];
  };
  const others = { planTrigger: async () => undefined, awaitOpinion: async () => "send" as const };
  for (const { id } of [...notifications, ...notifications])
    await announce(world.app.alerts, { notificationId: id }, others);
  await person.settled();
  expect([person.telegram().length, (await person.rows()).length]).toEqual([1, 2]);
});

test("with combined alerts off, each page sends its own, and the feed lists all in either case", async () => {
  const person = await watchPages(world);
  expect((await person.call("PATCH", "/api/settings/notifications", { combineAlerts: false })).status).toBe(
    200,
  );
  const all = await person.addPages(3);
  for (const page of all) await person.pages.change(page, deployed);
  await person.settled();
  expect([person.telegram().length, (await person.rows()).length]).toEqual([3, 0]);
  const { incidents } = (await person.call("GET", "/api/incidents")).body as unknown as {
    incidents: { pages: number }[];
  };
  expect(incidents).toMatchObject([{ pages: 3 }]);
  await person.call("PATCH", "/api/settings/notifications", { combineAlerts: true });
  const more = await person.pages.add("One more", footer);
  await person.pages.change(more, deployed);
  await person.settled();
  await world.eventually("the edit", async () => (await person.uncovered("telegram")) === 0);
  expect((await person.feed()).filter(({ kind }) => kind === "change")).toHaveLength(4);
  const { body } = await person.call("GET", `/api/jobs/${more.jobId}/executions?limit=1`);
  const [{ id }] = body.executions as unknown as [{ id: string }];
  const { deliveries } = await person.detail(more.jobId, id);
  expect(deliveries.map(({ channel, state }) => `${channel} ${state}`).sort()).toEqual([
    "email joined",
    "telegram joined",
  ]);
});

test("an hourly digest has a line for the first page and one for all others", async () => {
  const person = await watchPages(world, { telegram: false });
  const { db, queue } = world.app;
  const schedule = { important: "hourly", notice: "hourly", dailyAt: 8, quiet: null, zone: "UTC" };
  expect((await person.call("PUT", "/api/me/channels/email/pace", schedule)).status).toBe(200);
  for (const page of await person.addPages(4)) await person.pages.change(page, deployed);
  const held = (count: number) =>
    world.eventually(`${count} held`, async () => {
      const rows = await db
        .selectFrom("deliveries")
        .select("state")
        .where("account_id", "=", person.accountId)
        .execute();
      return rows.length === count && rows.every(({ state }) => state === "held");
    });
  await held(1);
  await world.eventually("the others to join", async () => (await person.rows()).length === 3);
  await world.passQuietTime(person.accountId);
  await held(2);
  expect(await person.alerts()).toEqual([]);
  await db
    .updateTable("deliveries")
    .set({ held_until: new Date() })
    .where("account_id", "=", person.accountId)
    .execute();
  await queue.send(db, "digest", { accountId: person.accountId, channel: "email", attempts: 0 });
  const digest = await world.eventually("the digest", async () => (await person.alerts())[0]);
  expect(digest.subject).toContain("2 alerts");
  expect(digest.text).toContain("The same change on 3 more pages");
});

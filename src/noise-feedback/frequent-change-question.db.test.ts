import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";
import { story } from "#checks/testing/page.ts";
import { makeDue } from "#queue/testing/make-due.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});

const page = (note: string, offer: string, entry = "News") =>
  `<!doctype html><html><head><title>A page</title></head><body><header><p>${note}</p></header><nav><a href="/a">Home</a> <a href="/b">${entry}</a></nav><main>${story.map((text) => `<p>${text}</p>`).join("")}<p>${offer}</p></main></body></html>`;

const words = ["Sold out since noon", "Available again today", "Only three are left", "Back on Monday"];

async function watch(make: (at: number) => string) {
  const person = await world.person({ telegram: true });
  const jobId = await person.createJob({}, make(0));
  const step = (at: number) => {
    world.site.page.html = make(at);
    return person.run(jobId);
  };
  // The first message says that the chat is linked.
  const message = (nth: number) => world.telegram.message(person.chat, nth + 1);
  return { person, jobId, step, message };
}

const question = "3 of the last 5 checks";

test("a frequent change in the main content is alerted each time, and only the third alert asks about it", async () => {
  const { person, jobId, step, message } = await watch((at) => page("News", words[at % words.length] ?? ""));
  const hasQuestion: boolean[] = [];
  const ids: string[] = [];
  for (let at = 1; at <= 5; at++) {
    const execution = await step(at);
    expect(execution).toMatchObject({ changed: true, folded: false });
    ids.push(execution.id);
    const { text, buttons } = await message(at);
    hasQuestion.push(text.includes(question));
    const labels = buttons.map((button) => button.text);
    expect(labels.includes("Daily digest")).toBe(hasQuestion.at(-1));
  }
  expect(hasQuestion).toEqual([false, false, true, false, false]);
  await world.telegram.press(person.chat, `often-daily:${ids[2]}`);
  await world.eventually("the answer", async () =>
    (await person.logsOf(jobId)).some((line) => line.includes("daily digest from now on")),
  );
  expect(await step(6)).toMatchObject({ changed: true, folded: true });
  const { verdict } = (await person.detail(jobId, ids[2] ?? "")) as unknown as {
    verdict: { often: { times: number }[] };
  };
  expect(verdict.often[0]?.times).toBe(3);
});

test("a frequent change outside the main content moves to the daily digest, after an alert that says so", async () => {
  const { person, jobId, step, message } = await watch((at) =>
    page(`${words[at % words.length]}`, "The offer"),
  );
  const isDigestOnly: boolean[] = [];
  for (let at = 1; at <= 5; at++) isDigestOnly.push((await step(at)).folded);
  expect(isDigestOnly).toEqual([false, false, true, true, true]);
  await message(3);
  // One that Telegram defers may come after the next.
  expect(world.telegram.sentTo(person.chat).map(({ text }) => text)).toContainEqual(
    expect.stringContaining(
      "From now on, you’ll see such changes in your notifications and the daily digest",
    ),
  );
  const kinds = (await person.feed()).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === "folded")).toHaveLength(3);
  expect(kinds.filter((kind) => kind === "folding")).toHaveLength(1);
  expect(world.telegram.sentTo(person.chat)).toHaveLength(4);
  const endOfDay = (nth: number) =>
    world.eventually("the day's digest", async () => {
      await makeDue(world.app.db, sql`name = 'daily'`);
      return world.telegram.sentTo(person.chat)[nth];
    });
  const digest = await endOfDay(4);
  expect(digest.text).toContain("Today on 1 page");
  expect(digest.text).toContain("3 times");
  // The next digest doesn't count the changes of the previous one again.
  await step(6);
  expect((await endOfDay(5)).text).not.toContain("times");
  expect((await person.executionsOf(jobId))[0]).toMatchObject({ changed: true, folded: true });
});

const menu = async (entries: string[]) => {
  const watchedPage = await watch((at) => page("Hello", "The offer", entries[at]));
  const kinds = async () => (await watchedPage.person.feed()).map(({ kind }) => kind);
  const sent = () => world.telegram.sentTo(watchedPage.person.chat).length - 1;
  return { ...watchedPage, kinds, sent };
};

test("a new menu entry is alerted once a second check has seen it", async () => {
  const { person, jobId, step, message, kinds, sent } = await menu(["News", "Careers", "Careers"]);
  const { id, folded } = await step(1);
  expect([folded, sent(), await kinds()]).toEqual([true, 0, ["folded"]]);
  expect(await step(2)).toMatchObject({ changed: false });
  expect((await message(1)).text).toContain("Careers");
  expect(await kinds()).toEqual(["change"]);
  await world.eventually("the delivery", async () => {
    const { deliveries } = await person.detail(jobId, id);
    return deliveries.some(({ channel, state }) => channel === "telegram" && state === "sent");
  });
  expect(await person.detail(jobId, id)).toMatchObject({ folded: false });
});

test("a menu entry that is gone at the next check goes to the daily digest only", async () => {
  const { step, kinds, sent } = await menu(["News", "Careers", "News", "News"]);
  for (const at of [1, 2]) expect(await step(at)).toMatchObject({ changed: true, folded: true });
  expect(await step(3)).toMatchObject({ changed: false });
  expect(await kinds()).toEqual(["folded", "folded"]);
  expect(sent()).toBe(0);
});

test("a feedback link in a mail works once its page is confirmed, and a forged link isn't found", async () => {
  const person = await world.person();
  await person.call("PATCH", "/api/settings/notifications", { emailNotifications: true });
  const jobId = await person.createJob({}, page("News", words[0] ?? ""));
  for (let at = 1; at <= 3; at++) {
    world.site.page.html = page("News", words[at] ?? "");
    await person.run(jobId);
  }
  const mail = await world.eventually("the question", async () =>
    (await person.alerts()).find(({ text }) => text.includes(question)),
  );
  const link = /This is noise: \S+(\/api\/often\/\S+)/.exec(mail.text)?.[1] ?? "";
  const confirmPage = await world.call("GET", link);
  expect(confirmPage.status).toBe(200);
  expect(confirmPage.raw.toString()).toContain("This is noise?");
  const form = { headers: { "content-type": "application/x-www-form-urlencoded" } };
  expect((await world.call("POST", `${link.slice(0, -4)}AAAA`, "", form)).status).toBe(404);
  expect((await world.call("POST", link, "", form)).status).toBe(200);
  world.site.page.html = page("News", words[0] ?? "");
  expect(await person.run(jobId)).toMatchObject({ changed: false });
});

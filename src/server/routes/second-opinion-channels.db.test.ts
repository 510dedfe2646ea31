import { afterAll, expect, test } from "vitest";
import { startChatStandIns } from "#alerts/testing/outside.ts";
import { openPages } from "#alerts/testing/pages.ts";
import { startPushService } from "#channels/testing/push-service.ts";
import { judgeAs, startModelServer } from "#second-opinion/testing/model-server.ts";

const [chats, push, model] = await Promise.all([startChatStandIns(), startPushService(), startModelServer()]);
afterAll(() => Promise.all([chats.close(), push.close(), model.close()]));
const { outside, slack, teams, ntfy, matrix, hook } = chats;

type Person = Awaited<ReturnType<typeof outside.person>>;
const browser = push.browser("/browser");
const topic = crypto.randomUUID();

/** A user of a model, with every channel that is set up by an address. */
async function watcher(): Promise<Person> {
  const person = await outside.person();
  const channels: [string, object][] = [
    ["slack", { url: slack.webhook }],
    ["teams", { url: teams.webhook }],
    ["ntfy", { url: `${ntfy.url}/${topic}` }],
    ["matrix", { url: matrix.url, room: matrix.room, token: "syt_good" }],
    ["webhook", { url: `${hook.url}/opinions` }],
  ];
  for (const [channel, body] of channels)
    expect((await person.call("PUT", `/api/me/channels/${channel}`, body)).status).toBe(200);
  expect((await person.call("POST", "/api/me/push", browser.subscription)).status).toBe(200);
  const endpoint = { url: `${model.url}/v1`, model: "llama", isOn: true, waitSeconds: 25 };
  expect((await person.call("PUT", "/api/second-opinion", endpoint)).status).toBe(200);
  return person;
}

/** What each receiver got last, as text. */
const lastOf = {
  slack: () => JSON.stringify(slack.messages.at(-1)?.blocks),
  teams: () => JSON.stringify(teams.cards.at(-1)?.body),
  ntfy: () => ntfy.messages.at(-1)?.message,
  matrix: () => {
    const event = [...matrix.events.values()].at(-1);
    return event?.formatted_body ?? event?.body;
  },
  push: () => JSON.stringify(browser.decrypt(push.received.at(-1)?.body ?? Buffer.alloc(0))),
  webhook: () => String(hook.received.findLast(({ path }) => path === "/opinions")?.body),
};
const channelsWith = (words: string) =>
  Object.entries(lastOf).flatMap(([channel, read]) => (read()?.includes(words) ? [channel] : []));
const all = Object.keys(lastOf);

test("an alert and a digest carry the model's sentence to Slack, Teams, ntfy, Matrix, push and a webhook", async () => {
  const person = await watcher();
  const jobId = await person.createJob({ name: "Shop", secondOpinion: { use: "lower" } });
  model.state.reply = judgeAs("important", "The shop sells tables now.");
  const first = await person.change(jobId, "The shop sells tables now");
  await person.deliveriesOf(jobId, first.id);
  expect(channelsWith("In the words of llama, unchecked: “The shop sells tables now.”")).toEqual(all);
  expect(JSON.parse(lastOf.webhook())).toMatchObject({
    opinion: "In the words of llama, unchecked: “The shop sells tables now.”",
  });

  // An invented number: the alert goes out as without a model.
  model.state.reply = judgeAs("noise", "The shop sells 42 tables.");
  const second = await person.change(jobId, "The shop sells chairs, too");
  await person.deliveriesOf(jobId, second.id);
  expect(channelsWith("chairs, too")).toEqual(all);
  expect(channelsWith("unchecked")).toEqual([]);
  expect(JSON.parse(lastOf.webhook())).toMatchObject({ opinion: null });

  model.state.reply = judgeAs("routine", "The shop sells lamps.");
  await person.change(jobId, "The shop sells lamps");
  const lowered = await outside.eventually("the digest-only change", async () =>
    outside.app.db
      .selectFrom("notifications")
      .select("id")
      .where("account_id", "=", person.accountId)
      .where("kind", "=", "folded")
      .executeTakeFirst(),
  );
  expect(lowered).toBeDefined();
  expect(channelsWith("The shop sells lamps")).toEqual([]);
  await outside.app.queue.send(outside.app.db, "daily", { accountId: person.accountId });
  await outside.eventually(
    "all digests",
    async () => channelsWith("The shop sells lamps.”").length === all.length,
  );
  expect(channelsWith("In the words of llama, unchecked: “The shop sells lamps.”")).toEqual(all);
});

test("a message in the user's own words carries the sentence where it names it", async () => {
  const person = await watcher();
  const message = { title: "", text: "{{added}}\n{{opinion}}\nEnd" };
  const jobId = await person.createJob({ message, secondOpinion: { use: "summary" } });
  model.state.reply = judgeAs("important", "Lamps of brass came.");
  const first = await person.change(jobId, "Lamps of brass came");
  await person.deliveriesOf(jobId, first.id);
  expect(channelsWith("In the words of llama, unchecked: “Lamps of brass came.”")).toEqual(all);
  expect(JSON.parse(lastOf.webhook()).text).toBe(
    "Lamps of brass came\nIn the words of llama, unchecked: “Lamps of brass came.”\nEnd",
  );
  // Without an opinion, the line of its placeholder is left out.
  model.state.reply = () => "no JSON";
  const second = await person.change(jobId, "Lamps of tin came");
  await person.deliveriesOf(jobId, second.id);
  expect(JSON.parse(lastOf.webhook()).text).toBe("Lamps of tin came\nEnd");
});

test("pages that change in the same way: Matrix edits its message, the others get one more, with the model's sentence", async () => {
  const person = await watcher();
  const { urls } = (await person.call("POST", "/api/feeds", {})).body.feed as unknown as {
    urls: { atom: string };
  };
  model.state.reply = judgeAs("important", "Careers is gone from Alpha.");
  const pages = openPages(outside.app, person);
  const counts = () => ({
    slack: slack.messages.length,
    teams: teams.cards.length,
    ntfy: ntfy.messages.filter((message) => message.topic === topic).length,
    push: push.received.length,
    webhook: hook.received.filter(({ path }) => path === "/opinions").length,
  });
  const before = counts();
  const more = (count: number) =>
    Object.fromEntries(Object.entries(before).map(([channel, n]) => [channel, n + count]));
  const settings = { secondOpinion: { use: "summary", matters: "" } };
  const joined = async () =>
    outside.app.db
      .selectFrom("joined_alerts")
      .selectAll()
      .where("account_id", "=", person.accountId)
      .execute();
  const [first, ...others] = await Promise.all(
    ["Alpha", "Beta", "Gamma"].map((name) => pages.add(name, ["Careers", "Imprint"], { settings })),
  );
  if (!first) throw new Error("no page");
  const change = { removed: ["Careers"], added: ["Jobs"] };
  const lead = await pages.change(first, change);
  await person.deliveriesOf(first.jobId, lead);
  for (const page of others) await pages.change(page, change);
  await outside.eventually("all to join", async () => (await joined()).length === 2 * (all.length + 1));
  const matrixRows = async () => (await joined()).filter(({ channel }) => channel === "matrix");
  await outside.eventually("the edit", async () =>
    (await matrixRows()).every(({ covered_at }) => covered_at),
  );
  const leadId = (await matrixRows())[0]?.lead_id ?? "";
  await outside.eventually("both names in it", async () =>
    matrix.textOf(leadId)?.includes("The same changed on 2 other pages: Beta and Gamma."),
  );
  expect(counts()).toEqual(more(1));

  await outside.passQuietTime(person.accountId);
  const mails = await outside.eventually("the closing mail", async () => {
    const sent = await person.alerts();
    return sent.length === 2 && sent;
  });
  await outside.eventually("all closing messages", async () => {
    const sent = counts();
    return Object.entries(more(2)).every(([channel, n]) => sent[channel as keyof typeof sent] === n);
  });
  const closed = all.filter((channel) => channel !== "matrix");
  expect(channelsWith("You haven’t been alerted about Beta and Gamma yet.")).toEqual(closed);
  expect(channelsWith("In the words of llama, unchecked: “Careers is gone from Alpha.”")).toEqual(closed);
  expect(JSON.parse(lastOf.webhook())).toMatchObject({ kind: "incident", severity: "notice" });
  expect(mails[1]?.text).toContain("In the words of llama, unchecked: “Careers is gone from Alpha.”");
  const { incidents } = (await person.call("GET", "/api/incidents")).body as unknown as {
    incidents: { opinion: unknown }[];
  };
  expect(incidents).toMatchObject([{ opinion: { model: "llama", sentence: "Careers is gone from Alpha." } }]);

  const { pathname } = new URL(urls.atom);
  const feed = (await outside.call("GET", pathname)).raw.toString();
  for (const name of ["Alpha", "Beta", "Gamma"]) expect(feed).toContain(`<title type="text">${name}: `);
});

test("a search alert reaches every channel", async () => {
  const person = await watcher();
  const jobId = await person.createJob({ name: "Shop" });
  await person.call("POST", "/api/search-alerts", { name: "Rival", q: "acme corp", severity: "important" });
  await person.change(jobId, "Now by Acme Corp of Springfield");
  // The page's own alert may be sent before or after it.
  const sent = {
    slack: () => JSON.stringify(slack.messages),
    teams: () => JSON.stringify(teams.cards),
    ntfy: () => JSON.stringify(ntfy.messages),
    matrix: () => JSON.stringify([...matrix.events.values()]),
    push: () => JSON.stringify(push.received.map(({ body }) => browser.decrypt(body))),
    webhook: () => JSON.stringify(hook.received.map(({ body }) => String(body))),
  };
  const words = "Rival first appeared: “Now by Acme Corp of Springfield”";
  await outside.eventually("all messages", async () =>
    Object.values(sent).every((read) => read().includes(words)),
  );
  expect(Object.keys(sent)).toEqual(all);
});

import { afterAll, expect, test } from "vitest";
import { startChatStandIns } from "#alerts/testing/outside.ts";
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

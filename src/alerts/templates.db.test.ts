import { afterAll, expect, test } from "vitest";
import { html, story } from "#checks/testing/page.ts";
import { startChats } from "./testing/outside.ts";

const chats = await startChats();
afterAll(() => chats.close());
const { outside, slack, teams, ntfy, matrix, hook } = chats;

type Person = Awaited<ReturnType<typeof outside.person>>;
const put = (person: Person, channel: string, body: object) =>
  person.call("PUT", `/api/me/channels/${channel}/template`, body);
const preview = async (person: Person, channel: string, body: object) => {
  const answer = await person.call("POST", `/api/me/channels/${channel}/template/preview`, body);
  const { of, title, lines } = answer.body as unknown as {
    of: { job: string } | null;
    title: string;
    lines: { text: string; look?: string }[][];
  };
  return { status: answer.status, of, title, lines };
};

const named = ["discord", "slack", "teams", "ntfy", "matrix"] as const;

/** A person with every channel, who watches a price; each has a topic of its own, whose pace is its own. */
async function withEverything() {
  const person = await outside.person({ telegram: true, discord: true });
  await person.call("PUT", "/api/me/channels/slack", { url: slack.webhook });
  await person.call("PUT", "/api/me/channels/teams", { url: teams.webhook });
  await person.call("PUT", "/api/me/channels/ntfy", { url: `${ntfy.url}/${crypto.randomUUID()}` });
  const { url, room } = matrix;
  await person.call("PUT", "/api/me/channels/matrix", { url, room, token: "syt_good" });
  await person.call("PUT", "/api/me/channels/webhook", { url: `${hook.url}/alerts` });
  const jobId = await person.createJob({ name: "Shop" }, html(...story, price(59)));
  return { person, jobId };
}

const told = "The lamp <b>costs</b> 59 euros today, with *a* cable in white";
const price = (euros: number) => told.replace("59", String(euros)).replaceAll("<", "&lt;");

test("each channel marks the words that went and came", async () => {
  const { person, jobId } = await withEverything();
  const first = await person.change(jobId, price(64));
  await person.told(jobId, first.id);

  const ours = {
    telegram: outside.telegram.sentTo(person.chat).at(-1)?.html ?? "",
    discord: outside.discord.messages.at(-1)?.message.embeds[0]?.description ?? "",
    slack: JSON.stringify(slack.messages.at(-1)?.blocks),
    teams: JSON.stringify(teams.cards.at(-1)?.body),
    ntfy: ntfy.messages.at(-1)?.message ?? "",
    matrix: [...matrix.events.values()].at(-1)?.formatted_body ?? "",
    webhook: JSON.parse(String(hook.received.at(-1)?.body)) as { words: string; diff: string },
  };
  expect(ours.telegram).toContain("The lamp &lt;b&gt;costs&lt;/b&gt; <s>59</s> <b>64</b> euros");
  expect(ours.discord).toContain("\\*a\\* cable");
  expect(ours.discord).toContain("costs\\</b\\> ~~59~~ **64** euros today");
  expect(ours.slack).toContain(
    '{"type":"text","text":"59","style":{"strike":true}},{"type":"text","text":" "},{"type":"text","text":"64","style":{"bold":true}}',
  );
  expect(ours.teams).toMatch(/"text":"59"[^}]*"strikethrough":true.*"text":"64"[^}]*"weight":"Bolder"/);
  expect(ours.ntfy).toContain("~ The lamp <b>costs</b> [-59-] {+64+} euros today");
  expect(ours.matrix).toMatch(/<del>59<\/del> <strong>64<\/strong> euros/);
  expect(ours.webhook.words).toContain("[-59-] {+64+}");
  expect(ours.webhook.diff).toContain(`- ${told}\n+ ${told.replace("59", "64")}`);
  const [mail] = (await person.alerts()).slice(-1);
  expect(mail?.text).toContain("[-59-] {+64+} euros");
  expect(mail?.html).toMatch(/<del[^>]*>59<\/del> <ins[^>]*>64<\/ins> euros/);
});

test("each channel tells in its user's words, as they were shown before", async () => {
  const { person, jobId } = await withEverything();
  const first = await person.change(jobId, price(64));
  await person.told(jobId, first.id);
  const own = {
    title: "{{title}} ({{severity}})",
    text: "**{{message}}**\n{{status}}\n{{words}}\nSee {{link}}",
  };
  for (const channel of [...named, "telegram", "email"]) {
    const answer = await put(person, channel, own);
    expect([channel, answer.status, answer.body.message]).toEqual([
      channel,
      200,
      expect.stringContaining("tells in your words from now on."),
    ]);
  }
  await put(person, "webhook", { format: "text", text: "{{title}}|{{words}}" });
  const { of, title, lines } = await preview(person, "telegram", own);
  expect([of?.job, title]).toEqual(["Shop", "Shop (notice)"]);
  expect(lines).toContainEqual(
    expect.arrayContaining([
      { text: "59", look: "removed" },
      { text: "64", look: "added" },
    ]),
  );
  // A line whose placeholders say nothing is not there.
  expect(lines.map((line) => line.length)).not.toContain(0);

  // Where no look is shown, the preview has none either.
  const plain = await preview(person, "ntfy", own);
  expect(plain.lines.flat().map(({ look }) => look)).not.toContain("bold");
  expect(plain.lines.flat().map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^~ .* \[-59-\] \{\+64\+\} euros/),
  );

  const { id } = await person.change(jobId, price(79));
  await person.told(jobId, id);
  const telegram = outside.telegram.sentTo(person.chat).at(-1);
  expect(telegram?.text.split("\n")[0]).toMatch(/ Shop \(notice\)$/);
  expect(telegram?.html).toMatch(/<b>.*64 → 79.*<\/b>\n~ .*<s>64<\/s> <b>79<\/b> euros today.*\nSee http/s);
  expect(outside.discord.messages.at(-1)?.message.embeds[0]).toMatchObject({
    title: "Shop \\(notice\\)",
    description: expect.stringMatching(/^\*\*.*\*\*\n.*~~64~~ \*\*79\*\* euros today.*\nSee http/s),
    fields: [],
  });
  expect(
    slack.messages
      .at(-1)
      ?.blocks.map(({ type }) => type)
      .slice(0, 2),
  ).toEqual(["header", "rich_text"]);
  expect(JSON.stringify(slack.messages.at(-1)?.blocks)).toContain('"text":"79","style":{"bold":true}');
  expect(teams.cards.at(-1)?.body[0]?.inlines?.[0]?.text).toBe("Shop (notice)");
  expect(JSON.stringify(teams.cards.at(-1)?.body)).not.toContain("% alike");
  expect(ntfy.messages.at(-1)?.title).toBe("Shop (notice)");
  expect(ntfy.messages.at(-1)?.message).toMatch(/^.*64 → 79.*\n~ .*\[-64-\] \{\+79\+\}.*\nSee http/s);
  expect([...matrix.events.values()].at(-1)?.formatted_body).toMatch(
    /^<strong>Shop \(notice\)<\/strong><p><strong>.*<del>64<\/del> <strong>79<\/strong>/,
  );
  expect(String(hook.received.at(-1)?.body)).toMatch(/^Shop\|.*\[-64-\] \{\+79\+\}/);
  expect(hook.received.at(-1)?.headers["content-type"]).toMatch(/^text\/plain/);
  const last = (await person.alerts()).at(-1);
  expect(last?.subject).toBe("Shop (notice)");
  expect(last?.text).toMatch(/\[-64-\] \{\+79\+\}/);
  expect(last?.html).toMatch(/<strong>.*<\/strong><br>~ .*<del[^>]*>64<\/del>/s);

  await put(person, "ntfy", { title: "", text: " " });
  expect(Object.keys((await person.call("GET", "/api/me/templates")).body.templates ?? {}).sort()).toEqual(
    ["discord", "email", "matrix", "slack", "teams", "telegram", "webhook"].sort(),
  );
});

test("a template is shown before it is used, and one that cannot be is refused at its field", async () => {
  const person = await outside.person();
  const example = await preview(person, "email", { title: "", text: "" });
  expect([example.status, example.of, example.title]).toEqual([200, null, "Test alert"]);
  for (const [channel, body, field, sentence] of [
    ["discord", { text: "{{nonsense}}" }, "text", /^\{\{nonsense\}\} stands for nothing\. Known are: kind/],
    ["email", { title: "{{oops}}" }, "title", /^\{\{oops\}\} stands for nothing/],
    ["slack", { text: "{{title}" }, "text", /^A placeholder is not closed/],
    ["teams", { text: "fine\n**open" }, "text", "In line 2 ** opens and does not close."],
    ["matrix", { title: "two\nlines" }, "title", /A title is one line/],
    ["ntfy", { text: "x".repeat(4001) }, "text", /longer than 4,000 characters/],
    ["telegram", { txt: "x" }, "txt", /^There is no field “txt”/],
    ["webhook", { text: '{"a":{{title}' }, "text", /^The template is not JSON/],
  ] as const) {
    for (const answer of [
      await put(person, channel, body),
      await person.call("POST", `/api/me/channels/${channel}/template/preview`, body),
    ]) {
      expect([channel, answer.status]).toEqual([channel, 400]);
      expect(answer.body.message).toMatch(sentence);
      expect(answer.body.field).toBe(field);
    }
  }
  expect((await put(person, "webhook", { text: "" })).status).toBe(404);
  const basic = await outside.person({ plan: "basic" });
  expect((await put(basic, "slack", { text: "{{title}}" })).body.code).toBe("PLAN_LIMIT_REACHED");
  expect((await put(basic, "email", { text: "{{title}}" })).status).toBe(200);
  const own = await basic.call("GET", "/api/me/templates");
  expect(own.body.templates).toEqual({ email: { title: "", text: "{{title}}" } });
  expect((await person.call("GET", "/api/me/templates")).body.templates).toEqual({});
});

test("what says nothing of an alert is told in our words; a page's words are no marks", async () => {
  const person = await outside.person({ telegram: true });
  await put(person, "telegram", { title: "", text: "{{words}}" });
  expect((await person.call("POST", "/api/me/channels/telegram/test")).status).toBe(200);
  expect(outside.telegram.sentTo(person.chat).at(-1)?.html).toContain("<s>old</s> <b>new</b>");
  await put(person, "telegram", { title: "", text: "{{status}}" });
  await person.call("POST", "/api/me/channels/telegram/test");
  expect(outside.telegram.sentTo(person.chat).at(-1)?.text).toContain("This is what an alert");
  const jobId = await person.createJob({ name: "**Shop** {{link}} ~~x~~" });
  await put(person, "telegram", { title: "", text: "{{title}}" });
  const { id } = await person.change(jobId, "Something came");
  await person.told(jobId, id);
  expect(outside.telegram.sentTo(person.chat).at(-1)?.html).toMatch(/\n\*\*Shop\*\* \{\{link\}\} ~~x~~$/);
});

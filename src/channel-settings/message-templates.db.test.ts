import { afterAll, expect, test } from "vitest";
import { startChatStandIns } from "#alerts/testing/outside.ts";
import { html, story } from "#checks/testing/page.ts";

const chats = await startChatStandIns();
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

const chatChannels = ["discord", "slack", "teams", "ntfy", "matrix"] as const;

/** A user with every channel who watches a price. Each has their own ntfy topic, because rates are limited by topic. */
async function createUserWithAllChannels() {
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

const offerText = "The lamp <b>costs</b> 59 euros today, with *a* cable in white";
const price = (euros: number) => offerText.replace("59", String(euros)).replaceAll("<", "&lt;");

test("each channel marks the removed and added words", async () => {
  const { person, jobId } = await createUserWithAllChannels();
  const first = await person.change(jobId, price(64));
  await person.deliveriesOf(jobId, first.id);

  const sent = {
    telegram: outside.telegram.sentTo(person.chat).at(-1)?.html ?? "",
    discord: outside.discord.messages.at(-1)?.message.embeds[0]?.description ?? "",
    slack: JSON.stringify(slack.messages.at(-1)?.blocks),
    teams: JSON.stringify(teams.cards.at(-1)?.body),
    ntfy: ntfy.messages.at(-1)?.message ?? "",
    matrix: [...matrix.events.values()].at(-1)?.formatted_body ?? "",
    webhook: JSON.parse(String(hook.received.at(-1)?.body)) as { words: string; diff: string },
  };
  expect(sent.telegram).toContain("The lamp &lt;b&gt;costs&lt;/b&gt; <s>59</s> <b>64</b> euros");
  expect(sent.discord).toContain("\\*a\\* cable");
  expect(sent.discord).toContain("costs\\</b\\> ~~59~~ **64** euros today");
  expect(sent.slack).toContain(
    '{"type":"text","text":"59","style":{"strike":true}},{"type":"text","text":" "},{"type":"text","text":"64","style":{"bold":true}}',
  );
  expect(sent.teams).toMatch(/"text":"59"[^}]*"strikethrough":true.*"text":"64"[^}]*"weight":"Bolder"/);
  expect(sent.ntfy).toContain("~ The lamp <b>costs</b> [-59-] {+64+} euros today");
  expect(sent.matrix).toMatch(/<del>59<\/del> <strong>64<\/strong> euros/);
  expect(sent.webhook.words).toContain("[-59-] {+64+}");
  expect(sent.webhook.diff).toContain(`- ${offerText}\n+ ${offerText.replace("59", "64")}`);
  const [mail] = (await person.alerts()).slice(-1);
  expect(mail?.text).toContain("[-59-] {+64+} euros");
  expect(mail?.html).toMatch(/<del[^>]*>59<\/del> <ins[^>]*>64<\/ins> euros/);
});

test("each channel alerts with its user's template, as the preview showed it", async () => {
  const { person, jobId } = await createUserWithAllChannels();
  const first = await person.change(jobId, price(64));
  await person.deliveriesOf(jobId, first.id);
  const own = {
    title: "{{title}} ({{severity}})",
    text: "**{{message}}**\n{{status}}\n{{words}}\nSee {{link}}",
  };
  for (const channel of [...chatChannels, "telegram", "email"]) {
    const answer = await put(person, channel, own);
    expect([channel, answer.status, answer.body.message]).toEqual([
      channel,
      200,
      expect.stringContaining("uses your text from now on."),
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
  // A line whose placeholders are all empty is left out.
  expect(lines.map((line) => line.length)).not.toContain(0);

  // The preview of a channel without text styles has none either.
  const plain = await preview(person, "ntfy", own);
  expect(plain.lines.flat().map(({ look }) => look)).not.toContain("bold");
  expect(plain.lines.flat().map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^~ .* \[-59-\] \{\+64\+\} euros/),
  );

  const { id } = await person.change(jobId, price(79));
  await person.deliveriesOf(jobId, id);
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

test("a template can be previewed, and an invalid one is refused with the name of its field", async () => {
  const person = await outside.person();
  const example = await preview(person, "email", { title: "", text: "" });
  expect([example.status, example.of, example.title]).toEqual([200, null, "Test alert"]);
  for (const [channel, body, field, sentence] of [
    [
      "discord",
      { text: "{{nonsense}}" },
      "text",
      /^\{\{nonsense\}\} isn’t a known placeholder\. Known are: kind/,
    ],
    ["email", { title: "{{oops}}" }, "title", /^\{\{oops\}\} isn’t a known placeholder/],
    ["slack", { text: "{{title}" }, "text", /^A placeholder is not closed/],
    ["teams", { text: "fine\n**open" }, "text", "In line 2 ** is opened but never closed."],
    ["matrix", { title: "two\nlines" }, "title", /A title is one line/],
    ["ntfy", { text: "x".repeat(4001) }, "text", /longer than 4,000 characters/],
    ["telegram", { txt: "x" }, "txt", /^There is no field “txt”/],
    ["webhook", { text: '{"a":{{title}' }, "text", /^The template isn’t valid JSON/],
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

test("a template that gives an empty text falls back to ours, and markup in values isn't interpreted", async () => {
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
  await person.deliveriesOf(jobId, id);
  expect(outside.telegram.sentTo(person.chat).at(-1)?.html).toMatch(/\n\*\*Shop\*\* \{\{link\}\} ~~x~~$/);
});

test("triggers, messages and webhooks have the same placeholders, including followed values", async () => {
  const person = await outside.person({ telegram: true });
  const text =
    "{{value.price}}|{{matched}}|{{job.name}}|{{title}}|{{status.after}}|{{execution.id}}|{{event.id}}";
  await put(person, "telegram", { title: "", text });
  const webhook = { url: `${hook.url}/webhook`, format: "text", template: text };
  expect((await person.call("PUT", "/api/me/channels/webhook", webhook)).status).toBe(200);
  const offer = (euros: number) => `The lamp costs <b id="price">${euros}.00</b> euros`;
  const jobId = await person.createJob(
    {
      name: "Shop",
      values: [{ name: "price", by: "selector", rule: "#price" }],
      trigger: {
        url: `${hook.url}/trigger`,
        method: "POST",
        headers: [{ name: "Content-Type", value: "text/plain" }],
        body: text,
        strings: ["lamp", "sofa"],
      },
    },
    html(...story, offer(59)),
  );
  const { id } = await person.change(jobId, offer(64));
  await person.deliveriesOf(jobId, id);
  const received = (path: string) =>
    outside.eventually(path, async () => hook.received.find((request) => request.path === path));
  const triggerBody = String((await received("/trigger")).body);
  expect(triggerBody).toMatch(new RegExp(`^64\\|lamp\\|Shop\\|Shop\\|200\\|${id}\\|[0-9a-f-]{36}$`));
  expect(String((await received("/webhook")).body)).toBe(triggerBody);
  expect(outside.telegram.sentTo(person.chat).at(-1)?.text.split("\n").at(-1)).toBe(triggerBody);

  const refused = { text: "{{value.constructor}}" };
  for (const channel of ["telegram", "webhook"]) {
    const answer = await put(person, channel, refused);
    expect([answer.status, answer.body.field]).toEqual([400, "text"]);
    expect(answer.body.message).toMatch(
      /\{\{value\.constructor\}\}.* isn’t a known placeholder\. Known are: kind, .*event\.id/,
    );
  }
});

test("a job's message reaches the webhook as its title and text, and dates are filled in", async () => {
  const person = await outside.person();
  const title = "{{job.name}} on {{date:yyyy-MM-dd}}";
  const message = {
    title,
    text: "**New**: {{added}}\n{{opinion}}\nThe day before was {{date:d.M.yyyy, -1 day}}",
  };
  await person.call("PUT", "/api/me/channels/webhook", { url: `${hook.url}/whole` });
  const jobId = await person.createJob({ name: "Lamps", message });
  const { id } = await person.change(jobId, "A lamp of brass");
  await person.deliveriesOf(jobId, id);
  const bodyOf = async (path: string) => {
    const request = await outside.eventually(path, async () =>
      hook.received.find((received) => received.path === path),
    );
    return String(request.body);
  };
  const at = (await person.executionsOf(jobId))[0] as unknown as { createdAt: string };
  const day = new Date(at.createdAt);
  const before = new Date(day.getTime() - 86_400_000);
  const wanted = {
    title: `Lamps on ${at.createdAt.slice(0, 10)}`,
    text: `New: A lamp of brass\nThe day before was ${before.getUTCDate()}.${before.getUTCMonth() + 1}.${before.getUTCFullYear()}`,
  };
  expect(JSON.parse(await bodyOf("/whole"))).toMatchObject({ ...wanted, opinion: null });
  const template = '{"says": "{{text}}", "of": "{{title}}", "job": "{{job.name}}"}';
  await person.call("PUT", "/api/me/channels/webhook", { url: `${hook.url}/own`, template });
  const shown = await preview(person, "webhook", { title: "", text: template, format: "json" });
  expect(JSON.parse(shown.lines.map(([run]) => run?.text).join("\n"))).toMatchObject({ of: wanted.title });
  const next = await person.change(jobId, "A lamp of tin");
  await person.deliveriesOf(jobId, next.id);
  expect(JSON.parse(await bodyOf("/own"))).toEqual({
    says: wanted.text.replace("brass", "tin"),
    of: wanted.title,
    job: "Lamps",
  });
  const refused = await put(person, "webhook", { text: "{{date:next}}", format: "text" });
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining("has “next”, which")]);
});

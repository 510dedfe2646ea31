import { networkInterfaces } from "node:os";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { listen } from "#channels/testing/listen.ts";
import { startChatStandIns } from "./testing/outside.ts";
import { deployed, watchPages } from "./testing/pages.ts";

const chats = await startChatStandIns();
afterAll(() => chats.close());
const { outside, slack, teams, ntfy, matrix, hook } = chats;

const put = (
  person: Pick<Awaited<ReturnType<typeof outside.person>>, "call">,
  channel: string,
  body: object,
) => person.call("PUT", `/api/me/channels/${channel}`, body);

test("a change reaches Slack, Teams, ntfy, Matrix and a webhook, with markup from the page escaped", async () => {
  const person = await outside.person();
  for (const [channel, body, label] of [
    ["slack", { url: slack.webhook }, "B1"],
    ["teams", { url: teams.webhook }, "127.0.0.1"],
    ["ntfy", { url: ntfy.topic }, `news… at 127.0.0.1:${ntfy.port}`],
    ["matrix", { url: matrix.url, room: matrix.room, token: "syt_good" }, "Alerts"],
    ["webhook", { url: `${hook.url}/alerts`, token: "s3cret" }, `127.0.0.1:${hook.port}`],
  ] as const) {
    const answer = await put(person, channel, body);
    expect([channel, answer.status, answer.body.message]).toEqual([
      channel,
      200,
      expect.stringContaining(`"${label}"`),
    ]);
  }
  const channels = JSON.stringify((await person.call("GET", "/api/me/channels")).body);
  expect(channels).not.toMatch(/syt_good|s3cret|services/);
  const conditions = [{ what: "text", is: "added", text: "buy" }];
  const alertIf = { match: "all", conditions };
  const jobId = await person.createJob({ name: "Shop <!channel>", alertIf });
  const { id } = await person.change(jobId, "Now &lt;!everyone&gt; [click](http://evil.example) ``` buy");
  const deliveries = await person.deliveriesOf(jobId, id);
  expect(deliveries.map(({ channel, state }) => `${channel} ${state}`).sort()).toEqual(
    ["email", "matrix", "ntfy", "slack", "teams", "webhook"].map((channel) => `${channel} sent`),
  );
  const [message] = slack.messages;
  expect(message?.text).toContain("&lt;!channel&gt;");
  // Slack doesn't interpret markup in rich text.
  const code = message?.blocks.find(({ type }) => type === "rich_text")?.elements?.[0];
  expect(code?.elements).toContainEqual({
    type: "text",
    text: expect.stringContaining("+ Now <!everyone> [click](http://evil.example) ``` buy"),
  });
  const runs = teams.cards[0]?.body.flatMap(({ inlines }) => inlines?.map(({ text }) => text) ?? []) ?? [];
  expect(runs.join("\n")).toContain("+ Now <!everyone> [click](http://evil.example) ``` buy");
  expect(JSON.stringify(teams.cards)).not.toContain('"TextBlock"');
  expect(ntfy.messages[0]).toMatchObject({
    topic: "news",
    title: "Shop <!channel>",
    priority: expect.any(Number),
    click: expect.stringContaining(id),
  });
  expect(ntfy.messages[0]?.message).toContain("+ Now <!everyone>");
  const [event] = matrix.events.values();
  expect(event?.body).toContain("+ Now <!everyone>");
  expect(event?.formatted_body).toMatch(/\+ Now (&#60;|&lt;)!everyone/);
  const [sent] = hook.received;
  expect(sent?.headers).toMatchObject({ "content-type": "application/json", authorization: "Bearer s3cret" });
  expect(JSON.parse(String(sent?.body))).toMatchObject({
    kind: "change",
    title: "Shop <!channel>",
    execution: id,
    diff: expect.stringContaining("+ Now <!everyone>"),
    condition: "‘buy’ added",
  });
  // Each of them names the condition that the change meets.
  const sentTexts = [slack.messages, teams.cards, ntfy.messages, [...matrix.events.values()]];
  for (const texts of sentTexts) expect(JSON.stringify(texts)).toContain("You asked for: ‘buy’ added");
});

test("of a deployment over several pages Matrix’s message is edited, and every other channel gets one closing message", async () => {
  const person = await watchPages(outside, {});
  for (const [channel, body] of [
    ["slack", { url: slack.webhook }],
    ["teams", { url: teams.webhook }],
    ["ntfy", { url: ntfy.topic }],
    ["matrix", { url: matrix.url, room: matrix.room, token: "syt_good" }],
    ["webhook", { url: `${hook.url}/deployed` }],
  ] as const)
    expect((await put(person, channel, body)).status).toBe(200);
  for (const list of [slack.messages, teams.cards, ntfy.messages, hook.received]) list.length = 0;
  matrix.events.clear();
  const received = (): Record<string, unknown[]> => ({
    slack: slack.messages,
    teams: teams.cards,
    ntfy: ntfy.messages,
    webhook: hook.received.map(({ body }) => JSON.parse(String(body)) as unknown),
  });
  for (const page of await person.addPages(3)) await person.pages.change(page, deployed);
  await person.settled();
  await outside.eventually("the edit", async () => (await person.uncovered("matrix")) === 0);
  const [first = ""] = matrix.events.keys();
  expect(matrix.textOf(first)).toContain("The same changed on 2 other pages: Page");
  for (const [channel, messages] of Object.entries(received()))
    expect([channel, messages.length]).toEqual([channel, 1]);
  await outside.passQuietTime(person.accountId);
  await outside.eventually("the closing mail", async () => (await person.alerts()).length === 2);
  await person.settled();
  for (const [channel, messages] of Object.entries(received())) {
    expect([channel, messages.length]).toEqual([channel, 2]);
    expect(JSON.stringify(messages[1])).toContain("The same change on 2 more pages");
  }
  const posted = [...matrix.events.values()].filter((event) => !event["m.relates_to"]);
  expect(posted).toHaveLength(1);
});

test("a webhook sends JSON, a form or text from the user's template, and an invalid template is refused", async () => {
  const person = await outside.person();
  const url = `${hook.url}/own`;
  const sendTest = async (body: object) => {
    hook.received.length = 0;
    expect((await put(person, "webhook", { url, ...body })).status).toBe(200);
    expect((await person.call("POST", "/api/me/channels/webhook/test")).status).toBe(200);
    return hook.received[0];
  };
  expect(
    JSON.parse(String((await sendTest({ template: '{"t":"{{title}}","n":{{similarity}}}' }))?.body)),
  ).toEqual({
    t: "Test alert",
    n: null,
  });
  const form = await sendTest({ format: "form", template: "msg={{diff}}&kind={{kind}}" });
  expect(form?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  expect(Object.fromEntries(new URLSearchParams(String(form?.body)))).toEqual({
    msg: expect.stringMatching(/^- A removed line\n\+ An added line\n/),
    kind: "test",
  });
  const text = await sendTest({ format: "text", template: "{{title}} → {{link}}" });
  expect(String(text?.body)).toMatch(/^Test alert → http/);
  for (const [body, sentence] of [
    [
      { url, template: "{{nonsense}}" },
      /^The template has \{\{nonsense\}\}, which isn’t a known placeholder/,
    ],
    [{ url, template: '{"a": {{title}' }, /^The template isn’t valid JSON/],
    [{ url: "ftp://example.com/" }, "This isn’t an HTTP address."],
    [{ url, format: "xml" }, /must be one of: json, form, text/],
    [{ url, colour: "red" }, /^There is no field “colour”/],
  ] as const) {
    const answer = await put(person, "webhook", body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(sentence)]);
  }
});

test("a webhook's messages are signed, so that its receiver can verify them with a library", async () => {
  const person = await outside.person();
  const { secret } = (await person.call("POST", "/api/me/signing-secret")).body;
  await put(person, "webhook", { url: `${hook.url}/signed` });
  hook.received.length = 0;
  await person.change(await person.createJob(), "A new line");
  const sent = await outside.eventually("the message", async () => hook.received[0]);
  const signed = sent.headers as Record<string, string>;
  const receiver = new Webhook(String(secret));
  expect(receiver.verify(sent.body, signed)).toMatchObject({ kind: "change" });
  expect(() => receiver.verify(`${String(sent.body)} `, signed)).toThrow("No matching signature found");
});

test("a test alert is sent although other messages wait for their turn", async () => {
  const person = await outside.person();
  const url = `${hook.url}/busy`;
  await put(person, "webhook", { url });
  // As if many messages to this address were waiting.
  await outside.app.db
    .insertInto("send_turns")
    .values({ key: `webhook:${url}`, next_at: new Date(Date.now() + 3_600_000) })
    .execute();
  hook.received.length = 0;
  expect((await person.call("POST", "/api/me/channels/webhook/test")).status).toBe(200);
  expect(JSON.parse(String(hook.received[0]?.body))).toMatchObject({ kind: "test" });
});

test("saving a channel doesn't use up the tests", async () => {
  const person = await outside.person();
  for (let i = 0; i < 10; i++)
    expect((await put(person, "webhook", { url: `${hook.url}/${i}` })).status).toBe(200);
  expect((await put(person, "webhook", { url: `${hook.url}/10` })).body.code).toBe("RATE_LIMITED");
  expect((await person.call("POST", "/api/me/channels/webhook/test")).status).toBe(200);
});

test("E5 a webhook to an address that we may not request is refused when it is saved", async () => {
  const person = await outside.person();
  // This test allows loopback, so it uses this machine's other addresses: two, as an account has ten attempts a minute.
  const machineUrls = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => `http://${address}/`)
    .slice(0, 2);
  for (const url of [
    "http://169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://192.168.1.1/hook",
    "http://[::ffff:10.0.0.1]/",
    "http://2852039166/",
    "http://0xa9.0xfe.0xa9.0xfe/",
    "http://metadata.internal/",
    "http://user:secret@example.com/",
    ...machineUrls,
  ]) {
    const answer = await put(person, "webhook", { url });
    expect([url, answer.status, answer.body.code, answer.body.field]).toEqual([
      url,
      400,
      "TARGET_NOT_ALLOWED",
      "url",
    ]);
  }
  const { webhook } = (await person.call("GET", "/api/me/channels")).body as {
    webhook?: { webhook: unknown };
  };
  expect(webhook?.webhook).toBeNull();
});

test("E5 a webhook to such an address is refused in every spelling", async () => {
  const person = await outside.person();
  for (const url of [
    "http://169.254.169.254.:80/",
    "http://①⑥⑨.254.169.254/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[fe80::1]/",
    "http://METADATA.google.internal./",
    "http://0251.0376.0251.0376/",
  ]) {
    const answer = await put(person, "webhook", { url });
    expect([url, answer.status, answer.body.code]).toEqual([url, 400, "TARGET_NOT_ALLOWED"]);
  }
});

test("an address that isn't the service's, or that doesn't work, is refused with an explanation", async () => {
  const person = await outside.person();
  for (const [channel, body, sentence] of [
    ["slack", { url: "https://example.com/services/T1/B1/x" }, /^This is not a Slack webhook/],
    ["slack", { url: `${slack.url}/services/T1/B1/gone` }, /^Slack doesn’t know this webhook/],
    ["teams", { url: "https://example.com/workflows/1" }, /^This is not a Teams workflow/],
    ["ntfy", { url: "https://ntfy.sh/" }, /^This is not an ntfy topic/],
    ["ntfy", { url: `${hook.url}/topic` }, "The server’s answer isn’t from ntfy."],
    ["matrix", { url: matrix.url, token: "syt_good" }, /^The room's id is missing/],
    ["matrix", { url: matrix.url, room: matrix.room, token: "bad" }, /rejects this access token/],
    ["matrix", { url: matrix.url, room: "!other:example.org", token: "syt_good" }, /is not in this room/],
    ["ntfy", { url: "http://169.254.169.254/latest" }, /./],
  ] as const) {
    const answer = await put(person, channel, body);
    expect([channel, answer.status]).toEqual([channel, 400]);
    expect(answer.body.message).toMatch(sentence);
  }
  const basic = await outside.person({ plan: "basic" });
  expect((await put(basic, "slack", { url: slack.webhook })).body.code).toBe("PLAN_LIMIT_REACHED");
});

test("a delivery waits for a receiver that limits its rate, and fails if the receiver was removed", async () => {
  const person = await outside.person();
  await put(person, "slack", { url: slack.webhook });
  await put(person, "matrix", { url: matrix.url, room: matrix.room, token: "syt_good" });
  await person.call("PATCH", "/api/settings/notifications", { emailNotifications: false });
  const jobId = await person.createJob();
  slack.state.limited = 1;
  matrix.state.limited = 1;
  matrix.events.clear();
  const { id } = await person.change(jobId, "Patience");
  const deliveries = await person.deliveriesOf(jobId, id);
  expect(deliveries.map(({ channel, state }) => `${channel} ${state}`).sort()).toEqual([
    "matrix sent",
    "slack sent",
  ]);
  expect(matrix.events.size).toBe(1);
  slack.webhooks.clear();
  const { id: next } = await person.change(jobId, "Removed meanwhile");
  const nextDeliveries = await person.deliveriesOf(jobId, next);
  expect(nextDeliveries.find(({ channel }) => channel === "slack")).toMatchObject({
    state: "failed",
    error: "Slack doesn’t know this webhook: it was removed, or its channel is archived.",
  });
  const state = (await person.call("GET", "/api/me/channels")).body as unknown as {
    slack: { webhook: { failure: string | null } };
  };
  expect(state.slack.webhook.failure).toContain("doesn’t know this webhook");
  slack.webhooks.add("/services/T1/B1/good");
});

test("a webhook's endless response isn't read to its end", async () => {
  const person = await outside.person();
  const size = 200 * 1024 * 1024;
  const chunk = Buffer.alloc(64 * 1024, "x");
  let sent = 0;
  const endless = await listen((_, response) => {
    response.writeHead(200, { "content-length": size });
    const writeMore = () => {
      while (sent < size && response.write(chunk)) sent += chunk.length;
    };
    response.on("drain", writeMore);
    writeMore();
  });
  await put(person, "webhook", { url: `${endless.url}/alerts` });
  expect((await person.call("POST", "/api/me/channels/webhook/test")).status).toBe(200);
  await endless.close();
  // Of 200 MiB, only what fits into the sockets' buffers is sent.
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

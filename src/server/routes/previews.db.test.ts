import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { countUse } from "#storage/rate-limits.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;
const url = "http://127.0.0.1:8080/new";

const ask = (person: Person, input: object = {}) => person.call("POST", "/api/previews", { url, ...input });

/** A preview once it is over. */
async function previewed(person: Person, input: object = {}) {
  const { status, body } = await ask(person, input);
  if (status !== 202) throw new Error(JSON.stringify(body));
  return engine.waitFor("the preview", async () => {
    const answer = await person.call("GET", `/api/previews/${body.id}`);
    return answer.body.state !== ("queued" as never) && answer.body;
  });
}

test("a page is looked at once, and no job is made", async () => {
  const person = await engine.person();
  engine.site.page.html = html(...story, '<span class="ad">Buy three lamps</span>');
  const before = engine.site.requests.length;
  const preview = await previewed(person, {
    headers: [{ name: "X-Key", value: "k" }],
    waitFor: { seconds: 2 },
  });
  expect(preview).toMatchObject({ state: "ready", url, status_code: 200, title: "A page", hasImage: true });
  expect(engine.site.requests.slice(before)).toMatchObject([
    { url, headers: [["X-Key", "k"]], waitFor: { seconds: 2 } },
  ]);
  const image = await person.call("GET", `/api/previews/${preview.id}/image`);
  expect([image.headers["content-type"], image.headers["content-security-policy"]]).toEqual([
    "image/png",
    "sandbox; default-src 'none'",
  ]);
  const covered = await person.call("POST", `/api/previews/${preview.id}/cover`, { ignore: [".ad"] });
  expect(covered.body.ignore).toEqual([{ what: "element", count: 1, words: 3 }]);
  expect((await person.call("GET", `/api/jobs/groups/${person.groupId}`)).body.Job).toEqual([]);
  const stranger = await engine.person();
  for (const path of ["", "/image", "/elements", "/elements/0"]) {
    expect((await stranger.call("GET", `/api/previews/${preview.id}${path}`)).status).toBe(404);
  }
});

test("the page is asked for as its job will: method, body, who asks, the group's headers, the day", async () => {
  const person = await engine.person();
  await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, {
    headers: [
      { name: "X-Team", value: "blue" },
      { name: "X-Key", value: "the group's" },
    ],
  });
  const request = {
    method: "POST",
    as: "json",
    body: '{"q":"lamp"}',
    userAgent: "Lamp/1",
    language: "de-DE",
  };
  const asked = {
    url: `${url}?y={{date:yyyy}}`,
    groupId: person.groupId,
    headers: [{ name: "x-key", value: "its own" }],
    request,
  };
  const before = engine.site.requests.length;
  expect(await previewed(person, asked)).toMatchObject({ state: "ready" });
  const id = await person.createJob({ url: asked.url, headers: asked.headers, request });
  await person.execution(id, 1);
  const [preview, check] = engine.site.requests.slice(before);
  const { url: seen, headers, ask: wanted } = preview ?? {};
  expect({ url: seen, headers, ask: wanted }).toEqual({
    url: check?.url,
    headers: check?.headers,
    ask: check?.ask,
  });
  expect(seen).toBe(`${url}?y=${new Date().getUTCFullYear()}`);
  expect(headers).toEqual([
    ["X-Team", "blue"],
    ["x-key", "its own"],
  ]);
  expect(wanted).toMatchObject({ method: "POST", body: '{"q":"lamp"}' });
  const stranger = await engine.person();
  expect((await ask(stranger, { groupId: person.groupId })).status).toBe(404);
  expect((await ask(person, { request: { ...request, body: "{" } })).body).toMatchObject({
    field: "request.body",
  });
});

test("what cannot be looked at is said in words", async () => {
  const person = await engine.person();
  expect((await ask(person, { url: "http://10.0.0.1/" })).body).toMatchObject({ code: "TARGET_NOT_ALLOWED" });
  expect((await ask(person, { url: "" })).body).toMatchObject({ code: "INVALID_INPUT", field: "url" });
  engine.site.page.failure = { kind: "timeout", message: "It took longer than 30 s." };
  expect(await previewed(person)).toMatchObject({ state: "failed", error: "It took longer than 30 s." });
  engine.site.page.failure = null;
  expect((await person.call("GET", "/api/previews/00000000-0000-7000-8000-000000000000")).status).toBe(404);
});

test("two at once and thirty an hour", async () => {
  const person = await engine.person();
  const go = engine.site.pause();
  const asked = [await ask(person), await ask(person), await ask(person)];
  go();
  expect(asked.map(({ status }) => status)).toEqual([202, 202, 429]);
  expect(asked[2]?.body).toMatchObject({ message: "2 previews are still under way." });
  await engine.waitFor("both", async () => {
    const { body } = await person.call("GET", `/api/previews/${asked[1]?.body.id}`);
    return body.state === ("ready" as never);
  });
  for (let i = 0; i < 28; i++)
    await countUse(engine.app.db, `preview:${person.accountId}`, { uses: 30, windowSeconds: 3600 });
  expect(await ask(person)).toMatchObject({
    status: 429,
    body: { message: "At most 30 previews an hour. Try again later." },
  });
});

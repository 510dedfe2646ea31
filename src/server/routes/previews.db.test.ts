import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { countUse } from "#request-limits/rate-limits.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;
const url = "http://127.0.0.1:8080/new";

const requestPreview = (person: Person, input: object = {}) =>
  person.call("POST", "/api/previews", { url, ...input });

/** Requests a preview and waits for its end. */
async function takePreview(person: Person, input: object = {}) {
  const { status, body } = await requestPreview(person, input);
  if (status !== 202) throw new Error(JSON.stringify(body));
  return engine.waitFor("the preview", async () => {
    const answer = await person.call("GET", `/api/previews/${body.id}`);
    return answer.body.state !== ("queued" as never) && answer.body;
  });
}

test("a preview captures the page once and creates no job", async () => {
  const person = await engine.person();
  engine.site.page.html = html(...story, '<span class="ad">Buy three lamps</span>');
  const requestsBefore = engine.site.requests.length;
  const preview = await takePreview(person, {
    headers: [{ name: "X-Key", value: "k" }],
    waitFor: { seconds: 2 },
  });
  expect(preview).toMatchObject({ state: "ready", url, status_code: 200, title: "A page", hasImage: true });
  expect(engine.site.requests.slice(requestsBefore)).toMatchObject([
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

test("a preview sends the same request as its job: method, body, user agent, group headers and date", async () => {
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
  const input = {
    url: `${url}?y={{date:yyyy}}`,
    groupId: person.groupId,
    headers: [{ name: "x-key", value: "its own" }],
    request,
  };
  const requestsBefore = engine.site.requests.length;
  expect(await takePreview(person, input)).toMatchObject({ state: "ready" });
  const id = await person.createJob({ url: input.url, headers: input.headers, request });
  await person.execution(id, 1);
  const [preview, check] = engine.site.requests.slice(requestsBefore);
  const { url: previewUrl, headers, ask: previewOptions } = preview ?? {};
  expect({ url: previewUrl, headers, ask: previewOptions }).toEqual({
    url: check?.url,
    headers: check?.headers,
    ask: check?.ask,
  });
  expect(previewUrl).toBe(`${url}?y=${new Date().getUTCFullYear()}`);
  expect(headers).toEqual([
    ["X-Team", "blue"],
    ["x-key", "its own"],
  ]);
  expect(previewOptions).toMatchObject({ method: "POST", body: '{"q":"lamp"}' });
  const stranger = await engine.person();
  expect((await requestPreview(stranger, { groupId: person.groupId })).status).toBe(404);
  expect((await requestPreview(person, { request: { ...request, body: "{" } })).body).toMatchObject({
    field: "request.body",
  });
});

test("a preview that is refused or fails says why", async () => {
  const person = await engine.person();
  expect((await requestPreview(person, { url: "http://10.0.0.1/" })).body).toMatchObject({
    code: "TARGET_NOT_ALLOWED",
  });
  expect((await requestPreview(person, { url: "" })).body).toMatchObject({
    code: "INVALID_INPUT",
    field: "url",
  });
  engine.site.page.failure = { kind: "timeout", message: "It took longer than 30 s." };
  expect(await takePreview(person)).toMatchObject({ state: "failed", error: "It took longer than 30 s." });
  engine.site.page.failure = null;
  expect((await person.call("GET", "/api/previews/00000000-0000-7000-8000-000000000000")).status).toBe(404);
});

test("an account can take two previews at once and thirty per hour", async () => {
  const person = await engine.person();
  const release = engine.site.pause();
  const answers = [await requestPreview(person), await requestPreview(person), await requestPreview(person)];
  release();
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
  expect(answers[2]?.body).toMatchObject({ message: "2 previews are still running." });
  await engine.waitFor("both", async () => {
    const { body } = await person.call("GET", `/api/previews/${answers[1]?.body.id}`);
    return body.state === ("ready" as never);
  });
  for (let i = 0; i < 28; i++)
    await countUse(engine.app.db, `preview:${person.accountId}`, { uses: 30, windowSeconds: 3600 });
  expect(await requestPreview(person)).toMatchObject({
    status: 429,
    body: { message: "At most 30 previews an hour. Try again later." },
  });
});

test("values are read from a preview before they are saved, and one that isn't found says so", async () => {
  const person = await engine.person();
  engine.site.page.html = html(...story, '<b class="price"><del>€ 60.00</del> € 45.40</b>');
  const preview = await takePreview(person);
  const values = [{ by: "price" }, { by: "selector", rule: ".stock" }, { by: "selector", rule: "p[" }];
  const { body } = await person.call("POST", `/api/previews/${preview.id}/cover`, { values });
  expect(body).toMatchObject({
    values: [
      { text: "€ 45.40", number: 45.4, box: null },
      { text: null, number: null, box: null },
      { problem: expect.stringContaining("not a CSS selector") },
    ],
    image: `/api/previews/${preview.id}/image`,
  });
  // The job's checks read the same.
  const id = await person.createJob({ values: [{ name: "price", by: "price" }] });
  expect(await person.execution(id, 1)).toMatchObject({
    values: { price: { text: "€ 45.40", number: 45.4 } },
  });
});

test("the next checks of a job, and of settings that aren't saved, are previewed for their owner only", async () => {
  const [person, stranger] = [await engine.person("basic"), await engine.person()];
  const cron = { zone: "UTC", cron: "0 * * * *" };
  const id = await person.createJob({ frequency: 120 });
  const preview = async (input: object, who = person) => {
    const { status, body } = await who.call("POST", "/api/previews/runs", input);
    return { status, body, runs: (body.runs ?? []) as unknown as string[] };
  };
  const { body } = await person.call("GET", `/api/jobs/${id}`);
  const { runs } = await preview({ jobId: id, count: 2 });
  expect(runs[0]).toBe(body.nextRunAt);
  expect(Date.parse(runs[1] ?? "") - Date.parse(runs[0] ?? "")).toBe(120 * 60_000);
  const hourly = await preview({ jobId: id, schedule: cron });
  expect(hourly.runs).toHaveLength(5);
  expect(hourly.runs.every((run) => run.endsWith(":00:00.000Z"))).toBe(true);
  await person.call("PUT", `/api/jobs/groups/${person.groupId}/settings`, { schedule: cron });
  const byGroup = await preview({ frequency: 60, groupId: person.groupId, count: 1 });
  expect(byGroup.runs).toEqual([hourly.runs[0]]);
  expect(await preview({})).toMatchObject({
    status: 400,
    body: { field: "frequency", message: "Enter a frequency, or the id of a job that has one." },
  });
  const moon = { frequency: 60, schedule: { zone: "Moon", cron: "0 9 * * *" } };
  expect(await preview(moon)).toMatchObject({ status: 400, body: { field: "schedule.zone" } });
  expect((await preview({ jobId: id }, stranger)).status).toBe(404);
  expect((await preview({ frequency: 60, groupId: person.groupId }, stranger)).status).toBe(404);
});

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type * as pdfjs from "pdfjs-dist";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

type Person = Awaited<ReturnType<typeof engine.person>>;

async function watched(name: string) {
  const person = await engine.person("ultimate");
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null, shade: 200 });
  const jobId = await person.createJob({ name });
  await person.execution(jobId, 1);
  engine.site.page.html = html(...story, "The price is now 42 €, 价格.");
  await person.run(jobId);
  return { person, jobId };
}

/** The report's words, page by page, as a reader gets them. */
async function wordsOf(pdf: Buffer): Promise<string> {
  const root = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const { getDocument } = (await import(pathToFileURL(join(root, "legacy/build/pdf.mjs")).href)) as Pick<
    typeof pdfjs,
    "getDocument"
  >;
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const document = await task.promise;
  const words: string[] = [];
  for (let page = 1; page <= document.numPages; page++) {
    const { items } = await (await document.getPage(page)).getTextContent();
    words.push(...items.map((item) => ("str" in item ? item.str : "")));
  }
  await task.destroy();
  return words.join(" ").replace(/\s+/g, " ");
}

async function ready(person: Person, id: string): Promise<Buffer> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await person.call("GET", `/api/reports/${id}/pdf`);
    if (answer.headers["content-type"] === "application/pdf") return answer.raw;
    expect([answer.status, answer.body.code]).toEqual([409, "CONFLICT"]);
    await sleep(50);
  }
  throw new Error("the report was not made");
}

test("a job's report tells its checks and changes in words and pictures", async () => {
  const { person, jobId } = await watched("Prices 東京");
  const made = await person.call("POST", "/api/reports", { jobId });
  expect(made.status).toBe(202);
  const pdf = await ready(person, String(made.body.id));
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const words = await wordsOf(pdf);
  expect(words).toContain("Prices 東京");
  expect(words).toContain("1 job · 2 checks · 1 change · 0 failures");
  expect(words).toContain("+ The price is now 42 €, 价格.");
  expect(pdf.includes("/Subtype /Image")).toBe(true);
  const { body } = await person.call("GET", "/api/reports");
  expect(body.reports).toEqual([
    expect.objectContaining({ id: made.body.id, title: "Prices 東京", state: "ready" }),
  ]);
});

test("a group's report has all its jobs; a time without checks is empty", async () => {
  const { person } = await watched("Alone");
  const made = await person.call("POST", "/api/reports", {
    groupId: person.groupId,
    from: "2020-01-01T00:00:00Z",
    to: "2020-02-01T00:00:00Z",
  });
  const words = await wordsOf(await ready(person, String(made.body.id)));
  expect(words).toContain("2020-01-01 00:00 UTC to 2020-02-01 00:00 UTC");
  expect(words).toContain("1 job · 0 checks · 0 changes · 0 failures");
});

test("is refused below Ultimate, with the plan that has it", async () => {
  const person = await engine.person("professional");
  const jobId = await person.createJob();
  const { status, body } = await person.call("POST", "/api/reports", { jobId });
  expect([status, body.code, body.message]).toEqual([
    403,
    "PLAN_LIMIT_REACHED",
    "The Professional plan allows no reports. The Ultimate plan allows them.",
  ]);
});

test("Z2 another account's jobs, groups and reports look like none", async () => {
  const { person, jobId } = await watched("Mine");
  const made = await person.call("POST", "/api/reports", { jobId });
  await ready(person, String(made.body.id));
  const stranger = await engine.person("ultimate");
  const tries = [
    await stranger.call("POST", "/api/reports", { jobId }),
    await stranger.call("POST", "/api/reports", { groupId: person.groupId }),
    await stranger.call("GET", `/api/reports/${made.body.id}/pdf`),
  ];
  expect(tries.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await stranger.call("GET", "/api/reports")).body.reports).toEqual([]);
});

test.each([
  [{}, "Choose a job or a group."],
  [
    { jobId: "0198a6b0-0000-7000-8000-000000000000", groupId: "0198a6b0-0000-7000-8000-000000000000" },
    "Choose a job or a group.",
  ],
  [
    {
      jobId: "0198a6b0-0000-7000-8000-000000000000",
      from: "2026-02-01T00:00:00Z",
      to: "2026-01-01T00:00:00Z",
    },
    "The report must start before it ends.",
  ],
])("refuses %j in words", async (input, sentence) => {
  const person = await engine.person("ultimate");
  const { status, body } = await person.call("POST", "/api/reports", input);
  expect([status, body.message]).toEqual([400, expect.stringContaining(sentence)]);
});

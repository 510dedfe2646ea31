import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { startCapturing } from "./capturing.ts";

let site: Server;
let origin: string;
let engine: Awaited<ReturnType<typeof startTestEngine>>;
let stop: () => Promise<void>;
let news = "";
let slow = false;
let asked: string[] = [];
let answerHeld: (() => void)[] | undefined;
/** Whether what is packed ends before its coding does. */
let isCut = false;
/** With what status and nothing else the packed pages answer. */
let errorStatus: number | null = null;

const packers: Record<string, (text: string) => Buffer> = { gzip: gzipSync, br: brotliCompressSync };

const paragraphs = Array.from(
  { length: 20 },
  (_, i) => `<p>Paragraph ${i} of a page that stands on its own server.</p>`,
).join("");

beforeAll(async () => {
  site = createServer((request, response) => {
    asked.push(`${request.url} ${String(request.headers["x-key"] ?? "")}`);
    if (slow) return;
    response.setHeader("content-type", "text/html");
    if (request.url === "/held") {
      response.setHeader("etag", '"one"');
      if (!request.headers["if-none-match"])
        return response.end(`<!doctype html><title>Held</title>${paragraphs}`);
      const answer = () => response.writeHead(304).end();
      if (!answerHeld) return answer();
      answerHeld.push(answer);
      return;
    }
    if (request.url === "/late") {
      const script = `setTimeout(() => document.querySelector("main").insertAdjacentHTML("beforeend", "<p class=late>It came late.</p>"), 6500)`;
      return response.end(
        `<!doctype html><title>Late</title><main>${paragraphs}</main><script>${script}</script>`,
      );
    }
    const [, coding = ""] = /^\/packed-(\w+)/.exec(request.url ?? "") ?? [];
    const pack = packers[coding];
    if (pack && errorStatus !== null) return response.writeHead(errorStatus).end();
    if (pack) {
      const whole = pack(`<!doctype html><title>Packed</title><main>${paragraphs}${news}</main>`);
      response.setHeader("content-encoding", coding);
      return response.end(isCut ? whole.subarray(0, whole.length >> 1) : whole);
    }
    const nonce = Math.random().toString(36).slice(2);
    response.end(
      `<!doctype html><title>A site</title><meta name="csrf-token" content="${nonce}"><h1>A site</h1><main>${paragraphs}${news}</main>`,
    );
  }).listen(0);
  await new Promise((resolve) => site.once("listening", resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  engine = await startTestEngine({ capturing: false });
  stop = await startCapturing(engine.app, { confirmAfterMs: 500 });
});

afterAll(async () => {
  await engine.close();
  await stop();
  site.closeAllConnections();
  site.close();
});

test("a real page is captured, its nonce ignored, its change confirmed and shown", async () => {
  const { createJob, executionsOf, call, logsOf } = await engine.person();
  const wait = (id: string, count: number) => until(async () => (await executionsOf(id)).length >= count);
  const id = await createJob({ url: `${origin}/page`, headers: [{ name: "X-Key", value: "k" }] });
  await wait(id, 1);
  expect(asked.filter((line) => line.startsWith("/page"))).not.toEqual([]);
  expect(asked.every((line) => !line.startsWith("/page") || line === "/page k")).toBe(true);
  await call("POST", `/api/jobs/${id}/run`);
  await wait(id, 2);
  expect((await executionsOf(id))[0]).toMatchObject({ changed: false, error: null });
  news = "<p>A new scope is in the programme: api.example.com pays double.</p>";
  await call("POST", `/api/jobs/${id}/run`);
  await wait(id, 3);
  const [changed, before] = await executionsOf(id);
  expect(changed).toMatchObject({ changed: true, status_code: 200, hasImage: true });
  const comparison = await call("GET", `/api/jobs/${id}/compare?from=${before?.id}&to=${changed?.id}`);
  expect(JSON.stringify(comparison.body.hunks)).toContain("pays double");
  const image = await call("GET", `/api/jobs/${id}/executions/${changed?.id}/image`);
  expect((await sharp(image.raw).metadata()).width).toBe(1280);
  expect((await logsOf(id)).some((line) => line.startsWith("[info] Change: "))).toBe(true);
});

test("R9 a document that arrives cut, and an error in its place, are failures: no baseline and no change, before or after", async () => {
  const { createJob, executionsOf, call } = await engine.person();
  news = "";
  const urls = ["/packed-gzip", "/packed-br"].map((path) => origin + path);
  const jobs = await Promise.all(urls.map((url) => createJob({ url })));
  const runAll = async (count: number) => {
    if (count > 1) for (const id of jobs) await call("POST", `/api/jobs/${id}/run`);
    await until(async () =>
      (await Promise.all(jobs.map(executionsOf))).every((list) => list.length >= count),
    );
    return Promise.all(jobs.map(async (id) => (await executionsOf(id))[0]));
  };
  const each = (one: object) => jobs.map(() => one);
  const first = await runAll(1);
  expect(first).toMatchObject(each({ summary: "First capture" }));
  isCut = true;
  const error = "The server's answer ended early: only a part of it arrived.";
  const cut = { error, summary: error, changed: false, hasImage: false, status_code: null };
  expect(await runAll(2)).toMatchObject(each(cut));
  isCut = false;
  errorStatus = 503;
  const away = { error: "The server answered 503 Service Unavailable.", changed: false, status_code: 503 };
  expect(await runAll(3)).toMatchObject(each(away));
  errorStatus = null;
  const whole = await runAll(4);
  expect(whole).toMatchObject(each({ error: null, changed: false, summary: "No change" }));
  news = "<p>A new scope is in the programme: api.example.com pays double.</p>";
  const changed = await runAll(5);
  expect(changed).toMatchObject(each({ error: null, changed: true }));
  for (const one of changed) expect(one?.summary).toContain("pays double");
  const feed = await call("GET", "/api/notifications");
  const kinds = (feed.body.notifications as unknown as { kind: string }[]).map(({ kind }) => kind);
  // Two failures in a row of which the last is an error page are told, and so is their end.
  expect(kinds.toSorted()).toEqual(
    ["change", "failing", "recovered"].flatMap((kind) => jobs.map(() => kind)),
  );
  news = "";
});

test("a job waits for its element, and one that awaits a part is told when it appears", async () => {
  const { createJob, executionsOf, call } = await engine.person();
  const wait = (id: string, count: number) => until(async () => (await executionsOf(id)).length >= count);
  news = "";
  const refused = { name: "x", url: `${origin}/x`, frequency: 60, awaited: true };
  const groups = await call("GET", "/api/jobs/groups");
  const groupId = (groups.body as unknown as { id: string }[])[0]?.id;
  expect(await call("POST", "/api/jobs/create", { ...refused, groupId })).toMatchObject({
    status: 400,
    body: { field: "selector", message: "Say by a selector what is to appear." },
  });
  const [late, awaited] = await Promise.all([
    createJob({ url: `${origin}/late`, waitFor: { selector: ".late" } }),
    createJob({ url: `${origin}/awaited`, selector: "#ticket", awaited: true }),
  ]);
  await Promise.all([wait(late, 1), wait(awaited, 1)]);
  const text = await call("GET", `/api/jobs/${late}/executions/${(await executionsOf(late))[0]?.id}/text`);
  expect(text.raw.toString()).toContain("It came late.");
  expect((await executionsOf(awaited))[0]).toMatchObject({ error: null, changed: false });
  news = '<p id="ticket">Tickets are on sale now.</p>';
  await call("POST", `/api/jobs/${awaited}/run`);
  await wait(awaited, 2);
  expect((await executionsOf(awaited))[0]).toMatchObject({ error: null, changed: true });
  expect((await executionsOf(awaited))[0]?.summary).toContain("Tickets are on sale now");
});

test("rules hold for the picture as for the text: a banner that grows and turns alerts nobody", async () => {
  const { createJob, executionsOf, call } = await engine.person();
  const wait = (id: string, count: number) => until(async () => (await executionsOf(id)).length >= count);
  const show = (colour: string, height: number, price: string) => {
    news = `<div class="ad" style="background:${colour};height:${height}px">Sale in ${colour}</div><p id="price">Lamp <b>${price}</b></p>`;
  };
  show("red", 100, "59 €");
  const jobs = await Promise.all([
    createJob({ url: `${origin}/ignoring`, ignore: [".ad"] }),
    createJob({ url: `${origin}/selecting`, selector: "#price" }),
  ]);
  await Promise.all(jobs.map((id) => wait(id, 1)));
  const runAll = async (count: number) => {
    for (const id of jobs) await call("POST", `/api/jobs/${id}/run`);
    await Promise.all(jobs.map((id) => wait(id, count)));
    return Promise.all(jobs.map(async (id) => (await executionsOf(id))[0]));
  };
  show("blue", 300, "59 €");
  const quiet = { changed: false, error: null, similarity: 100 };
  expect(await runAll(2)).toMatchObject([quiet, quiet]);
  show("green", 200, "64 €");
  const told = await runAll(3);
  expect(told).toMatchObject([{ changed: true }, { changed: true }]);
  // Of so small a part it may say as well how much of it looks different.
  for (const one of told) expect(one?.summary).toMatch(/^“Lamp” 59 € → 64 €(; Looks \d+ % different)?$/);
  news = "";
});

test("checks that are asked by HTTP alone keep no browser from others, however long they are answered", async () => {
  const { createJob, executionsOf, call } = await engine.person();
  const wait = (id: string, count: number) => until(async () => (await executionsOf(id)).length >= count);
  const run = (ids: string[]) => Promise.all(ids.map((id) => call("POST", `/api/jobs/${id}/run`)));
  const more = engine.app.config.captureConcurrency + 3;
  const urls = Array.from({ length: more }, (_, i) => origin.replace("127.0.0.1", `127.0.1.${i + 1}`));
  const held = await Promise.all(urls.map((url) => createJob({ url: `${url}/held` })));
  const other = await createJob({ url: `${origin}/other` });
  await Promise.all([...held, other].map((id) => wait(id, 1)));
  await run(held);
  await Promise.all(held.map((id) => wait(id, 2)));
  const answers: (() => void)[] = [];
  answerHeld = answers;
  await run(held);
  await until(async () => answers.length === more);
  await run([other]);
  await wait(other, 2);
  expect(answers).toHaveLength(more);
  answerHeld = undefined;
  for (const answer of answers) answer();
  await Promise.all(held.map((id) => wait(id, 3)));
  for (const id of held) expect((await executionsOf(id))[0]).toMatchObject({ error: null, changed: false });
});

/** The browser's processes: those of our own descendants. */
function browserPids(parent = process.pid): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean);
  return children.map(Number).flatMap((pid) => {
    const isBrowser = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("chrom");
    return [...browserPids(pid), ...(isBrowser ? [pid] : [])];
  });
}

test.runIf(process.platform === "linux")(
  "a browser killed in mid-capture: the check ends with a reason or a capture, and the next is fine",
  async () => {
    const { createJob, executionsOf, call } = await engine.person();
    slow = true;
    asked = [];
    const id = await createJob({ url: `${origin}/slow` });
    await until(async () => asked.some((line) => line.startsWith("/slow")));
    const browsers = browserPids();
    expect(browsers).not.toEqual([]);
    for (const pid of browsers) process.kill(pid, "SIGKILL");
    slow = false;
    await until(async () => (await executionsOf(id)).length >= 1, 80);
    await call("POST", `/api/jobs/${id}/run`);
    await until(async () => (await executionsOf(id)).length >= 2, 80);
    expect((await executionsOf(id))[0]).toMatchObject({ error: null, hasImage: true });
    expect(await executionsOf(id)).toHaveLength(2);
  },
);

async function until(ask: () => Promise<boolean>, seconds = 60): Promise<void> {
  for (let i = 0; i < seconds * 4; i++) {
    if (await ask()) return;
    await sleep(250);
  }
  throw new Error(
    `it did not happen\n${engine.log
      .filter((line) => line.includes('"err"'))
      .slice(-3)
      .join("\n")}`,
  );
}

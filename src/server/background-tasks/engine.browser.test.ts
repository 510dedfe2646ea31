import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { startCaptureWorker } from "./start-capture-worker.ts";

let site: Server;
let origin: string;
let engine: Awaited<ReturnType<typeof startTestEngine>>;
let stop: () => Promise<void>;
let extraHtml = "";
let isUnresponsive = false;
let receivedRequests: string[] = [];
let heldAnswers: (() => void)[] | undefined;
/** Whether compressed responses end too early. */
let isCut = false;
/** If set, the compressed pages answer with this status and no body. */
let errorStatus: number | null = null;

const compressors: Record<string, (text: string) => Buffer> = { gzip: gzipSync, br: brotliCompressSync };

const paragraphs = Array.from(
  { length: 20 },
  (_, i) => `<p>Paragraph ${i} of a page that stands on its own server.</p>`,
).join("");

beforeAll(async () => {
  site = createServer((request, response) => {
    receivedRequests.push(`${request.url} ${String(request.headers["x-key"] ?? "")}`);
    if (isUnresponsive) return;
    response.setHeader("content-type", "text/html");
    if (request.url === "/held") {
      response.setHeader("etag", '"one"');
      if (!request.headers["if-none-match"])
        return response.end(`<!doctype html><title>Held</title>${paragraphs}`);
      const answer = () => response.writeHead(304).end();
      if (!heldAnswers) return answer();
      heldAnswers.push(answer);
      return;
    }
    if (request.url === "/late") {
      const script = `setTimeout(() => document.querySelector("main").insertAdjacentHTML("beforeend", "<p class=late>It came late.</p>"), 6500)`;
      return response.end(
        `<!doctype html><title>Late</title><main>${paragraphs}</main><script>${script}</script>`,
      );
    }
    const [, coding = ""] = /^\/packed-(\w+)/.exec(request.url ?? "") ?? [];
    const compress = compressors[coding];
    if (compress && errorStatus !== null) return response.writeHead(errorStatus).end();
    if (compress) {
      const compressed = compress(
        `<!doctype html><title>Packed</title><main>${paragraphs}${extraHtml}</main>`,
      );
      response.setHeader("content-encoding", coding);
      return response.end(isCut ? compressed.subarray(0, compressed.length >> 1) : compressed);
    }
    const nonce = Math.random().toString(36).slice(2);
    response.end(
      `<!doctype html><title>A site</title><meta name="csrf-token" content="${nonce}"><h1>A site</h1><main>${paragraphs}${extraHtml}</main>`,
    );
  }).listen(0);
  await new Promise((resolve) => site.once("listening", resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  engine = await startTestEngine({ capturing: false });
  stop = await startCaptureWorker(engine.app, { confirmAfterMs: 500 });
});

afterAll(async () => {
  await engine.close();
  await stop();
  site.closeAllConnections();
  site.close();
});

test("a real page is captured, its nonce is ignored, and its change is confirmed and shown", async () => {
  const { createJob, executionsOf, call, logsOf } = await engine.person();
  const wait = (id: string, count: number) => until(async () => (await executionsOf(id)).length >= count);
  const id = await createJob({ url: `${origin}/page`, headers: [{ name: "X-Key", value: "k" }] });
  await wait(id, 1);
  expect(receivedRequests.filter((line) => line.startsWith("/page"))).not.toEqual([]);
  expect(receivedRequests.every((line) => !line.startsWith("/page") || line === "/page k")).toBe(true);
  await call("POST", `/api/jobs/${id}/run`);
  await wait(id, 2);
  expect((await executionsOf(id))[0]).toMatchObject({ changed: false, error: null });
  extraHtml = "<p>A new scope is in the programme: api.example.com pays double.</p>";
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

test("R9 a truncated document or an error response is a failed check, and neither baseline nor change", async () => {
  const { createJob, executionsOf, call } = await engine.person();
  extraHtml = "";
  // capture-page.browser.test.ts tests truncation for each encoding; the long test run checks both through the engine.
  const codings = process.env.TEST_SIZE === "long" ? ["gzip", "br"] : ["br"];
  const urls = codings.map((coding) => `${origin}/packed-${coding}`);
  const jobs = await Promise.all(urls.map((url) => createJob({ url })));
  const runAll = async (count: number) => {
    if (count > 1) for (const id of jobs) await call("POST", `/api/jobs/${id}/run`);
    await until(async () =>
      (await Promise.all(jobs.map(executionsOf))).every((list) => list.length >= count),
    );
    return Promise.all(jobs.map(async (id) => (await executionsOf(id))[0]));
  };
  const forEveryJob = (expected: object) => jobs.map(() => expected);
  const first = await runAll(1);
  expect(first).toMatchObject(forEveryJob({ summary: "First capture" }));
  isCut = true;
  const error = "The server's answer ended early: only a part of it arrived.";
  const truncated = { error, summary: error, changed: false, hasImage: false, status_code: null };
  expect(await runAll(2)).toMatchObject(forEveryJob(truncated));
  isCut = false;
  errorStatus = 503;
  const unavailable = {
    error: "The server answered 503 Service Unavailable.",
    changed: false,
    status_code: 503,
  };
  expect(await runAll(3)).toMatchObject(forEveryJob(unavailable));
  errorStatus = null;
  const recovered = await runAll(4);
  expect(recovered).toMatchObject(forEveryJob({ error: null, changed: false, summary: "No change" }));
  extraHtml = "<p>A new scope is in the programme: api.example.com pays double.</p>";
  const changed = await runAll(5);
  expect(changed).toMatchObject(forEveryJob({ error: null, changed: true }));
  for (const execution of changed) expect(execution?.summary).toContain("pays double");
  const feed = await call("GET", "/api/notifications");
  const kinds = (feed.body.notifications as unknown as { kind: string }[]).map(({ kind }) => kind);
  // Two failures in a row, the last of them an error page, are alerted, and so is the recovery.
  expect(kinds.toSorted()).toEqual(
    ["change", "failing", "recovered"].flatMap((kind) => jobs.map(() => kind)),
  );
  extraHtml = "";
});

test("a job waits for its waitFor element, and an awaited job reports a change when its selector appears", async () => {
  const { createJob, executionsOf, call } = await engine.person();
  const wait = (id: string, count: number) => until(async () => (await executionsOf(id)).length >= count);
  extraHtml = "";
  const refused = { name: "x", url: `${origin}/x`, frequency: 60, awaited: true };
  const groups = await call("GET", "/api/jobs/groups");
  const groupId = (groups.body as unknown as { id: string }[])[0]?.id;
  expect(await call("POST", "/api/jobs/create", { ...refused, groupId })).toMatchObject({
    status: 400,
    body: { field: "selector", message: "Enter a CSS selector for the element to wait for." },
  });
  const [late, awaited] = await Promise.all([
    createJob({ url: `${origin}/late`, waitFor: { selector: ".late" } }),
    createJob({ url: `${origin}/awaited`, selector: "#ticket", awaited: true }),
  ]);
  await Promise.all([wait(late, 1), wait(awaited, 1)]);
  const text = await call("GET", `/api/jobs/${late}/executions/${(await executionsOf(late))[0]?.id}/text`);
  expect(text.raw.toString()).toContain("It came late.");
  expect((await executionsOf(awaited))[0]).toMatchObject({ error: null, changed: false });
  extraHtml = '<p id="ticket">Tickets are on sale now.</p>';
  await call("POST", `/api/jobs/${awaited}/run`);
  await wait(awaited, 2);
  expect((await executionsOf(awaited))[0]).toMatchObject({ error: null, changed: true });
  expect((await executionsOf(awaited))[0]?.summary).toContain("Tickets are on sale now");
});

test("ignore rules and selectors apply to the picture too: a banner that they exclude causes no change", async () => {
  const { createJob, executionsOf, call } = await engine.person();
  const wait = (id: string, count: number) => until(async () => (await executionsOf(id)).length >= count);
  const setPage = (color: string, height: number, price: string) => {
    extraHtml = `<div class="ad" style="background:${color};height:${height}px">Sale in ${color}</div><p id="price">Lamp <b>${price}</b></p>`;
  };
  setPage("red", 100, "59 €");
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
  setPage("blue", 300, "59 €");
  const unchanged = { changed: false, error: null, similarity: 100 };
  expect(await runAll(2)).toMatchObject([unchanged, unchanged]);
  setPage("green", 200, "64 €");
  const changed = await runAll(3);
  expect(changed).toMatchObject([{ changed: true }, { changed: true }]);
  // For such a small part the summary may also say how different it looks.
  for (const execution of changed)
    expect(execution?.summary).toMatch(/^“Lamp” 59 € → 64 €(; Looks \d+% different)?$/);
  extraHtml = "";
});

test("checks by plain HTTP keep no browser from other checks, however slowly the server answers", async () => {
  const { createJob, executionsOf, call } = await engine.person();
  const wait = (id: string, count: number) => until(async () => (await executionsOf(id)).length >= count);
  const run = (ids: string[]) => Promise.all(ids.map((id) => call("POST", `/api/jobs/${id}/run`)));
  const jobCount = engine.app.config.captureConcurrency + 1;
  const urls = Array.from({ length: jobCount }, (_, i) => origin.replace("127.0.0.1", `127.0.1.${i + 1}`));
  const heldJobs = await Promise.all(urls.map((url) => createJob({ url: `${url}/held` })));
  const otherJob = await createJob({ url: `${origin}/other` });
  await Promise.all([...heldJobs, otherJob].map((id) => wait(id, 1)));
  await run(heldJobs);
  await Promise.all(heldJobs.map((id) => wait(id, 2)));
  const answers: (() => void)[] = [];
  heldAnswers = answers;
  await run(heldJobs);
  await until(async () => answers.length === jobCount);
  await run([otherJob]);
  await wait(otherJob, 2);
  expect(answers).toHaveLength(jobCount);
  heldAnswers = undefined;
  for (const answer of answers) answer();
  await Promise.all(heldJobs.map((id) => wait(id, 3)));
  for (const id of heldJobs)
    expect((await executionsOf(id))[0]).toMatchObject({ error: null, changed: false });
});

/** The browser's processes among the descendants of this process. */
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
  "if the browser is killed mid-capture, the check ends with a failure or a capture, and the next succeeds",
  async () => {
    const { createJob, executionsOf, call } = await engine.person();
    isUnresponsive = true;
    receivedRequests = [];
    const id = await createJob({ url: `${origin}/slow` });
    await until(async () => receivedRequests.some((line) => line.startsWith("/slow")));
    const browsers = browserPids();
    expect(browsers).not.toEqual([]);
    for (const pid of browsers) process.kill(pid, "SIGKILL");
    isUnresponsive = false;
    await until(async () => (await executionsOf(id)).length >= 1);
    await call("POST", `/api/jobs/${id}/run`);
    await until(async () => (await executionsOf(id)).length >= 2);
    expect((await executionsOf(id))[0]).toMatchObject({ error: null, hasImage: true });
    expect(await executionsOf(id)).toHaveLength(2);
  },
);

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (performance.now() < end) {
    if (await condition()) return;
    await sleep(250);
  }
  throw new Error(
    `it did not happen\n${engine.log
      .filter((line) => line.includes('"err"'))
      .slice(-3)
      .join("\n")}`,
  );
}

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readSnapshot } from "#checks/store-capture.ts";
import { startTestEngine } from "#checks/testing/engine.ts";
import { codeOf, periodOf, readCodeKey } from "#page-steps/one-time-code.ts";
import { collectContents } from "#retention/delete-history.ts";
import { storedPartsOf } from "#storage/executions.ts";
import { startCaptureWorker } from "../background-tasks/start-capture-worker.ts";

// Steps before the capture, with the whole engine and a real browser, on a site like a small shop.

const password = `s3cret "pass" 😀`;
let shop: Server;
let origin: string;
let engine: Awaited<ReturnType<typeof startTestEngine>>;
let stop: () => Promise<void>;
const state = { price: "59.00", button: "Show prices", id: "show" };

const codeKey = "otpauth://totp/Shop:ana?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=15";
/** What was entered as a one-time code. */
const codes: string[] = [];
function validCodes(): string[] {
  const key = readCodeKey(codeKey);
  if (!key) throw new Error("the key was not read");
  const now = periodOf(key, Date.now());
  return [now - 1, now].map((period) => codeOf(key, period));
}

const words = Array.from({ length: 20 }, (_, i) => `<p>Paragraph ${i} about lamps.</p>`).join("");
const page = (body: string) => `<!doctype html><title>Shop</title><main>${body}</main>`;

beforeAll(async () => {
  shop = createServer((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    const isSignedIn = request.headers.cookie?.includes("session=1") ?? false;
    if (request.url === "/sign-in" && request.method === "POST") {
      let body = "";
      request.on("data", (part) => (body += String(part)));
      request.on("end", () => {
        const isRight = new URLSearchParams(body).get("password") === password;
        if (isRight) response.setHeader("set-cookie", "session=1; Path=/; HttpOnly");
        response
          .writeHead(303, { location: isRight ? `/prices?hello=${encodeURIComponent(password)}` : "/wrong" })
          .end();
      });
      return;
    }
    if (request.url === "/code" && request.method === "POST") {
      let body = "";
      request.on("data", (part) => (body += String(part)));
      request.on("end", () => {
        const code = new URLSearchParams(body).get("code") ?? "";
        const isValid = validCodes().includes(code) && !codes.includes(code);
        codes.push(code);
        response.end(page(`${words}<p>${isValid ? "Accepted" : "Refused"}</p>`));
      });
      return;
    }
    if (request.url === "/code")
      return response.end(
        page(`${words}<form method="post"><input name="code"><button>Send</button></form>`),
      );
    if (request.url?.startsWith("/prices") && isSignedIn)
      return response.end(
        // Some sites repeat what a visitor typed.
        page(`${words}<p title="${password.replaceAll('"', "&quot;")}">Hello, ${password}!</p><button id="${state.id}" data-now onclick="document.querySelector('#price').hidden=false">${state.button}</button>
          <p id="price" hidden>Fjell lamp ${state.price} €</p>`),
      );
    response.end(
      page(`${words}<form method="post" action="/sign-in"><label>User <input name="user"></label>
        <label>Password <input name="password" type="password"></label><button>Sign in</button></form>`),
    );
  }).listen(0);
  await new Promise((resolve) => shop.once("listening", resolve));
  origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  engine = await startTestEngine({ capturing: false });
  stop = await startCaptureWorker(engine.app, { confirmAfterMs: 200 });
});
beforeEach(() => Object.assign(state, { button: "Show prices", id: "show" }));

afterAll(async () => {
  await engine.close();
  await stop();
  shop.closeAllConnections();
  shop.close();
});

const recording = JSON.stringify({
  title: "Prices",
  steps: [
    { type: "change", selectors: [["aria/User"], ["[name=user]"]], value: "ana" },
    { type: "change", selectors: [["aria/Password"], ["[name=password]"]], value: password },
    { type: "click", selectors: [["aria/Sign in"]], assertedEvents: [{ type: "navigation" }] },
    { type: "click", selectors: [["#show"], ["text/Show prices"]] },
    { type: "waitForElement", selectors: [["text/Fjell lamp"]] },
  ],
});

type Person = Awaited<ReturnType<typeof engine.person>>;
type Step = { text: string; url: string; error: string | null; note: string | null; selector: string | null };

let watched: ReturnType<typeof startWatching> | undefined;
/** A job that most tests share, because its first check is the dearest part of each. */
const watchPrices = () => (watched ??= startWatching());
async function startWatching() {
  const person = await engine.person();
  const { body } = await person.call("POST", "/api/page-steps/read", { recording });
  expect(body).toMatchObject({ title: "Prices", refused: [] });
  const { steps, secrets } = body as unknown as { steps: object[]; secrets: object[] };
  expect(JSON.stringify(steps)).not.toContain("s3cret");
  const id = await person.createJob({ url: `${origin}/`, pageSteps: steps, stepSecrets: secrets });
  return { person, id, first: await person.execution(id, 1) };
}

const detailOf = async (person: Person, jobId: string, id: string) =>
  (await person.call("GET", `/api/jobs/${jobId}/executions/${id}`)).body as unknown as {
    steps: (Step & { hasPicture: boolean; ms: number })[];
    error: string | null;
    hasImage: boolean;
    changed: boolean;
  };

test("a job signs in by the steps of a recording and watches what is behind them", async () => {
  const { person, id, first } = await watchPrices();
  expect(first).toMatchObject({ error: null, summary: "First capture" });
  const text = await person.call("GET", `/api/jobs/${id}/executions/${first.id}/text`);
  expect(text.raw.toString()).toContain("Fjell lamp 59.00 €");
  const { steps } = await detailOf(person, id, first.id);
  expect(steps.map(({ text, selector, error }) => [text, selector, error])).toEqual([
    ["Enter “ana” in “User”", "aria/User", null],
    ["Enter “{{secret.password}}” in “Password”", "aria/Password", null],
    ["Click “Sign in”", "aria/Sign in", null],
    ["Click “Show prices”", "#show", null],
    ["Wait for “Fjell lamp”", "text/Fjell lamp", null],
  ]);
  expect(steps[2]?.url).toBe(`${origin}/prices?hello=••••••••`);
  const picture = await person.call("GET", `/api/jobs/${id}/executions/${first.id}/steps/3/image`);
  expect([picture.headers["content-type"], (await sharp(picture.raw).metadata()).width]).toEqual([
    "image/jpeg",
    1280,
  ]);
  const stranger = await engine.person();
  const stolen = await stranger.call("GET", `/api/jobs/${id}/executions/${first.id}/steps/3/image`);
  expect(stolen.status).toBe(404);
  state.price = "49.00";
  expect(await person.run(id)).toMatchObject({ changed: true, error: null });
});

test("a failed step is a failed check with its picture, and neither a capture nor a baseline", async () => {
  const { person, id } = await watchPrices();
  Object.assign(state, { button: "Offers", id: "offers" });
  const failed = await person.run(id);
  expect(failed).toMatchObject({
    changed: false,
    error:
      "Step 4 failed (Click “Show prices”): None of its 2 selectors matches anything on the page, as “#show”.",
  });
  const detail = await detailOf(person, id, failed.id);
  expect([detail.hasImage, detail.steps.length, detail.steps[3]?.hasPicture]).toEqual([false, 4, true]);
  expect((await person.call("GET", `/api/jobs/${id}/executions/${failed.id}/html`)).status).toBe(404);
  const { body } = await person.call("GET", `/api/jobs/${id}`);
  expect(body.trouble).toMatchObject({ kind: "gone" });
  // The page behind the steps is the same as before, so the next check finds no change.
  Object.assign(state, { button: "Show prices", id: "show" });
  expect(await person.run(id)).toMatchObject({ changed: false, error: null, summary: "No change" });
});

test("the job tells when a step finds its element by its text only, before it breaks", async () => {
  const { person, id } = await watchPrices();
  state.id = "other";
  const run = await person.run(id);
  expect(run.error).toBeNull();
  const note = "Only its text still finds the element; the other selector matches nothing.";
  expect((await detailOf(person, id, run.id)).steps[3]?.note).toBe(note);
  expect(await person.logsOf(id)).toContain(`[warn] Step 4 (Click “Show prices”): ${note}`);
});

test("“Try now” does the steps of a job with its saved secrets and shows each one, also if one fails", async () => {
  const { person, id } = await watchPrices();
  const { body: job } = await person.call("GET", `/api/jobs/${id}`);
  expect(JSON.stringify(job)).not.toContain("s3cret");
  const { pageSteps, stepSecrets } = job;
  const tryNow = async (steps: unknown) => {
    const asked = await person.call("POST", "/api/previews", {
      url: `${origin}/`,
      pageSteps: steps,
      stepSecrets,
      jobId: id,
    });
    return engine.waitFor("the preview", async () => {
      const { body } = await person.call("GET", `/api/previews/${asked.body.id}`);
      return (
        body.state !== ("queued" as never) &&
        (body as unknown as { id: string; state: string; error: string; steps: Step[] })
      );
    });
  };
  const done = await tryNow(pageSteps);
  expect([done.state, done.steps.map(({ error }) => error)]).toEqual([
    "ready",
    [null, null, null, null, null],
  ]);
  const picture = await person.call("GET", `/api/previews/${done.id}/steps/5/image`);
  expect((await sharp(picture.raw).metadata()).format).toBe("jpeg");
  const wrong = await tryNow([{ type: "keyDown", key: "Jump" }]);
  expect(wrong).toMatchObject({
    state: "failed",
    error: "Step 1 failed (Press Jump): There is no key “Jump”.",
    steps: [{ error: "There is no key “Jump”." }],
  });
  const inside = await person.call("POST", "/api/previews", {
    url: `${origin}/`,
    pageSteps: [{ type: "navigate", url: "http://10.0.0.1/" }],
  });
  expect(inside.body).toMatchObject({ code: "TARGET_NOT_ALLOWED", field: "pageSteps.0.url" });
  const stranger = await engine.person();
  const stolen = await stranger.call("POST", "/api/previews", {
    url: `${origin}/`,
    pageSteps,
    stepSecrets,
    jobId: id,
  });
  expect(stolen.status).toBe(404);
});

test("one-time codes are made as they are typed, and none is typed twice", async () => {
  const person = await engine.person();
  const id = await person.createJob({
    url: `${origin}/code`,
    pageSteps: [
      { type: "change", selectors: [["[name=code]"]], value: "{{totp.key}}" },
      { type: "click", selectors: [["aria/Send"]] },
      { type: "waitForElement", selectors: [["text/Accepted"]] },
    ],
    stepSecrets: [{ name: "key", value: codeKey }],
  });
  // The first check captures twice, so it needs two codes.
  expect(await person.execution(id, 1)).toMatchObject({ error: null, summary: "First capture" });
  expect([codes.length, new Set(codes).size]).toEqual([2, 2]);
});

test("no stored byte, log line or export holds what the steps typed", async () => {
  const { person, id } = await watchPrices();
  const parts = ["s3cret", Buffer.from(password).toString("base64").slice(0, 12)];
  const { db, jobs } = engine.app;
  const { rows } = await db
    .selectFrom("executions")
    .selectAll()
    .where("job_id", "=", id)
    .execute()
    .then((rows) => ({ rows }));
  for (const row of rows) {
    const kept = storedPartsOf(row);
    if (!kept) continue;
    const snapshot = await readSnapshot(jobs, person.accountId, kept);
    const all = JSON.stringify({ ...snapshot, body: Buffer.from(snapshot.body).toString("latin1") });
    for (const part of parts) expect(all).not.toContain(part);
  }
  const tables = await db.introspection.getTables();
  for (const { name, schema } of tables.filter(({ isView }) => !isView)) {
    const found = await db
      .withSchema(schema ?? "public")
      .selectFrom(name as "jobs")
      .selectAll()
      .execute();
    const text = JSON.stringify(found);
    for (const part of parts) expect([name, text.includes(part)]).toEqual([name, false]);
  }
  for (const format of ["json", "csv", "zip", "wacz"]) {
    const { raw } = await person.call("GET", `/api/jobs/${id}/export?format=${format}`);
    for (const part of parts) expect([format, raw.includes(part)]).toEqual([format, false]);
  }
  const archive = await person.call("GET", "/api/export");
  for (const part of parts) expect(archive.raw.includes(part)).toBe(false);
  for (const part of parts) expect(engine.log.join("\n")).not.toContain(part);
  expect(rows.length).toBeGreaterThan(0);
});

test("changed steps make a new baseline, with a note", async () => {
  const { person, id } = await watchPrices();
  const { body } = await person.call("GET", `/api/jobs/${id}`);
  const pageSteps = (body.pageSteps as unknown as object[]).slice(0, 3);
  await person.call("PATCH", `/api/jobs/${id}`, { pageSteps });
  expect(await person.run(id)).toMatchObject({
    changed: false,
    summary: "The steps before the capture changed: this capture is the new baseline",
  });
});

test("deleting the history releases the pictures of its steps", async () => {
  const { person, id } = await startWatching();
  await person.call("DELETE", `/api/jobs/${id}`);
  const { db } = engine.app;
  await engine.waitFor("the deletion", async () => {
    const left = await db.selectFrom("executions").select("id").where("job_id", "=", id).execute();
    return left.length === 0;
  });
  await collectContents(db, engine.app.jobs.blobs, 0);
  const contents = await db
    .selectFrom("contents")
    .select("refs")
    .where("account_id", "=", person.accountId)
    .execute();
  expect(contents).toEqual([]);
});

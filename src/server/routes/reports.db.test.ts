import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import type * as pdfjs from "pdfjs-dist";
import sharp from "sharp";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { buildReport, giveUpReport } from "#reports/build-report.ts";
import { requestReport } from "#reports/request-report.ts";
import { runReportProcess } from "#reports/run-report-process.ts";
import { nextRun, runSchedules } from "#reports/schedule-report.ts";
import { deleteAccount } from "#storage/accounts.ts";
import { insertReport } from "#storage/reports.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;

async function createWatchedJob(name: string) {
  const person = await engine.person("ultimate");
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null, shade: 200 });
  const jobId = await person.createJob({ name });
  await person.execution(jobId, 1);
  engine.site.page.html = html(...story, "The price is now 42 €, 价格.");
  await person.run(jobId);
  return { person, jobId };
}

/** Opens a PDF with an independent reader. */
async function openPdf(pdf: Buffer) {
  const root = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const { getDocument } = (await import(pathToFileURL(join(root, "legacy/build/pdf.mjs")).href)) as Pick<
    typeof pdfjs,
    "getDocument"
  >;
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  return { task, document: await task.promise };
}

/** The text of all pages of a report. */
async function wordsOf(pdf: Buffer): Promise<string> {
  const { task, document } = await openPdf(pdf);
  const words: string[] = [];
  for (let page = 1; page <= document.numPages; page++) {
    const { items } = await (await document.getPage(page)).getTextContent();
    words.push(...items.map((item) => ("str" in item ? item.str : "")));
  }
  await task.destroy();
  return words.join(" ").replace(/\s+/g, " ");
}

async function waitForPdf(person: Person, id: string): Promise<Buffer> {
  // The test's own limit ends it.
  for (;;) {
    const answer = await person.call("GET", `/api/reports/${id}/pdf`);
    if (answer.headers["content-type"] === "application/pdf") return answer.raw;
    expect([answer.status, answer.body.code]).toEqual([409, "CONFLICT"]);
    await sleep(100);
  }
}

const prices = "<b>Prices</b> 東京";
let cachedReport:
  | Promise<{ person: Person; jobId: string; id: string; pdf: Buffer; html: string }>
  | undefined;
/** One report that several tests share, because drawing one costs as much as three checks. */
const pricesReport = () =>
  (cachedReport ??= (async () => {
    const { person, jobId } = await createWatchedJob(prices);
    const logo = await sharp({ create: { width: 20, height: 10, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const note = "For <i>you</i>";
    const made = await person.call("POST", "/api/reports", { jobId, note, logo: logo.toString("base64") });
    expect(made.status).toBe(202);
    const id = String(made.body.id);
    const pdf = await waitForPdf(person, id);
    const answer = await person.call("GET", `/api/reports/${id}/html`);
    expect(answer.headers["content-security-policy"]).toContain("sandbox");
    return { person, jobId, id, pdf, html: answer.raw.toString() };
  })());

test("a job's report shows its checks and changes in words and pictures", async () => {
  const { person, id, pdf } = await pricesReport();
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const words = await wordsOf(pdf);
  expect(words).toContain(prices);
  expect(words).toContain("1 job · 2 checks · 1 change · 0 failures");
  // The reader separates text in another font.
  expect(words).toMatch(/\+ The price is now 42 €, 价格 ?\./);
  expect(pdf.includes("/Subtype /Image")).toBe(true);
  // Fingerprints are in the appendix, after everything else.
  expect(words).toMatch(/Open in Watchglass Fingerprints .*[\da-f]{64}/);
  const { body } = await person.call("GET", "/api/reports");
  expect(body.reports).toEqual([expect.objectContaining({ id, title: prices, state: "ready" })]);
});

test("the HTML report has the same content, loads nothing else and runs no script", async () => {
  const { html } = await pricesReport();
  expect(html).toContain("&#60;b&#62;Prices&#60;/b&#62;");
  expect(html).toContain("For &#60;i&#62;you&#60;/i&#62;");
  expect(html).toContain("<ins>+ The price is now 42 €, 价格.</ins>");
  expect(html.match(/src="data:image/g)).toHaveLength(2);
  expect(html).not.toMatch(/<script|(src|href)="https?:\/\/(?!localhost)/);
});

test("a report shows a change's headers, findings, time and severity, in PDF and HTML", async () => {
  const person = await engine.person("ultimate");
  const policy: [string, string][] = [["content-security-policy", "default-src 'self'"]];
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null, headers: policy });
  const jobId = await person.createJob({ name: "Headers" });
  await person.execution(jobId, 1);
  Object.assign(engine.site.page, { html: html(...story, "Write to deal@shop.example."), headers: [] });
  const changed = await person.run(jobId);
  const imported = { at: "2026-03-04T05:06:07.000Z", archive: "a".repeat(64), origin: null };
  await sql`update executions set imported = ${JSON.stringify(imported)} where id = ${changed.id}`.execute(
    engine.app.db,
  );
  const { body } = await person.call("GET", `/api/jobs/${jobId}/executions/${changed.id}`);
  const made = await person.call("POST", "/api/reports", { jobId });
  const words = await wordsOf(await waitForPdf(person, String(made.body.id)));
  const page = (await person.call("GET", `/api/reports/${made.body.id}/html`)).raw.toString();
  const time = `${String(body.createdAt).slice(0, 16).replace("T", " ")} UTC`;
  for (const text of [
    "content-security-policy",
    "Found email: deal@shop.example",
    "Imported on 2026-03-04 from an archive with the fingerprint (SHA-256)",
    "which had no seal of it: nothing vouches for what it says.",
    `${time} · ${String(body.severity)} · execution 2`,
  ])
    expect(words.toLowerCase()).toContain(text.toLowerCase());
  expect(page.toLowerCase()).toContain("content-security-policy");
  expect(page).toContain("<li>Found email: deal@shop.example</li>");
  expect(page).toContain(
    `<li>Imported on 2026-03-04 from an archive with the fingerprint (SHA-256) ${imported.archive}, which had no seal of it: nothing vouches for what it says.</li>`,
  );
  expect(page).toContain(`>${time}</time> · ${String(body.severity)} · execution 2`);
});

test("followed values have their own chart, also described in words, in PDF and HTML", async () => {
  const person = await engine.person("ultimate");
  const shop = (price: string, stock: string) =>
    html(...story, `<b id="price">${price}</b>`, `<b id="stock">${stock}</b>`);
  Object.assign(engine.site.page, { html: shop("59.00 €", "few"), status: 200, failure: null, shade: 200 });
  const values = [
    { name: "price", by: "selector", rule: "#price" },
    { name: "stock", by: "selector", rule: "#stock" },
  ];
  const jobId = await person.createJob({ name: "Lamp", values });
  await person.execution(jobId, 1);
  for (const page of [shop("1.064,50 €", "few"), html(...story), shop("49.00 €", "many")]) {
    engine.site.page.html = page;
    await person.run(jobId);
  }
  const made = await person.call("POST", "/api/reports", { jobId });
  const pdf = await waitForPdf(person, String(made.body.id));
  const price = "now 49.00 € · min 49 · max 1,064.5 · 3 changes · missing at 1 of 4 checks";
  const stock = "now many · 2 changes · missing at 1 of 4 checks";
  const words = await wordsOf(pdf);
  for (const text of [price, stock]) expect(words.split(text)).toHaveLength(2);
  const { task, document } = await openPdf(pdf);
  const pages = Array.from({ length: document.numPages }, (_, at) => at + 1);
  const trees = await Promise.all(pages.map(async (at) => (await document.getPage(at)).getStructTree()));
  expect(JSON.stringify(trees)).toContain(`Chart of price over time: ${price}`);
  expect(JSON.stringify(trees)).not.toContain("Chart of stock");
  await task.destroy();
  const page = (await person.call("GET", `/api/reports/${made.body.id}/html`)).raw.toString();
  expect(page.match(/aria-label="Chart of price over time: now 49\.00 €/g)).toHaveLength(1);
  expect(page.split(stock)).toHaveLength(2);
  const dots = page.match(/<circle /g) ?? [];
  expect(dots.length).toBeGreaterThan(0);
});

test("a PDF report is tagged and has an outline and a linked table of contents", async () => {
  const { person } = await createWatchedJob("First");
  const made = await person.call("POST", "/api/reports", { groupId: person.groupId, title: "Own title" });
  const { task, document } = await openPdf(await waitForPdf(person, String(made.body.id)));
  const marks = (await document.getMarkInfo()) as unknown as Map<string, boolean>;
  expect(marks.get("Marked")).toBe(true);
  const outline = await document.getOutline();
  expect(outline.map(({ title }) => title)).toEqual(["Contents", "What matters", "First", "Fingerprints"]);
  expect(outline[2]?.items[0]?.title).toContain("UTC");
  const { info } = (await document.getMetadata()) as unknown as { info: { Title: string; Language: string } };
  expect(info).toMatchObject({ Title: "Watchglass report: Own title", Language: "en" });
  const descriptions: string[] = [];
  const targets: unknown[] = [];
  const trees: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const links = (await page.getAnnotations()) as {
      id: string;
      dest?: string;
      contentsObj: { str: string };
    }[];
    const tree = JSON.stringify(await page.getStructTree());
    // Every link says where it leads and is part of the structure, as PDF/UA requires.
    for (const { id, dest, contentsObj } of links) {
      descriptions.push(contentsObj.str);
      // This reader puts a prefix of its own before the ids.
      expect(tree).toMatch(new RegExp(`"type":"annotation","id":"[a-z_]*${id}"`));
      targets.push(dest ? await document.getDestination(dest) : "outside");
    }
    trees.push(tree);
  }
  expect(descriptions).toEqual([
    // The contents are drawn last, but are on the first page.
    "First",
    "What matters, page 1",
    "First, page 2",
    "Fingerprints, page 2",
    "Open in Watchglass: “The price is now 42 €, 价格.” added",
  ]);
  expect(targets).not.toContain(null);
  for (const role of ["Sect", "H1", "H2", "P", "TOC", "Table", "TH", "TD", "Figure", "Link"])
    expect(trees.join("")).toContain(`"role":"${role}"`);
  expect(trees.join("")).toContain("Before and after");
  await task.destroy();
});

test("a report can cover a search or several groups, also without checks, and an empty choice is refused", async () => {
  const { person } = await createWatchedJob("Alpha 100%");
  const other = await person.call("POST", "/api/jobs/groups", { name: "Empty" });
  const found = await person.call("POST", "/api/reports", { search: "ALPHA 100%" });
  expect(await wordsOf(await waitForPdf(person, String(found.body.id)))).toContain("Jobs with “ALPHA 100%”");
  const several = await person.call("POST", "/api/reports", {
    groupIds: [person.groupId, other.body.id],
    from: "2020-01-01T00:00:00Z",
    to: "2020-02-01T00:00:00Z",
  });
  const words = await wordsOf(await waitForPdf(person, String(several.body.id)));
  for (const text of [
    "Group, Empty",
    "2020-01-01 00:00 UTC to 2020-02-01 00:00 UTC",
    "1 job · 0 checks · 0 changes · 0 failures",
    "There were no checks in this period.",
  ])
    expect(words).toContain(text);
  const refused = [
    await person.call("POST", "/api/reports", { search: "beta" }),
    await person.call("POST", "/api/reports", { groupId: other.body.id }),
    await person.call("POST", "/api/reports", { groupIds: [] }),
    await person.call("POST", "/api/reports", { groupId: person.groupId, logo: "AAAA" }),
  ];
  expect(refused.map(({ status, body }) => [status, body.message])).toEqual([
    [400, "No job’s name or URL contains “beta”."],
    [400, "This group has no jobs."],
    [400, expect.stringContaining("Choose at least one group.")],
    [400, "The logo must be a JPEG, PNG or WebP picture."],
  ]);
});

test("a report's link is public until it ends, and the report counts as storage until it is deleted", async () => {
  const { person, jobId } = await createWatchedJob("Shared");
  const stored = async () => Number((await person.call("GET", "/api/analytics/resume")).body.stored_bytes);
  // The check's first capture is deleted a moment after the check is recorded.
  let before = 0;
  await engine.waitFor("a stable storage size", async () => {
    await sleep(200);
    const now = await stored();
    const isStable = now === before;
    before = now;
    return isStable;
  });
  const made = await person.call("POST", "/api/reports", { jobId });
  const id = String(made.body.id);
  const earlyShare = await person.call("POST", `/api/reports/${id}/share`, { days: 7 });
  const ownPdf = await waitForPdf(person, id);
  const page = (await person.call("GET", `/api/reports/${id}/html`)).raw;
  expect((await stored()) - before).toBe(ownPdf.length + page.length);
  const shared =
    earlyShare.status === 200
      ? earlyShare
      : await person.call("POST", `/api/reports/${id}/share`, { days: 7 });
  const path = new URL(String(shared.body.url)).pathname;
  const html = await engine.call("GET", path);
  expect([html.status, html.headers["x-robots-tag"]]).toEqual([200, "noindex, nofollow"]);
  expect(html.raw.toString()).toContain("Shared");
  const pdf = await engine.call("GET", path.replace(/html$/, "pdf"));
  expect(pdf.headers["content-type"]).toBe("application/pdf");
  expect((await person.call("POST", `/api/reports/${id}/share`, { days: 3 })).body.message).toContain(
    "A link is valid for 1, 7 or 30 days.",
  );
  expect((await person.call("DELETE", `/api/reports/${id}/share`)).status).toBe(200);
  expect((await engine.call("GET", path)).status).toBe(404);
  const newShare = await person.call("POST", `/api/reports/${id}/share`, {});
  await sql`update reports set shared_until = now() where id = ${id}`.execute(engine.app.db);
  expect((await engine.call("GET", new URL(String(newShare.body.url)).pathname)).status).toBe(404);
  expect((await person.call("DELETE", `/api/reports/${id}`)).body.code).toBe("REPORT_DELETED");
  expect((await person.call("DELETE", `/api/reports/${id}`)).status).toBe(404);
  expect(await stored()).toBe(before);
});

test("a schedule creates reports about the previous week, mails them, and ends when it is deleted", async () => {
  const { person, jobId } = await createWatchedJob("Weekly");
  await sql`update executions set created_at = '2026-03-04T10:00:00Z' where job_id = ${jobId}`.execute(
    engine.app.db,
  );
  const made = await person.call("POST", "/api/report-schedules", { jobId, every: "week", title: "My week" });
  expect(made.status).toBe(200);
  await sql`update report_schedules set next_at = '2026-03-09T05:00:00Z' where id = ${made.body.id}`.execute(
    engine.app.db,
  );
  await runSchedules(engine.app.evidence, new Date("2026-03-09T05:04:00Z"));
  await runSchedules(engine.app.evidence, new Date("2026-03-09T05:09:00Z"));
  const mail = await engine.waitFor("the mail", async () =>
    (await engine.mailsTo(person.email)).find(({ subject }) => subject === "Report: My week"),
  );
  expect(mail.text).toContain("from 2026-03-02 to 2026-03-09");
  const link = /http\S+\/html/.exec(mail.text)?.[0] ?? "";
  const html = (await engine.call("GET", new URL(link).pathname)).raw.toString();
  expect(html).toContain("1 job · 2 checks · 1 change");
  const { body } = await person.call("GET", "/api/report-schedules");
  expect(body.schedules).toEqual([
    { id: made.body.id, title: "My week", every: "week", nextAt: "2026-03-16T05:00:00.000Z" },
  ]);
  const stranger = await engine.person("ultimate");
  expect((await stranger.call("DELETE", `/api/report-schedules/${made.body.id}`)).status).toBe(404);
  expect((await person.call("DELETE", `/api/report-schedules/${made.body.id}`)).status).toBe(200);
  expect(
    (await person.call("POST", "/api/report-schedules", { jobId, every: "day" })).body.message,
  ).toContain("A report is created every week or every month.");
});

test.each([
  ["week", "2026-03-09T04:59:00Z", "2026-03-09T05:00:00.000Z"],
  ["week", "2026-03-09T05:00:00Z", "2026-03-16T05:00:00.000Z"],
  ["week", "2026-12-31T12:00:00Z", "2027-01-04T05:00:00.000Z"],
  ["month", "2026-01-31T12:00:00Z", "2026-02-01T05:00:00.000Z"],
  ["month", "2026-12-01T05:00:00Z", "2027-01-01T05:00:00.000Z"],
] as const)("the next report of every %s after %s is due at %s", (every, after, next) => {
  expect(nextRun(every, new Date(after)).toISOString()).toBe(next);
});

const executionCount = process.env.TEST_SIZE === "long" ? 10_000 : 2_000;

test(`a report on ${executionCount} executions counts all of them, and its progress only grows`, async () => {
  const { person, jobId } = await createWatchedJob("Long");
  await sql`
    insert into executions (job_id, account_id, number, created_at, status_code, changed, severity, summary, duration_ms, attempts, failure)
    select ${jobId}, ${person.accountId}, n, now() - n * interval '4 minutes', 200, n % 50 = 0,
      case when n % 50 = 0 then 'important' end, 'Check ' || n, 5, 1, case when n % 100 = 1 then 'dns' end
    from generate_series(3, ${executionCount}::integer) as n
  `.execute(engine.app.db);
  const made = await person.call("POST", "/api/reports", { jobId });
  const progress: number[] = [];
  let ticks = 0;
  const ticker = setInterval(() => ticks++, 1);
  const pdf = await engine.waitFor("the report", async () => {
    const { body } = await person.call("GET", "/api/reports");
    const [report] = body.reports as unknown as { state: string; done: number; total: number }[];
    if (report && report.total > 0) progress.push(report.done / report.total);
    if (report?.state !== "ready") return undefined;
    return (await person.call("GET", `/api/reports/${made.body.id}/pdf`)).raw;
  });
  clearInterval(ticker);
  // The report is made by another process, so this one stays free for calls.
  expect(ticks).toBeGreaterThan(100);
  expect(progress.at(-1)).toBe(1);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  const words = await wordsOf(pdf);
  // Executions 101, 201 and so on failed.
  const failures = executionCount / 100 - 1;
  expect(words).toContain(
    `1 job · ${executionCount} checks · ${executionCount / 50 + 1} changes · ${failures} failures`,
  );
  expect(words).toContain(`${(100 - (100 * failures) / executionCount).toFixed(2)}% (${failures} failures)`);
  expect(words).toContain(`${executionCount / 50} important`);
});

const noSummary = async () => null;

/** A report that nothing makes until the test calls `buildReport`, with what a worker would give it. */
async function createQueuedReport(name: string) {
  const { person, jobId } = await createWatchedJob(name);
  const { db, alerts, connectionString, captureStore } = engine.app;
  const id = await insertReport(db, {
    account_id: person.accountId,
    title: name,
    note: null,
    logo: null,
    job_ids: [jobId],
    from_at: new Date(Date.now() - 86_400_000),
    to_at: new Date(Date.now() + 60_000),
  });
  return {
    person,
    jobId,
    id,
    deps: { ...alerts, connectionString, captureStore, makeReport: runReportProcess },
  };
}

/** The processes that make reports, and the folders in which they draw. */
async function reportProcesses(): Promise<{ pids: number[]; folders: string[] }> {
  const pids: number[] = [];
  for (const name of await readdir("/proc")) {
    const [command, status] = await Promise.all(
      ["cmdline", "status"].map((file) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "")),
    );
    if (command?.includes("report-process.ts") && status?.includes(`\nPPid:\t${process.pid}\n`))
      pids.push(Number(name));
  }
  const folders = (await readdir(tmpdir())).filter((name) =>
    name.startsWith(`watchglass-report-${process.pid}-`),
  );
  return { pids, folders };
}

const startedProcess = () =>
  engine.waitFor("the process of the report", async () => (await reportProcesses()).pids[0]);

const stateOf = async ({ call }: Person) =>
  (await call("GET", "/api/reports")).body.reports as unknown as { id: string; state: string }[];

/** Makes reports as the product does, until the test ends. */
function useProcesses(): void {
  const { app } = engine;
  const { makeReport } = app;
  app.makeReport = runReportProcess;
  onTestFinished(() => {
    app.makeReport = makeReport;
  });
}

test("a report is made by a process of its own, whose memory and files are gone when it is ready", async () => {
  useProcesses();
  const { person, jobId } = await createWatchedJob("Process");
  const made = [
    await person.call("POST", "/api/reports", { jobId }),
    await person.call("POST", "/api/reports", { jobId }),
  ];
  const pid = await startedProcess();
  expect(pid).not.toBe(process.pid);
  const pdfs = await Promise.all(made.map(({ body }) => waitForPdf(person, String(body.id))));
  expect(pdfs.map((pdf) => pdf.subarray(0, 5).toString())).toEqual(["%PDF-", "%PDF-"]);
  expect(await reportProcesses()).toEqual({ pids: [], folders: [] });
});

test("a report whose process dies is made again", async () => {
  useProcesses();
  const { person, jobId } = await createWatchedJob("Killed");
  const made = await person.call("POST", "/api/reports", { jobId });
  process.kill(await startedProcess(), "SIGKILL");
  await waitForPdf(person, String(made.body.id));
  expect((await stateOf(person)).map(({ state }) => state)).toEqual(["ready"]);
});

test("a report that cannot be made fails with the reason in the log, a sentence for the user, and nothing left", async () => {
  const { person, id, deps } = await createQueuedReport("Impossible");
  const broken = { ...deps, captureStore: new URL("ftp://nowhere.example/") };
  await expect(buildReport(broken, id, noSummary)).rejects.toThrow(
    /The process of the report ended with code 1\.[^]*no blobs at ftp:/,
  );
  await sql`update reports set pdf = 'half', html = 'half' where id = ${id}`.execute(engine.app.db);
  // The files of a report that is not ready are not shown.
  const early = await person.call("GET", `/api/reports/${id}/pdf`);
  expect(early.body.message).toBe("This report is still being created. Try again in a moment.");
  await giveUpReport(engine.app, id);
  expect(await stateOf(person)).toEqual([expect.objectContaining({ id, state: "failed" })]);
  const late = await person.call("GET", `/api/reports/${id}/pdf`);
  expect([late.status, late.body.message]).toEqual([
    409,
    "This report could not be created. Choose a shorter period or fewer jobs, and try again.",
  ]);
  const { rows } = await sql`select pdf, html from reports where id = ${id}`.execute(engine.app.db);
  expect(rows).toEqual([{ pdf: null, html: null }]);
  expect(await reportProcesses()).toEqual({ pids: [], folders: [] });
});

test("a report is cancelled without an error when its account is deleted while it is made", async () => {
  const { person, id, deps } = await createQueuedReport("Cancelled");
  const building = buildReport(deps, id, noSummary);
  await startedProcess();
  await deleteAccount(engine.app.db, person.accountId);
  await building;
  const { rows } = await sql`select id from reports where id = ${id}`.execute(engine.app.db);
  expect(rows).toEqual([]);
  expect(await reportProcesses()).toEqual({ pids: [], folders: [] });
});

test("the process of a report ends and removes its files when the process that started it dies", async () => {
  const { id, deps } = await createQueuedReport("Orphan");
  const folder = await mkdtemp(join(tmpdir(), "watchglass-report-"));
  const file = createRequire(import.meta.url).resolve("../../reports/report-process.ts");
  const child = fork(file, { execArgv: ["--disable-warning=ExperimentalWarning"], stdio: "ignore" });
  // What it waits for makes sure that it has its order and isn't done yet.
  const { db, connectionString } = engine.app;
  await db.transaction().execute(async (tx) => {
    await sql`select id from reports where id = ${id} for update`.execute(tx);
    child.send({ reportId: id, connectionString, captureStore: deps.captureStore.href, baseUrl: "", folder });
    await engine.waitFor("the files", async () => (await readdir(folder)).length > 0);
    child.disconnect();
    await once(child, "exit");
  });
  await expect(readdir(folder)).rejects.toThrow("ENOENT");
});

test("a report is refused below Ultimate, with the plan that includes reports", async () => {
  const person = await engine.person("professional");
  const jobId = await person.createJob();
  const { status, body } = await person.call("POST", "/api/reports", { jobId });
  expect([status, body.code, body.message]).toEqual([
    403,
    "PLAN_LIMIT_REACHED",
    "The Professional plan allows no reports. The Ultimate plan allows them.",
  ]);
});

test("Z4 of reports that are requested at the same time, three are queued", async () => {
  const { accountId, createJob } = await engine.person();
  const jobId = await createJob();
  const { db, queue } = engine.app.jobs;
  // Nothing makes these reports, so all of them stay queued.
  const deps = { db, queue: { ...queue, send: async () => undefined } } as never;
  const requested = Array.from({ length: 8 }, () => requestReport(deps, { accountId }, { jobId } as never));
  const outcomes = await Promise.allSettled(requested);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  await db.deleteFrom("reports").where("account_id", "=", accountId).execute();
});

test("Z2 another account's jobs, groups and reports look as if they didn't exist", async () => {
  const { person, jobId, id } = await pricesReport();
  const stranger = await engine.person("ultimate");
  const tries = [
    await stranger.call("POST", "/api/reports", { jobId }),
    await stranger.call("POST", "/api/reports", { groupId: person.groupId }),
    await stranger.call("POST", "/api/reports", { groupIds: [person.groupId] }),
    await stranger.call("POST", "/api/report-schedules", { groupIds: [person.groupId], every: "week" }),
    await stranger.call("GET", `/api/reports/${id}/pdf`),
    await stranger.call("GET", `/api/reports/${id}/html`),
    await stranger.call("POST", `/api/reports/${id}/share`, {}),
    await stranger.call("DELETE", `/api/reports/${id}/share`),
    await stranger.call("DELETE", `/api/reports/${id}`),
  ];
  expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 404));
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
])("a report for %j is refused with a message", async (input, sentence) => {
  const person = await engine.person("ultimate");
  const { status, body } = await person.call("POST", "/api/reports", input);
  expect([status, body.message]).toEqual([400, expect.stringContaining(sentence)]);
});

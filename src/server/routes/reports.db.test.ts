import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import type * as pdfjs from "pdfjs-dist";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { nextRun, runSchedules } from "#reports/schedule-report.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

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

/** A PDF as a reader that is not ours sees it. */
async function openPdf(pdf: Buffer) {
  const root = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const { getDocument } = (await import(pathToFileURL(join(root, "legacy/build/pdf.mjs")).href)) as Pick<
    typeof pdfjs,
    "getDocument"
  >;
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  return { task, document: await task.promise };
}

/** The report's words, page by page. */
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

async function ready(person: Person, id: string): Promise<Buffer> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answer = await person.call("GET", `/api/reports/${id}/pdf`);
    if (answer.headers["content-type"] === "application/pdf") return answer.raw;
    expect([answer.status, answer.body.code]).toEqual([409, "CONFLICT"]);
    await sleep(50);
  }
  throw new Error("the report was not made");
}

const prices = "<b>Prices</b> 東京";
let priced: Promise<{ person: Person; jobId: string; id: string; pdf: Buffer; html: string }> | undefined;
/** One report that several tests look at: to draw one costs as much as three checks. */
const pricesReport = () =>
  (priced ??= (async () => {
    const { person, jobId } = await watched(prices);
    const logo = await sharp({ create: { width: 20, height: 10, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const note = "For <i>you</i>";
    const made = await person.call("POST", "/api/reports", { jobId, note, logo: logo.toString("base64") });
    expect(made.status).toBe(202);
    const id = String(made.body.id);
    const pdf = await ready(person, id);
    const answer = await person.call("GET", `/api/reports/${id}/html`);
    expect(answer.headers["content-security-policy"]).toContain("sandbox");
    return { person, jobId, id, pdf, html: answer.raw.toString() };
  })());

test("a job's report tells its checks and changes in words and pictures", async () => {
  const { person, id, pdf } = await pricesReport();
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const words = await wordsOf(pdf);
  expect(words).toContain(prices);
  expect(words).toContain("1 job · 2 checks · 1 change · 0 failures");
  expect(words).toContain("+ The price is now 42 €, 价格.");
  expect(pdf.includes("/Subtype /Image")).toBe(true);
  expect(words).toMatch(/Seal [\da-f]{64}/);
  const { body } = await person.call("GET", "/api/reports");
  expect(body.reports).toEqual([expect.objectContaining({ id, title: prices, state: "ready" })]);
});

test("the HTML says the same, needs nothing else and runs nothing", async () => {
  const { html } = await pricesReport();
  expect(html).toContain("&#60;b&#62;Prices&#60;/b&#62;");
  expect(html).toContain("For &#60;i&#62;you&#60;/i&#62;");
  expect(html).toContain("<ins>+ The price is now 42 €, 价格.</ins>");
  expect(html.match(/src="data:image/g)).toHaveLength(2);
  expect(html).not.toMatch(/<script|(src|href)="https?:\/\/(?!localhost)/);
});

test("a change tells its headers and findings, its time and how grave it is, in both forms", async () => {
  const person = await engine.person("ultimate");
  const policy: [string, string][] = [["content-security-policy", "default-src 'self'"]];
  Object.assign(engine.site.page, { html: html(...story), status: 200, failure: null, headers: policy });
  const jobId = await person.createJob({ name: "Headers" });
  await person.execution(jobId, 1);
  Object.assign(engine.site.page, { html: html(...story, "Write to deal@shop.example."), headers: [] });
  const changed = await person.run(jobId);
  const { body } = await person.call("GET", `/api/jobs/${jobId}/executions/${changed.id}`);
  const made = await person.call("POST", "/api/reports", { jobId });
  const words = await wordsOf(await ready(person, String(made.body.id)));
  const page = (await person.call("GET", `/api/reports/${made.body.id}/html`)).raw.toString();
  const time = `${String(body.createdAt).slice(0, 16).replace("T", " ")} UTC`;
  for (const said of [
    "content-security-policy",
    "Found email: deal@shop.example",
    `${time} · ${String(body.severity)} · execution 2`,
  ])
    expect(words.toLowerCase()).toContain(said.toLowerCase());
  expect(page.toLowerCase()).toContain("content-security-policy");
  expect(page).toContain("<li>Found email: deal@shop.example</li>");
  expect(page).toContain(`>${time}</time> · ${String(body.severity)} · execution 2`);
});

test("followed values have a chart beside that of the checks, in words too, in both forms", async () => {
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
  const pdf = await ready(person, String(made.body.id));
  const price = "now 49.00 € · min 49 · max 1,064.5 · 3 changes · missing at 1 of 4 checks";
  const stock = "now many · 2 changes · missing at 1 of 4 checks";
  const words = await wordsOf(pdf);
  // Once in the summary, once with the job.
  for (const said of [price, stock]) expect(words.split(said)).toHaveLength(3);
  const { task, document } = await openPdf(pdf);
  const trees = await Promise.all([1, 3].map(async (at) => (await document.getPage(at)).getStructTree()));
  for (const tree of trees) {
    expect(JSON.stringify(tree)).toContain(`Chart of price over time: ${price}`);
    expect(JSON.stringify(tree)).not.toContain("Chart of stock");
  }
  await task.destroy();
  const page = (await person.call("GET", `/api/reports/${made.body.id}/html`)).raw.toString();
  expect(page.match(/aria-label="Chart of price over time: now 49\.00 €/g)).toHaveLength(2);
  expect(page.split(stock)).toHaveLength(3);
  const dots = page.match(/<circle /g) ?? [];
  expect(dots.length).toBeGreaterThan(0);
});

test("is tagged, has an outline, and contents that lead to the pages", async () => {
  const { person } = await watched("First");
  const made = await person.call("POST", "/api/reports", { groupId: person.groupId, title: "Own title" });
  const { task, document } = await openPdf(await ready(person, String(made.body.id)));
  const marks = (await document.getMarkInfo()) as unknown as Map<string, boolean>;
  expect(marks.get("Marked")).toBe(true);
  const outline = await document.getOutline();
  expect(outline.map(({ title }) => title)).toEqual(["Summary", "Contents", "First"]);
  expect(outline[2]?.items[0]?.title).toContain("UTC");
  const { info } = (await document.getMetadata()) as unknown as { info: { Title: string; Language: string } };
  expect(info).toMatchObject({ Title: "Watchglass report: Own title", Language: "en" });
  const contents = await document.getPage(2);
  const links = (await contents.getAnnotations()) as { dest?: string }[];
  expect(links.map(({ dest }) => dest)).toContain("job-1");
  expect(await document.getDestination("job-1")).not.toBeNull();
  // Every link says where it leads and hangs in the structure, as PDF/UA asks for.
  for (const [at, says] of [
    [2, "First, page 3"],
    [3, "Open in Watchglass: “The price is now 42 €, 价格.” added"],
  ] as const) {
    const page = await document.getPage(at);
    const found = (await page.getAnnotations()) as { id: string; contentsObj: { str: string } }[];
    expect(found.map(({ contentsObj }) => contentsObj.str)).toEqual([says]);
    const tree = JSON.stringify(await page.getStructTree());
    // This reader puts a word of its own before the ids.
    for (const { id } of found) expect(tree).toMatch(new RegExp(`"type":"annotation","id":"[a-z_]*${id}"`));
  }
  const roles = JSON.stringify(await (await document.getPage(3)).getStructTree());
  for (const role of ["Sect", "H1", "H2", "P", "Figure", "Link"]) expect(roles).toContain(`"role":"${role}"`);
  expect(roles).toContain("Before and after");
  await task.destroy();
});

test("a search; several groups with all their jobs, in a time without checks; and what they do not find", async () => {
  const { person } = await watched("Alpha 100%");
  const other = await person.call("POST", "/api/jobs/groups", { name: "Empty" });
  const found = await person.call("POST", "/api/reports", { search: "ALPHA 100%" });
  expect(await wordsOf(await ready(person, String(found.body.id)))).toContain("Jobs with “ALPHA 100%”");
  const several = await person.call("POST", "/api/reports", {
    groupIds: [person.groupId, other.body.id],
    from: "2020-01-01T00:00:00Z",
    to: "2020-02-01T00:00:00Z",
  });
  const words = await wordsOf(await ready(person, String(several.body.id)));
  for (const said of [
    "Group, Empty",
    "2020-01-01 00:00 UTC to 2020-02-01 00:00 UTC",
    "1 job · 0 checks · 0 changes · 0 failures",
    "Nothing was checked in this time.",
  ])
    expect(words).toContain(said);
  const refused = [
    await person.call("POST", "/api/reports", { search: "beta" }),
    await person.call("POST", "/api/reports", { groupId: other.body.id }),
    await person.call("POST", "/api/reports", { groupIds: [] }),
    await person.call("POST", "/api/reports", { groupId: person.groupId, logo: "AAAA" }),
  ];
  expect(refused.map(({ status, body }) => [status, body.message])).toEqual([
    [400, "No job's name or address contains “beta”."],
    [400, "This group has no jobs."],
    [400, expect.stringContaining("Choose at least one group.")],
    [400, "The logo must be a JPEG, PNG or WebP picture."],
  ]);
});

test("a link opens it for anyone until it is ended; what it takes is counted as stored and given back when it goes", async () => {
  const { person, jobId } = await watched("Shared");
  const stored = async () => Number((await person.call("GET", "/api/analytics/resume")).body.stored_bytes);
  // The check's first look goes a moment after the check is written.
  let before = 0;
  await engine.waitFor("rest", async () => {
    await sleep(200);
    const now = await stored();
    const isAtRest = now === before;
    before = now;
    return isAtRest;
  });
  const made = await person.call("POST", "/api/reports", { jobId });
  const id = String(made.body.id);
  const early = await person.call("POST", `/api/reports/${id}/share`, { days: 7 });
  const own = await ready(person, id);
  const page = (await person.call("GET", `/api/reports/${id}/html`)).raw;
  expect((await stored()) - before).toBe(own.length + page.length);
  const shared =
    early.status === 200 ? early : await person.call("POST", `/api/reports/${id}/share`, { days: 7 });
  const path = new URL(String(shared.body.url)).pathname;
  const html = await engine.call("GET", path);
  expect([html.status, html.headers["x-robots-tag"]]).toEqual([200, "noindex, nofollow"]);
  expect(html.raw.toString()).toContain("Shared");
  const pdf = await engine.call("GET", path.replace(/html$/, "pdf"));
  expect(pdf.headers["content-type"]).toBe("application/pdf");
  expect((await person.call("POST", `/api/reports/${id}/share`, { days: 3 })).body.message).toContain(
    "A link lives 1, 7 or 30 days.",
  );
  expect((await person.call("DELETE", `/api/reports/${id}/share`)).status).toBe(200);
  expect((await engine.call("GET", path)).status).toBe(404);
  const again = await person.call("POST", `/api/reports/${id}/share`, {});
  await sql`update reports set shared_until = now() where id = ${id}`.execute(engine.app.db);
  expect((await engine.call("GET", new URL(String(again.body.url)).pathname)).status).toBe(404);
  expect((await person.call("DELETE", `/api/reports/${id}`)).body.code).toBe("REPORT_DELETED");
  expect((await person.call("DELETE", `/api/reports/${id}`)).status).toBe(404);
  expect(await stored()).toBe(before);
});

test("a schedule makes reports about the week before, mails them, and ends when it is deleted", async () => {
  const { person, jobId } = await watched("Weekly");
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
  ).toContain("A report comes every week or every month.");
});

test.each([
  ["week", "2026-03-09T04:59:00Z", "2026-03-09T05:00:00.000Z"],
  ["week", "2026-03-09T05:00:00Z", "2026-03-16T05:00:00.000Z"],
  ["week", "2026-12-31T12:00:00Z", "2027-01-04T05:00:00.000Z"],
  ["month", "2026-01-31T12:00:00Z", "2026-02-01T05:00:00.000Z"],
  ["month", "2026-12-01T05:00:00Z", "2027-01-01T05:00:00.000Z"],
] as const)("every %s after %s is %s", (every, after, next) => {
  expect(nextRun(every, new Date(after)).toISOString()).toBe(next);
});

test("ten thousand executions: every figure counted, progress that only grows, the newest changes told", async () => {
  const { person, jobId } = await watched("Long");
  await sql`
    insert into executions (job_id, account_id, number, created_at, status_code, changed, severity, summary, duration_ms, attempts, failure)
    select ${jobId}, ${person.accountId}, n, now() - n * interval '4 minutes', 200, n % 50 = 0,
      case when n % 50 = 0 then 'important' end, 'Check ' || n, 5, 1, case when n % 100 = 1 then 'dns' end
    from generate_series(3, 10000) as n
  `.execute(engine.app.db);
  const made = await person.call("POST", "/api/reports", { jobId });
  const seen: number[] = [];
  let turns = 0;
  const ticker = setInterval(() => turns++, 1);
  const pdf = await engine.waitFor("the report", async () => {
    const { body } = await person.call("GET", "/api/reports");
    const [report] = body.reports as unknown as { state: string; done: number; total: number }[];
    if (report && report.total > 0) seen.push(report.done / report.total);
    if (report?.state !== "ready") return undefined;
    return (await person.call("GET", `/api/reports/${made.body.id}/pdf`)).raw;
  });
  clearInterval(ticker);
  // Drawn elsewhere: whoever calls meanwhile gets a turn.
  expect(turns).toBeGreaterThan(100);
  expect(seen.at(-1)).toBe(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  const words = await wordsOf(pdf);
  expect(words).toContain("1 job · 10000 checks · 201 changes · 99 failures");
  expect(words).toContain("99.01 % (99 failures)");
  expect(words).toContain("200 important");
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
])("refuses %j in words", async (input, sentence) => {
  const person = await engine.person("ultimate");
  const { status, body } = await person.call("POST", "/api/reports", input);
  expect([status, body.message]).toEqual([400, expect.stringContaining(sentence)]);
});

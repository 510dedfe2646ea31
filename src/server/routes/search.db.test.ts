import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import type { SearchResults } from "#contract/page-block.ts";
import { indexHistory, queueHistoryIndexing } from "#page-index/index-history.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<typeof engine.person>>;

const ask = (person: Person, query: Record<string, string>) =>
  person.call("GET", `/api/search?${new URLSearchParams(query)}`);
async function search(person: Person, query: Record<string, string>): Promise<SearchResults> {
  const answer = await ask(person, query);
  expect(answer.body).toMatchObject({ lines: expect.any(Array) });
  return answer.body as unknown as SearchResults;
}
const textsOf = ({ lines }: SearchResults) => lines.map(({ text }) => text);

/** Two jobs: the first showed "Careers at Acme" from its first to its second execution, the second still does. */
async function watchCareers() {
  const person = await engine.person();
  const { page } = engine.site;
  page.headers = [["server", "nginx/1.27"]];
  page.html = html(...story, "Careers at Acme", "Write to Jobs@acme.example");
  const [left, kept] = [await person.createJob({ name: "Left" }), await person.createJob({ name: "Kept" })];
  for (const job of [left, kept]) await person.execution(job, 1);
  page.html = html(...story, "Write to jobs@acme.example");
  await person.run(left);
  return { person, left, kept };
}

test("a text is found with its first and last execution on each page; unchanged executions add nothing", async () => {
  const { person, left, kept } = await watchCareers();
  const [newest, first] = await person.executionsOf(left);
  const results = await search(person, { q: "careers AT" });
  expect(textsOf(results)).toEqual(["Careers at Acme"]);
  const [line] = results.lines;
  expect(line).toMatchObject({ kind: "text", pages: 2, pagesNow: 1, goneAt: null });
  expect(line?.text.slice(line.match.start, line.match.end)).toBe("Careers at");
  expect(line?.stays.find(({ jobId }) => jobId === left)).toMatchObject({
    job: "Left",
    firstExecutionId: first?.id,
    lastExecutionId: first?.id,
    goneExecutionId: newest?.id,
  });
  engine.site.page.html = html(...story, "Careers at Acme", "Write to Jobs@acme.example");
  const again = await person.run(kept);
  const stays = (await search(person, { q: "Careers at", jobId: kept })).lines[0]?.stays;
  expect(stays).toMatchObject([{ jobId: kept, lastExecutionId: again.id, goneExecutionId: null }]);
  const context = await person.call("GET", `/api/search/${line?.id}/context?jobId=${left}`);
  expect(context.body).toEqual({
    before: story.slice(-2),
    line: "Careers at Acme",
    after: ["Write to Jobs@acme.example"],
  });
  await person.call("POST", `/api/jobs/${kept}/run`);
  await person.execution(kept, 3);
});

test("kinds, words, regular expressions, jobs, groups, tags and periods narrow a search", async () => {
  const { person, left, kept } = await watchCareers();
  expect(textsOf(await search(person, { q: "nginx", kind: "header" }))).toEqual(["server: nginx/1.27"]);
  expect(textsOf(await search(person, { q: "nginx", kind: "text" }))).toEqual([]);
  expect(textsOf(await search(person, { q: "jobs@acme", kind: "email" }))).toEqual(["jobs@acme.example"]);
  expect(textsOf(await search(person, { q: "acme careers", mode: "words" }))).toEqual(["Careers at Acme"]);
  const pattern = { q: String.raw`\bCare{1}ers\s+at\b`, mode: "regex" };
  const found = await search(person, pattern);
  expect(found.lines[0]?.match).toEqual({ start: 0, end: 10 });
  expect((await search(person, { ...pattern, jobId: left })).total).toMatchObject({ pages: 1, pagesNow: 0 });
  expect(textsOf(await search(person, { q: "Careers", groupId: person.groupId }))).toHaveLength(1);
  expect(textsOf(await search(person, { q: "Careers", tag: "shop" }))).toEqual([]);
  await person.call("PATCH", `/api/jobs/${kept}`, { tags: ["shop"] });
  expect((await search(person, { q: "Careers", tag: "shop" })).lines[0]?.stays).toHaveLength(1);
  const before = { q: "Careers", to: "2026-01-01T00:00:00Z" };
  expect((await search(person, before)).total).toBeNull();
  expect(textsOf(await search(person, { q: "Careers", from: "2026-01-01T00:00:00Z" }))).toHaveLength(1);
  // A search for less than three letters reads the lines of one job.
  expect(textsOf(await search(person, { q: "at", jobId: kept }))).toContain("Careers at Acme");
});

test("all of one kind are listed: which pages have it, since when, sorted by the number of pages", async () => {
  const { person, left, kept } = await watchCareers();
  engine.site.page.headers = [["server", "nginx/1.28"]];
  await person.run(kept);
  const list = async (query: Record<string, string> = {}) =>
    (await search(person, { kind: "header", ...query })).lines.map(
      ({ text, pagesNow }) => `${text} on ${pagesNow}`,
    );
  const [type, old, now] = [
    "content-type: text/html on 2",
    "server: nginx/1.27 on 1",
    "server: nginx/1.28 on 1",
  ];
  expect((await list())[0]).toBe(now);
  expect((await list({ sort: "most" }))[0]).toBe(type);
  expect((await list({ sort: "fewest" })).slice(0, 2)).toEqual([now, old]);
  expect((await list({ jobId: left })).sort()).toEqual(["content-type: text/html on 1", old]);
  const refused = await ask(person, { kind: "text" });
  expect([refused.status, refused.body.message]).toEqual([
    400,
    "Enter what to search for, or choose a kind to list.",
  ]);
});

test("the rows of a search are limited, and it says so", async () => {
  const person = await engine.person();
  engine.site.page.html = html(...Array.from({ length: 2_100 }, (_, i) => `Offer number ${i}`));
  await person.execution(await person.createJob(), 1);
  const results = await search(person, { q: "Offer number", limit: "200" });
  expect(results.lines).toHaveLength(200);
  expect([results.more, results.isCapped]).toEqual([true, true]);
  expect((await search(person, { q: "Offer number 1234" })).more).toBe(false);
});

test.each<[string, Record<string, string>, string]>([
  ["too short to look up", { q: "a" }, "Search for at least three letters or digits"],
  ["a pattern that matches everything", { q: ".*", mode: "regex" }, "needs a fixed part of three characters"],
  [
    "a pattern with one open branch",
    { q: "abc|.*", mode: "regex" },
    "needs a fixed part of three characters",
  ],
  ["a pattern that can't be read", { q: "abc(", mode: "regex" }, "This regular expression isn’t valid"],
  [
    "a pattern that only PostgreSQL refuses",
    { q: "abc[z-a]", mode: "regex" },
    "can’t read this regular expression",
  ],
  ["nothing", { q: "  " }, "Enter what to search for, or choose a kind to list."],
  ["10 kB", { q: "x".repeat(10_000) }, "Search for at most 300 characters."],
])("%s is refused", async (_, query, message) => {
  const person = await engine.person();
  const answer = await ask(person, query);
  expect([answer.status, answer.body.field]).toEqual([400, "q"]);
  expect(answer.body.message).toContain(message);
});

test("a pattern that takes forever is stopped, and the database serves others", async () => {
  const person = await engine.person();
  engine.site.page.html = html(`${"a".repeat(3_899)}!`);
  await person.execution(await person.createJob(), 1);
  const answer = await ask(person, { q: String.raw`^(aaa+)(a+)(a+)\1\2\3!$`, mode: "regex" });
  expect(answer.body.message).toContain("This search takes too long");
  expect((await search(person, { q: "aaaa" })).lines).toHaveLength(1);
});

test("10 MB to search for are refused by a sentence, in an address and in a body", async () => {
  const person = await engine.person();
  const q = "x".repeat(10_000_000);
  const address = await ask(person, { q });
  expect([address.status, address.body.message]).toEqual([400, "Search for at most 300 characters."]);
  const body = await person.call("POST", "/api/search-alerts", { name: "Large", q, severity: "notice" });
  expect([body.status, body.body.message]).toEqual([413, "The request is too large."]);
});

test("of a block of 5 MB as much is searched as a page may have", async () => {
  const person = await engine.person();
  // Random letters are what takes longest to index: hardly any three of them are followed by the same ones.
  const words = `first words ${Array.from({ length: 50_000 }, () => randomBytes(75).toString("base64")).join(" ")} last`;
  expect(words.length).toBeGreaterThan(5_000_000);
  engine.site.page.html = html(...story, words);
  const id = await person.createJob();
  expect(await person.execution(id, 1)).toMatchObject({ error: null });
  const { lines } = await search(person, { q: "first words" });
  expect(lines).toMatchObject([{ kind: "text", pages: 1, text: expect.stringContaining("first words") }]);
  expect(lines[0]?.text.length).toBeLessThan(310);
  expect((await search(person, { q: words.slice(3_000_000, 3_000_050) })).lines).toEqual([]);
  const { rows } = await sql<{ characters: number; longest: number }>`
    select sum(length(text))::integer as characters, max(length(text)) as longest from page_blocks
    where account_id = ${person.accountId}`.execute(engine.app.db);
  expect(rows).toEqual([{ characters: expect.any(Number), longest: 4_000 }]);
  expect(rows[0]?.characters).toBeLessThanOrEqual(1_000_000);
});

test("NUL and halves of surrogate pairs are found as they are stored", async () => {
  const person = await engine.person();
  engine.site.page.html = html("before\0after", "broken\ud800pair");
  await person.execution(await person.createJob(), 1);
  expect(textsOf(await search(person, { q: "before\0after" }))).toEqual(["before␀after"]);
  expect(textsOf(await search(person, { q: "broken\ufffdpair" }))).toEqual(["broken\ufffdpair"]);
  // A half that is sent as bytes isn't UTF-8, and so is read as its replacement.
  const half = await person.call("GET", "/api/search?q=broken%ED%A0%80pair");
  expect([200, 400]).toContain(half.status);
  const alert = await person.call("POST", "/api/search-alerts", {
    name: "Half \0 \ud800",
    q: "broken\ud800pair\0",
    severity: "notice",
  });
  expect([200, 400]).toContain(alert.status);
});

test("Z2 nobody finds what another account captured, even with its ids", async () => {
  const { person, left } = await watchCareers();
  const stranger = await engine.person();
  const [line] = (await search(person, { q: "Careers at" })).lines;
  const queries: Record<string, string>[] = [{}, { jobId: left }, { groupId: person.groupId }];
  for (const query of queries)
    expect(await search(stranger, { q: "Careers at", ...query })).toMatchObject({ lines: [], total: null });
  const context = await stranger.call("GET", `/api/search/${line?.id}/context?jobId=${left}`);
  expect([context.status, context.body.message]).toEqual([404, "This line is no longer stored."]);
});

test("what was recorded before the index existed is indexed in the background", async () => {
  const { person, left, kept } = await watchCareers();
  const stays = async () => {
    const { rows } = await sql<{ stay: string }>`
      select concat_ws(' ', job_id, hash, first_id, first_at, gone_id, gone_at) as stay
      from page_stays join page_blocks on id = block_id where account_id = ${person.accountId}`.execute(
      engine.app.db,
    );
    return rows.map(({ stay }) => stay).sort();
  };
  const live = await stays();
  expect(live.length).toBeGreaterThan(60);
  await sql`delete from page_stays where job_id in (${left}, ${kept})`.execute(engine.app.db);
  await sql`update page_index_heads set is_live = false, digest = null, done_id = null where job_id = ${left}`.execute(
    engine.app.db,
  );
  await sql`delete from page_index_heads where job_id = ${kept}`.execute(engine.app.db);
  expect((await search(person, { q: "Careers at" })).jobsToIndex).toBe(2);
  // A check that ends meanwhile doesn't index: its turn comes with the older ones.
  await person.run(left);
  expect(await stays()).toEqual([]);
  await queueHistoryIndexing(engine.app);
  await engine.waitFor("the index", async () => (await stays()).length === live.length);
  expect(await stays()).toEqual(live);
  await indexHistory(engine.app.jobs, left);
  expect(await stays()).toEqual(live);
  expect((await search(person, { q: "Careers at" })).jobsToIndex).toBe(0);
});

test("without the text index the newest lines are scanned, and the reply says so", async () => {
  const { person, kept } = await watchCareers();
  await sql`alter index page_blocks_account_text rename to page_blocks_text_away`.execute(engine.app.db);
  try {
    const results = await search(person, { q: "Careers at" });
    expect([textsOf(results), results.isScanned]).toEqual([["Careers at Acme"], true]);
    // One job's lines are all read, however many the account has.
    expect((await search(person, { q: "Careers", jobId: kept })).isScanned).toBe(false);
  } finally {
    await sql`alter index page_blocks_text_away rename to page_blocks_account_text`.execute(engine.app.db);
  }
  expect((await search(person, { q: "Careers at" })).isScanned).toBe(false);
});

test("D3 deleting a job and an account removes what is indexed of them", async () => {
  const { person, left } = await watchCareers();
  const count = async () => {
    const { rows } = await sql<{ blocks: number; stays: number; heads: number }>`
      select (select count(*) from page_blocks where account_id = ${person.accountId}) as blocks,
        (select count(*) from page_stays join page_blocks on id = block_id where account_id = ${person.accountId}) as stays,
        (select count(*) from page_index_heads where account_id = ${person.accountId}) as heads`.execute(
      engine.app.db,
    );
    return rows[0];
  };
  const before = await count();
  await person.call("DELETE", `/api/jobs/${left}`);
  await engine.waitFor("the job's end", async () => (await count())?.heads === 1);
  const half = await count();
  // The pages had the same blocks, but for one that only the deleted job's new page had.
  expect(half?.stays).toBeLessThan(before?.stays ?? 0);
  expect(half?.blocks).toBe((before?.blocks ?? 0) - 1);
  await person.call("DELETE", "/api/me", { password: "correct1!" });
  await engine.waitFor("the account's end", async () => {
    const left = await count();
    return left?.blocks === 0 && left.stays === 0 && left.heads === 0;
  });
});

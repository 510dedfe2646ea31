import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";

let engine: SharedEngine;
let person: Awaited<ReturnType<typeof engine.person>>;
beforeAll(async () => {
  engine = await sharedEngine();
  person = await engine.person();
});

type Feed = { id: string; title: string; urls: { atom: string; rss: string; json: string } };
async function createFeed(input: object): Promise<Feed> {
  return (await person.call("POST", "/api/feeds", input)).body.feed as unknown as Feed;
}
/** Requests a feed as a feed reader does, without a session. */
async function readFeed(url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") {
  const { pathname, search } = new URL(url);
  const answer = await engine.call(method, `${pathname}${search}`, undefined, { headers });
  return { ...answer, text: answer.raw.toString() };
}

test("a change appears in the feeds of its job, group and account, in three formats that a library can parse", async () => {
  engine.site.page.html = html(...story, "Sold <b>out</b>");
  const id = await person.createJob({ name: 'Shop & <i>"sons"</i>' });
  const other = await person.createJob({ name: "Quiet" });
  await person.execution(id, 1);
  await person.execution(other, 1);
  const hostile = "In stock ]]> &lt;script&gt;alert(1)&lt;/script&gt; &amp; more";
  engine.site.page.html = html(...story, hostile);
  const change = await person.run(id);
  const [jobFeed, otherJobFeed, groupFeed, accountFeed] = await Promise.all([
    createFeed({ jobId: id }),
    createFeed({ jobId: other }),
    createFeed({ groupId: person.groupId }),
    createFeed({}),
  ]);
  for (const feed of [jobFeed, groupFeed, accountFeed]) {
    const atom = await readFeed(feed.urls.atom);
    expect(atom.headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
    const parsed = parseAtomFeed(atom.text);
    expect(parsed.entries?.map(({ id }) => id)).toEqual([`urn:uuid:${change.id}`]);
    expect(atom.text).not.toMatch(/<(title|summary)[^>]*type="html"/);
    expect(parsed.entries?.[0]).toMatchObject({
      title: { value: expect.stringMatching(/^Shop & <i>"sons"<\/i>: /), type: "text" },
      categories: [{ term: expect.stringMatching(/^[a-z]+$/) }],
    });
    const rss = parseRssFeed((await readFeed(feed.urls.rss)).text);
    const json = parseJsonFeed((await readFeed(feed.urls.json)).text);
    const [item] = json.items ?? [];
    expect(rss.items?.[0]?.title).toBe(item?.title);
    expect(item).toMatchObject({ id: `urn:uuid:${change.id}`, tags: [expect.any(String)] });
    expect(item?.content_text).toContain("+ In stock ]]> <script>alert(1)</script> & more");
    for (const markup of [
      item?.content_html,
      parsed.entries?.[0]?.content,
      rss.items?.[0]?.content?.encoded,
    ]) {
      const text = JSON.stringify(markup);
      expect(text).toMatch(/<ins>In stock \]\](&#62;|&gt;) (&#60;|&lt;)script/);
      expect(text).not.toContain("<script");
    }
  }
  expect(parseAtomFeed((await readFeed(jobFeed.urls.atom)).text)).toMatchObject({
    title: { value: 'Watchglass: Shop & <i>"sons"</i>' },
    updated: expect.stringMatching(/^20/),
    links: expect.arrayContaining([expect.objectContaining({ rel: "self", href: jobFeed.urls.atom })]),
  });
  expect(parseAtomFeed((await readFeed(otherJobFeed.urls.atom)).text).entries ?? []).toEqual([]);
  expect(parseRssFeed((await readFeed(otherJobFeed.urls.rss)).text).items ?? []).toEqual([]);
});

test("an unchanged feed is answered with 304, and creating the same feed twice gives one feed", async () => {
  const feed = await createFeed({});
  expect((await createFeed({})).urls).toEqual(feed.urls);
  const { headers } = await readFeed(feed.urls.json);
  expect(headers["x-robots-tag"]).toBe("noindex, nofollow");
  for (const known of [String(headers.etag), `"another", W/${String(headers.etag)}`, "*"])
    expect((await readFeed(feed.urls.json, { "if-none-match": known })).status).toBe(304);
  expect((await readFeed(feed.urls.json, { "if-none-match": '"another"' })).status).toBe(200);
});

test("HEAD is answered like GET, without the feed", async () => {
  const feed = await createFeed({});
  const [got, head] = [await readFeed(feed.urls.rss), await readFeed(feed.urls.rss, {}, "HEAD")];
  expect([head.status, head.text]).toEqual([200, ""]);
  for (const name of ["content-type", "etag", "content-length"])
    expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
  expect((await readFeed(feed.urls.rss, { "if-none-match": String(head.headers.etag) }, "HEAD")).status).toBe(
    304,
  );
});

test("a change that a condition held back is not in the feed, or marked if its reader asks for it", async () => {
  engine.site.page.html = html(...story, "Price: 10 €");
  const alertIf = { match: "all", conditions: [{ what: "text", is: "added", text: "Sold out" }] };
  const id = await person.createJob({ name: "Picky", alertIf });
  await person.execution(id, 1);
  engine.site.page.html = html(...story, "Price: 12 €");
  const heldBack = await person.run(id);
  engine.site.page.html = html(...story, "Sold out");
  const alerted = await person.run(id);
  const feed = await createFeed({ jobId: id });
  const entries = async (url: string) => parseAtomFeed((await readFeed(url)).text).entries ?? [];
  expect((await entries(feed.urls.atom)).map((entry) => entry.id)).toEqual([`urn:uuid:${alerted.id}`]);
  const [newest, marked] = await entries(`${feed.urls.atom}?withoutAlert=true`);
  expect(newest).toMatchObject({
    id: `urn:uuid:${alerted.id}`,
    title: { value: expect.stringMatching(/^Picky: /) },
  });
  expect(marked).toMatchObject({
    id: `urn:uuid:${heldBack.id}`,
    title: { value: expect.stringMatching(/^No alert: Picky: /) },
    summary: { value: expect.stringContaining("There was no alert: “Sold out” was not added.") },
    categories: [{ term: expect.any(String) }, { term: "no-alert" }],
  });
  const { changes } = (await person.call("GET", `/api/changes?jobId=${id}`)).body as unknown as {
    changes: { suppressed: string | null }[];
  };
  expect(changes.map(({ suppressed }) => suppressed)).toEqual([null, "“Sold out” was not added"]);
});

test("renewed, ended, foreign and made-up feed addresses are not found, and no address is logged", async () => {
  const before = await createFeed({ groupId: person.groupId });
  const renewed = await person.call("POST", `/api/feeds/${before.id}/renew`);
  const after = renewed.body.feed as unknown as Feed;
  expect(after.urls.atom).not.toBe(before.urls.atom);
  expect([(await readFeed(before.urls.atom)).status, (await readFeed(after.urls.atom)).status]).toEqual([
    404, 200,
  ]);
  const stranger = await engine.person();
  for (const [method, path] of [
    ["POST", `/api/feeds/${after.id}/renew`],
    ["DELETE", `/api/feeds/${after.id}`],
  ] as const)
    expect((await stranger.call(method, path)).status).toBe(404);
  expect((await stranger.call("POST", "/api/feeds", { groupId: person.groupId })).status).toBe(404);
  const both = await person.call("POST", "/api/feeds", { groupId: person.groupId, jobId: person.groupId });
  expect([both.status, both.body.message]).toEqual([400, "A feed covers a job or a group, not both."]);
  expect((await person.call("DELETE", `/api/feeds/${after.id}`)).status).toBe(200);
  const ended = await readFeed(after.urls.atom);
  const unknown = await readFeed(`http://localhost/api/feed/${"A".repeat(32)}/atom`);
  expect([ended.status, ended.body]).toEqual([404, unknown.body]);
  expect((await readFeed(after.urls.atom.replace(/atom$/, "xml"))).status).toBe(404);
  const [, secret = ""] = /feed\/([\w-]+)\//.exec(after.urls.atom) ?? [];
  expect(engine.log.filter((line) => line.includes(secret))).toEqual([]);
});

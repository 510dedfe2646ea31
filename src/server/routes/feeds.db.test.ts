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
async function make(input: object): Promise<Feed> {
  return (await person.call("POST", "/api/feeds", input)).body.feed as unknown as Feed;
}
/** As a reader asks: without a session. */
async function read(url: string, headers: Record<string, string> = {}) {
  const { pathname } = new URL(url);
  const answer = await engine.call("GET", pathname, undefined, { headers });
  return { ...answer, text: answer.raw.toString() };
}

test("a change comes to the feeds of its job, its group and its account, in three formats that a library reads", async () => {
  engine.site.page.html = html(...story, "Sold <b>out</b>");
  const id = await person.createJob({ name: 'Shop & <i>"sons"</i>' });
  const other = await person.createJob({ name: "Quiet" });
  await person.execution(id, 1);
  await person.execution(other, 1);
  const hostile = "In stock ]]> &lt;script&gt;alert(1)&lt;/script&gt; &amp; more";
  engine.site.page.html = html(...story, hostile);
  const change = await person.run(id);
  const [ofJob, ofOther, ofGroup, ofAll] = await Promise.all([
    make({ jobId: id }),
    make({ jobId: other }),
    make({ groupId: person.groupId }),
    make({}),
  ]);
  for (const feed of [ofJob, ofGroup, ofAll]) {
    const atom = await read(feed.urls.atom);
    expect(atom.headers["content-type"]).toBe("application/atom+xml; charset=utf-8");
    const parsed = parseAtomFeed(atom.text);
    expect(parsed.entries?.map(({ id }) => id)).toEqual([`urn:uuid:${change.id}`]);
    const rss = parseRssFeed((await read(feed.urls.rss)).text);
    const json = parseJsonFeed((await read(feed.urls.json)).text);
    const [item] = json.items ?? [];
    expect(rss.items?.[0]?.title).toBe(item?.title);
    expect(item).toMatchObject({ id: `urn:uuid:${change.id}`, tags: [expect.any(String)] });
    expect(item?.content_text).toContain("+ In stock ]]> <script>alert(1)</script> & more");
    for (const shown of [
      item?.content_html,
      parsed.entries?.[0]?.content,
      rss.items?.[0]?.content?.encoded,
    ]) {
      const text = JSON.stringify(shown);
      expect(text).toMatch(/<ins>In stock \]\](&#62;|&gt;) (&#60;|&lt;)script/);
      expect(text).not.toContain("<script");
    }
  }
  expect(parseAtomFeed((await read(ofJob.urls.atom)).text)).toMatchObject({
    title: { value: 'Watchglass: Shop & <i>"sons"</i>' },
    updated: expect.stringMatching(/^20/),
    links: expect.arrayContaining([expect.objectContaining({ rel: "self", href: ofJob.urls.atom })]),
  });
  expect(parseAtomFeed((await read(ofOther.urls.atom)).text).entries ?? []).toEqual([]);
  expect(parseRssFeed((await read(ofOther.urls.rss)).text).items ?? []).toEqual([]);
});

test("a reader that has seen it is told so; asking for the same feed twice gives one", async () => {
  const feed = await make({});
  expect((await make({})).urls).toEqual(feed.urls);
  const { headers } = await read(feed.urls.json);
  expect(headers["x-robots-tag"]).toBe("noindex, nofollow");
  expect((await read(feed.urls.json, { "if-none-match": String(headers.etag) })).status).toBe(304);
});

test("a renewed or ended address, another account's and a made-up one are not there; nothing of it is logged", async () => {
  const before = await make({ groupId: person.groupId });
  const renewed = await person.call("POST", `/api/feeds/${before.id}/renew`);
  const after = renewed.body.feed as unknown as Feed;
  expect(after.urls.atom).not.toBe(before.urls.atom);
  expect([(await read(before.urls.atom)).status, (await read(after.urls.atom)).status]).toEqual([404, 200]);
  const stranger = await engine.person();
  for (const [method, path] of [
    ["POST", `/api/feeds/${after.id}/renew`],
    ["DELETE", `/api/feeds/${after.id}`],
  ] as const)
    expect((await stranger.call(method, path)).status).toBe(404);
  expect((await stranger.call("POST", "/api/feeds", { groupId: person.groupId })).status).toBe(404);
  const both = await person.call("POST", "/api/feeds", { groupId: person.groupId, jobId: person.groupId });
  expect([both.status, both.body.message]).toEqual([400, "A feed is of a job or of a group, not of both."]);
  expect((await person.call("DELETE", `/api/feeds/${after.id}`)).status).toBe(200);
  const ended = await read(after.urls.atom);
  const unknown = await read(`http://localhost/api/feed/${"A".repeat(32)}/atom`);
  expect([ended.status, ended.body]).toEqual([404, unknown.body]);
  expect((await read(after.urls.atom.replace(/atom$/, "xml"))).status).toBe(404);
  const [, secret = ""] = /feed\/([\w-]+)\//.exec(after.urls.atom) ?? [];
  expect(engine.log.filter((line) => line.includes(secret))).toEqual([]);
});

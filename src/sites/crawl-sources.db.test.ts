import { sql } from "kysely";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { TestEngine } from "#checks/testing/engine.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { crawlSite } from "./crawl-site.ts";
import type { CrawlDeps } from "./deps.ts";
import { sitemapOf } from "./testing/local-shop.ts";
import { beginByHand, crawlEngine, openShop, type Shop, watchSite } from "./testing/watch-site.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await crawlEngine();
});

const plain = { "content-type": "text/plain" };
const html = { "content-type": "text/html" };
const pageOf = (title: string, head: string, links: string[] = []) =>
  `<title>${title}</title>${head}<main>${links.map((link) => `<a href="${link}">${title}</a>`).join("")}</main>`;

/** Crawls a shop by hand, over the network but without a worker. */
async function crawlByHand(shop: Shop, site: object = {}, more: Partial<CrawlDeps> = {}) {
  const http = createGuardedFetch(engine.app.guard);
  onTestFinished(() => http.close());
  const crawl = await beginByHand(engine, shop.url("/"), site, (...asked) => http.fetch(...asked), more);
  return { ...crawl, run: () => crawlSite(crawl.deps, { jobId: crawl.id }, crawl.attempt) };
}

test("the pages that a feed lists are requested, and known by their feed", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  const link = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">';
  shop.overrides.set("/about", { headers: html, body: pageOf("About us", link) });
  const item = (path: string) => `<item><link>${shop.url(path)}</link></item>`;
  shop.overrides.set("/feed.xml", {
    headers: { "content-type": "application/rss+xml" },
    body: `<rss><channel><link>${shop.url("/")}</link>${item("/news/first")}${item("/about")}<item><link>http://elsewhere.test/x</link></item></channel></rss>`,
  });
  shop.overrides.set("/news/first", { headers: html, body: pageOf("First news", "") });
  const job = await watchSite(engine, shop);
  expect((await job.pages("&source=feed")).pages).toMatchObject([
    { address: shop.url("/news/first"), status: 200, title: "First news", source: "feed" },
  ]);
  expect(await job.inventory()).toHaveLength(shop.reachable.length + 1);
  for (const path of ["/feed.xml", "/about", "/"]) expect([path, shop.count(path)]).toEqual([path, 1]);
});

test("a page that names another address as its own is in the inventory once", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  const canonical = `<link rel="canonical" href="/lamp">`;
  const lamp = { headers: html, body: pageOf("Lamp", canonical) };
  const spellings = ["/lamp?color=red", "/lamp?color=blue"];
  shop.overrides.set("/about", { headers: html, body: pageOf("About us", "", spellings) });
  for (const path of ["/lamp", ...spellings]) shop.overrides.set(path, lamp);
  const job = await watchSite(engine, shop);
  const lamps = (await job.inventory()).filter((line) => line.includes("/lamp"));
  expect(lamps).toEqual([`${shop.url("/lamp")}\t200\tLamp\t`]);
  const { pages } = await job.pages("&search=color");
  expect(pages.map(({ notRequested }) => notRequested)).toEqual(["same", "same"]);
});

test.for<
  [delay: string, robots: boolean, seconds: number, paths: [fewest: number, most: number], least: number]
>([
  // The next turn is further off than a task waits, so the crawl goes on in another.
  ["20", true, 20, [2, 2], 10],
  ["86400", true, 30, [2, 2], 15],
  ["20", false, 1, [3, Number.POSITIVE_INFINITY], Number.NEGATIVE_INFINITY],
])(
  "Crawl-delay %s with robots.txt obeyed: %s, is at most %i seconds to the next request",
  async ([delay, robots, seconds, [fewest, most], least]) => {
    const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
    shop.overrides.set("/robots.txt", { headers: plain, body: `User-agent: *\nCrawl-delay: ${delay}` });
    // The host is this test's own, because all crawls of a host share its turns.
    await engine.app.db.deleteFrom("site_hosts").execute();
    const crawl = await crawlByHand(shop, { robots, perSecond: 10 }, { gapMs: undefined, sliceMs: 3000 });
    await crawl.run();
    const paths = shop.requests.map(({ path }) => path);
    expect(paths.slice(0, 2)).toEqual(["/robots.txt", "/sitemap.xml"]);
    expect(paths.length).toBeGreaterThanOrEqual(fewest);
    expect(paths.length).toBeLessThanOrEqual(most);
    const { rows } = await sql<{ gap: number }>`
    select extract(epoch from next_at - now())::float8 as gap from site_paces
    where account_id = ${crawl.accountId}`.execute(engine.app.db);
    expect(rows[0]?.gap).toBeLessThanOrEqual(seconds);
    expect(rows[0]?.gap).toBeGreaterThan(least);
  },
);

test("an account that crawls a host slowly doesn’t make another’s crawl of it slow", async () => {
  const shop = await openShop({ sections: 2, perSection: 10, traps: [] });
  await engine.app.db.deleteFrom("site_hosts").execute();
  const settings = { gapMs: undefined, sliceMs: 10_000 };
  const slow = await crawlByHand(shop, { perSecond: 0.05, robots: false }, settings);
  await slow.run();
  expect(shop.requests).toHaveLength(1);
  const quick = await crawlByHand(shop, { perSecond: 10, robots: false }, settings);
  await quick.run();
  expect((await quick.rows()).filter(({ status }) => status === 200)).toHaveLength(shop.reachable.length);
});

test("a crawl requests nothing while the host’s slots are taken, and gives back each slot", async () => {
  const shop = await openShop({ sections: 1, perSection: 2, traps: [] });
  let [isTaken, held, most] = [true, 0, 0];
  const take: CrawlDeps["slots"]["take"] = async (host, owner) => {
    expect([host, owner]).toEqual(["127.0.0.1", crawl.accountId]);
    if (isTaken) return undefined;
    most = Math.max(most, ++held);
    return () => void held--;
  };
  const slots = { take, close: async () => undefined };
  const crawl = await crawlByHand(shop, {}, { slots });
  await crawl.run();
  expect(shop.requests).toEqual([]);
  isTaken = false;
  await crawl.run();
  expect((await crawl.rows()).filter(({ status }) => status === 200)).toHaveLength(shop.reachable.length);
  expect([held, most]).toEqual([0, 1]);
});

test("a full storage lists no further addresses, and says so", async () => {
  const shop = await openShop({ sections: 1, perSection: 3, traps: [] });
  const crawl = await crawlByHand(shop);
  await sql`insert into account_usage (account_id, stored_bytes) values (${crawl.accountId}, 1e15)
    on conflict (account_id) do update set stored_bytes = 1e15`.execute(engine.app.db);
  await crawl.run();
  expect((await crawl.rows()).map(({ address }) => address)).toEqual([shop.url("/")]);
  const [run] = await engine.app.db
    .selectFrom("site_runs")
    .select("notes")
    .where("job_id", "=", crawl.id)
    .execute();
  expect(Object.values(run?.notes ?? {})).toContain(
    "Your storage is full, so further addresses weren’t listed.",
  );
});

test("the inventory counts toward the account’s storage until the job is deleted", async () => {
  const shop = await openShop({ sections: 1, perSection: 3, traps: [] });
  const job = await watchSite(engine, shop);
  const usage = async () => {
    const { rows } = await sql<{ site: number; all: number }>`
      select (select coalesce(sum(bytes), 0) from site_usage where account_id = ${job.accountId})::float8 as site,
        (select stored_bytes from account_usage where account_id = ${job.accountId})::float8 as all`.execute(
      engine.app.db,
    );
    return rows[0] ?? { site: 0, all: 0 };
  };
  const before = await usage();
  expect(before.site).toBeGreaterThan(500);
  expect(before.all).toBeGreaterThan(before.site);
  expect((await job.call("DELETE", `/api/jobs/${job.id}`)).status).toBe(200);
  await engine.waitFor("the deletion", async () => (await usage()).site === 0);
  expect((await usage()).all).toBeLessThanOrEqual(before.all - before.site);
});

test.for<[what: string, prepare: (shop: Shop) => void, sentence: string]>([
  [
    "a redirect labyrinth",
    ({ overrides }) => {
      overrides.set("/about", { headers: html, body: pageOf("About us", "", ["/maze?n=0"]) });
      for (let n = 0; n < 40; n++)
        overrides.set(`/maze?n=${n}`, { status: 302, headers: { location: `/maze?n=${n + 1}` } });
    },
    "Redirects without end weren’t followed further than 10 steps",
  ],
  [
    "a page with a million links",
    ({ overrides }) => {
      const links = Array.from({ length: 100_000 }, (_, n) => `<a href=/x${n.toString(36)}>`).join("");
      overrides.set("/about", { headers: html, body: `<title>About us</title>${links}` });
    },
    "The limit of 30 pages is reached:",
  ],
  [
    "a sitemap in a damaged gzip file",
    ({ overrides }) =>
      overrides.set("/sitemap.xml", {
        headers: { "content-type": "application/gzip" },
        body: Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]),
      }),
    "/sitemap.xml is a damaged gzip file, so it was left out.",
  ],
  [
    "a sitemap that the server fails to send",
    ({ overrides }) => overrides.set("/sitemap.xml", { status: 500, headers: plain, body: "busy" }),
    "/sitemap.xml couldn’t be read. The server answered 500.",
  ],
  [
    "paths that go round in circles",
    ({ overrides }) =>
      overrides.set("/about", { headers: html, body: pageOf("About us", "", ["/a/b/a/b/a/b/"]) }),
    "Addresses that go round in circles weren’t requested",
  ],
])("%s is bounded, and said in a sentence", async ([, prepare, sentence]) => {
  const shop = await openShop({ sections: 1, perSection: 2, traps: [] });
  prepare(shop);
  const job = await watchSite(engine, shop, { maxPages: 30 });
  const { run } = await job.state();
  expect(run.notes.join("\n")).toContain(sentence);
  expect(shop.requests.length).toBeLessThan(50);
  expect(job.first.error).toBeNull();
});

test("a sitemap of 45 MiB is read to its end, packed or not", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  const filler = `<!--${"-- a long story ".repeat(1_000)}-->`.repeat(2_900);
  for (const [path, isPacked] of [
    ["/plain.xml", false],
    ["/packed.xml", true],
  ] as const)
    shop.overrides.set(
      path,
      sitemapOf([shop.url(`${path}/first`), filler, shop.url(`${path}/last`)], isPacked),
    );
  const robots = "User-agent: *\nSitemap: /plain.xml\nSitemap: /packed.xml";
  shop.overrides.set("/robots.txt", { body: robots, headers: plain });
  const job = await watchSite(engine, shop);
  const listed = (await job.pages("&source=sitemap")).pages.map(({ address }) => new URL(address).pathname);
  expect(listed.sort()).toEqual([
    "/packed.xml/first",
    "/packed.xml/last",
    "/plain.xml/first",
    "/plain.xml/last",
  ]);
});

test("addresses in odd encodings and with fragments are one page each, and requested as the server knows them", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  const links = ["/caf\u00e9", "/caf%C3%A9#menu", "/caf%c3%a9", "/%7Eana", "/~ana", "/a%zzb", "/a b"];
  shop.overrides.set("/about", {
    headers: { "content-type": "text/html; charset=utf-8" },
    body: pageOf("About us", "", links),
  });
  for (const path of ["/caf%C3%A9", "/%7Eana", "/a%zzb", "/a%20b"])
    shop.overrides.set(path, { headers: html, body: pageOf(path, "") });
  const job = await watchSite(engine, shop);
  const paths = (await job.inventory())
    .map((line) => line.split("\t")[0]?.replace(shop.url("/"), "/"))
    .filter((path) => !shop.reachable.includes(path ?? ""));
  expect(new Set(paths)).toEqual(new Set(["/%7Eana", "/a%20b", "/a%zzb", "/caf%C3%A9"]));
  for (const path of paths) expect([path, shop.count(path ?? "")]).toEqual([path, 1]);
});

test("addresses whose shape is longer than the database can index are stored", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  const letters = (n: number) => String.fromCharCode(97 + ((n * 7919 + (n >> 3)) % 26));
  const long = `/~${Array.from({ length: 990 }, (_, n) => `${n % 10}${letters(n)}`).join("")}`;
  shop.overrides.set("/about", { headers: html, body: pageOf("About us", "", [long]) });
  const job = await watchSite(engine, shop);
  expect(job.first.error).toBeNull();
  expect(await job.inventory()).toContain(`${shop.url(long)}\t404\t\t`);
});

test("a host that is named like something that every object has is crawled like any other", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  const http = createGuardedFetch(engine.app.guard);
  onTestFinished(() => http.close());
  const port = new URL(shop.url("/")).port;
  const start = `http://constructor:${port}/`;
  const crawl = await beginByHand(engine, start, {}, (request) =>
    http.fetch({ ...request, url: request.url.replace("constructor", "127.0.0.1") }),
  );
  await crawlSite(crawl.deps, { jobId: crawl.id }, crawl.attempt);
  expect((await crawl.rows()).filter(({ status }) => status === 200)).toHaveLength(shop.reachable.length);
});

test("an inventory that would take too much memory is a failed check that says what to do", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  const job = await watchSite(engine, shop);
  await sql`
    insert into site_pages (job_id, account_id, identity, address, source, depth, template, rank, run, status, title)
    select ${job.id}, ${job.accountId}, 'x' || n, 'http://127.0.0.1/' || n, 'link', 1, '/', 1, 99,
      200, repeat('x', 50000) from generate_series(1, 700) as n`.execute(engine.app.db);
  // The addresses aren't the site's own, so the next crawl would remove them: only the capture is repeated.
  const { captureInventory } = await import("./capture-inventory.ts");
  const row = await engine.app.db
    .selectFrom("jobs")
    .selectAll()
    .where("id", "=", job.id)
    .executeTakeFirstOrThrow();
  expect(await captureInventory(engine.app.db, row as never)).toMatchObject({
    ok: false,
    failure: {
      message: "The inventory is larger than 32 MiB. Limit the site to some of its paths, or to fewer pages.",
    },
  });
});

test("a scope list that names a whole top-level domain adds none of its sites", async () => {
  const requested: string[] = [];
  const { id, deps, attempt } = await beginByHand(
    engine,
    "https://shop.example/",
    { scope: "0192f0c1-5a3e-7c11-9d7a-3b1f5f0c2a99" },
    async ({ url }) => {
      requested.push(new URL(url).host);
      const links = ["victim.co.uk", "somebody.github.io"].map((host) => `<a href="https://${host}/">x</a>`);
      const timing = { firstByte: 0, download: 0, total: 0 };
      const rest = { redirects: [], protocol: "http/1.1" as const, tls: null, timing, truncated: false };
      const isPage = new URL(url).pathname === "/";
      const headers: [string, string][] = [["content-type", "text/html"]];
      const body = Buffer.from(isPage ? links.join("") : "");
      return { ok: true, response: { url, status: isPage ? 200 : 404, headers, body, ...rest } };
    },
  );
  const listScope: CrawlDeps["listScope"] = async () => [
    { host: "co.uk", subdomains: true },
    { host: "github.io", subdomains: true },
  ];
  await crawlSite({ ...deps, listScope }, { jobId: id }, attempt);
  expect(new Set(requested)).toEqual(new Set(["shop.example", "co.uk", "github.io"]));
  const [run] = await engine.app.db
    .selectFrom("site_runs")
    .select("notes")
    .where("job_id", "=", id)
    .execute();
  expect(Object.values(run?.notes ?? {})).toContain(
    "*.co.uk in the scope list belongs to many owners, so none of its subdomains was requested.",
  );
});

test("a sitemap that redirects outside the site isn’t followed, and neither are robots.txt and pages", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  const outside = "http://169.254.169.254/latest/meta-data/";
  for (const path of ["/robots.txt", "/sitemap.xml", "/about"])
    shop.overrides.set(path, { status: 302, headers: { location: outside } });
  const requested: string[] = [];
  const http = createGuardedFetch(engine.app.guard);
  onTestFinished(() => http.close());
  const crawl = await beginByHand(engine, shop.url("/"), {}, (request) => {
    requested.push(new URL(request.url).hostname);
    return http.fetch(request);
  });
  await crawlSite(crawl.deps, { jobId: crawl.id }, crawl.attempt);
  expect(new Set(requested)).toEqual(new Set(["127.0.0.1"]));
  const about = (await crawl.rows()).find(({ address }) => address.endsWith("/about"));
  expect(about).toMatchObject({ status: 302, moved_to: outside });
});

test("sitemaps of robots.txt on other hosts, and other ports, aren’t requested", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  const foreign = [
    "http://169.254.169.254/map.xml",
    "http://127.0.0.1:9/map.xml",
    "file:///etc/passwd",
    "gopher://x/",
  ];
  shop.overrides.set("/robots.txt", {
    headers: plain,
    body: [...foreign, shop.url("/own.xml")].map((address) => `Sitemap: ${address}`).join("\n"),
  });
  shop.overrides.set("/own.xml", sitemapOf([shop.url("/extra"), ...foreign]));
  const requested: string[] = [];
  const http = createGuardedFetch(engine.app.guard);
  onTestFinished(() => http.close());
  const crawl = await beginByHand(engine, shop.url("/"), {}, (request) => {
    requested.push(request.url);
    return http.fetch(request);
  });
  await crawlSite(crawl.deps, { jobId: crawl.id }, crawl.attempt);
  expect(requested.filter((url) => !url.startsWith(shop.url("/")))).toEqual([]);
  expect(requested).toContain(shop.url("/extra"));
});

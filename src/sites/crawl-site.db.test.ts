import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { TestEngine } from "#checks/testing/engine.ts";
import { createGuardedFetch, type GuardedFetch } from "#network/guarded-fetch.ts";
import { crawlSite } from "./crawl-site.ts";
import type { CrawlDeps } from "./deps.ts";
import { sitemapOf } from "./testing/local-shop.ts";
import { beginByHand, crawlEngine, openShop, type Shop, watchSite } from "./testing/watch-site.ts";

const isLong = process.env.TEST_SIZE === "long";

let engine: TestEngine;
beforeAll(async () => {
  engine = await crawlEngine();
});

const plain = { "content-type": "text/plain" };
const html = { "content-type": "text/html" };

test("a site is crawled from its start, and its inventory is the first capture", async () => {
  const shop = await openShop({ sections: 3, perSection: 4, traps: [] });
  const robots = "User-agent: *\nDisallow: /private\nSitemap: /map.xml";
  shop.overrides.set("/robots.txt", { body: robots, headers: plain });
  shop.overrides.set("/map.xml", sitemapOf([shop.url("/hidden"), shop.url("/private/x")], true));
  shop.overrides.set("/hidden", { body: "<title>Hidden</title>", headers: html });
  const job = await watchSite(engine, shop);
  expect(job.first).toMatchObject({ summary: "First capture", error: null, status_code: 200 });
  const lines = await job.inventory();
  expect(lines).toContain(`${shop.url("/section-1/item/5")}\t200\tItem 5\t`);
  expect(lines).toContain(`${shop.url("/hidden")}\t200\tHidden\t`);
  expect(lines).toContain(`${shop.url("/private/x")}\trobots\t\t`);
  expect(lines).toHaveLength(shop.reachable.length + 2);
  // No page twice, whatever the spelling of its links, and none that robots.txt keeps from us.
  for (const path of shop.reachable) expect([path, shop.count(path)]).toEqual([path, 1]);
  expect(shop.requests.filter(({ path }) => path.startsWith("/private"))).toEqual([]);
  expect(shop.requests.every(({ agent }) => agent.startsWith("Watchglass/"))).toBe(true);
  expect(await job.pages("&search=hidden")).toMatchObject({
    total: 1,
    pages: [{ address: shop.url("/hidden"), source: "sitemap", status: 200, title: "Hidden" }],
  });
});

test("what changed between two runs is a change of the job, exactly, and alerted like any other", async () => {
  const shop = await openShop({ sections: 2, perSection: 5, traps: [] });
  const job = await watchSite(engine, shop);
  const before = shop.requests.length;
  expect(await job.run(job.id)).toMatchObject({ changed: false, summary: "No change" });
  expect(shop.requests.length - before).toBeGreaterThanOrEqual(shop.reachable.length);
  shop.overrides.set("/section-0/item/1", { status: 404, headers: html, body: "<title>Gone</title>" });
  shop.overrides.set("/section-0/item/2", { status: 301, headers: { location: "/about" } });
  shop.overrides.set("/section-0/item/3", { status: 500, headers: html, body: "broken" });
  shop.overrides.set("/section-0/item/4", { headers: html, body: "<title>Sale</title>" });
  const link =
    '<title>About us</title><a href="/new">New</a><script src="https://cdn.evil.example/x.js"></script>';
  shop.overrides.set("/about", { headers: html, body: link });
  shop.overrides.set("/new", { headers: html, body: "<title>New page</title>" });
  const second = await job.run(job.id);
  expect(second).toMatchObject({ changed: true, severity: "important" });
  const { verdict } = (await job.call("GET", `/api/jobs/${job.id}/executions/${second.id}`))
    .body as unknown as {
    verdict: {
      reasons: { kind: string; count: number; changes: { where: string; after: string | null }[] }[];
    };
  };
  const item = (n: number) => shop.url(`/section-0/item/${n}`);
  expect(verdict.reasons).toMatchObject([{ kind: "content", count: 6 }]);
  const changes = verdict.reasons[0]?.changes.map(({ where, after }) => [where, after]);
  expect(new Set(changes)).toEqual(
    new Set([
      ["scripts from cdn.evil.example", "scripts from cdn.evil.example on 1 page"],
      [shop.url("/new"), "200 “New page”"],
      [item(1), null],
      [item(2), `301 → ${shop.url("/about")}`],
      [item(3), "500 “Item 3”"],
      [item(4), "200 “Sale”"],
    ]),
  );
  // What is worse than before was asked for twice.
  for (const [n, times] of [
    [1, 2],
    [2, 1],
    [3, 2],
  ])
    expect([n, shop.count(`/section-0/item/${n}`)]).toEqual([n, 2 + (times ?? 0)]);
  const feed = await job.call("GET", "/api/notifications");
  expect(feed.body).toMatchObject({
    notifications: [{ kind: "change", jobId: job.id, message: expect.stringContaining("cdn.evil.example") }],
  });
  expect((await engine.mailTo(job.email)).text).toContain("New script host: cdn.evil.example");
  expect(await job.run(job.id)).toMatchObject({ changed: false });
});

test("recall is whole with traps around, every trap ends with a sentence, and nothing outside is requested", {
  timeout: isLong ? 600_000 : 90_000,
}, async () => {
  const size = isLong ? { sections: 100, perSection: 49 } : { sections: 4, perSection: 10 };
  const shop = await openShop(size);
  const job = await watchSite(engine, shop, { exclude: ["/private"] });
  const lines = new Set((await job.inventory()).map((line) => line.split("\t").slice(0, 2).join(" ")));
  const missing = shop.reachable.filter((path) => !lines.has(`${shop.url(path)} 200`));
  expect(missing).toEqual([]);
  const isStrange = ({ host, path }: (typeof shop.requests)[number]) =>
    host !== new URL(shop.url("/")).host || path.startsWith("/private");
  expect(shop.requests.filter(isStrange)).toEqual([]);
  const { run } = await job.state();
  const sentences = [
    "calendar has no end",
    "sort and filter",
    "show the same page",
    "round in circles",
    "Redirects without end",
  ];
  for (const sentence of sentences) expect(run.notes.join("\n")).toContain(sentence);
  // What the traps cost is bounded, however large the site is.
  expect(run.requested).toBeLessThan(shop.reachable.length + 400);
  expect(await job.logsOf(job.id)).toContainEqual(expect.stringContaining("[warn] A calendar has no end"));
});

test("a page that wasn’t modified isn’t sent again, and a paused crawl goes on where it was", async () => {
  const shop = await openShop({ sections: 1, perSection: 3, traps: [] });
  shop.overrides.set("/about", ({ headers }) =>
    headers["if-none-match"] === '"v1"'
      ? { status: 304, headers: { etag: '"v1"' } }
      : { headers: { ...html, etag: '"v1"' }, body: '<title>About</title><a href="/more">More</a>' },
  );
  shop.overrides.set("/more", { headers: html, body: "<title>More</title>" });
  const job = await watchSite(engine, shop);
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  shop.hold = async (path) => {
    if (path !== "/section-0/") return;
    asked.resolve();
    await promise;
  };
  await job.call("POST", `/api/jobs/${job.id}/run`);
  await asked.promise;
  expect((await job.call("POST", `/api/jobs/${job.id}/site/pause`)).status).toBe(200);
  resolve();
  shop.hold = undefined;
  const isIdle = async () =>
    (await job.call("GET", `/api/jobs/${job.id}`)).body.activity === ("idle" as never);
  await engine.waitFor("the pause", isIdle);
  expect(await job.state()).toMatchObject({ run: { number: 2, state: "paused" } });
  const before = shop.requests.length;
  await job.call("POST", `/api/jobs/${job.id}/run`);
  await engine.waitFor("the log", async () =>
    (await job.logsOf(job.id)).some((line) => line.includes("The crawl is paused")),
  );
  expect(shop.requests.length).toBe(before);
  expect((await job.call("POST", `/api/jobs/${job.id}/site/resume`)).status).toBe(200);
  expect(await job.execution(job.id, 2)).toMatchObject({ changed: false, summary: "No change" });
  expect(shop.requests.filter(({ isConditional }) => isConditional).map(({ path }) => path)).toEqual([
    "/about",
  ]);
  expect(shop.count("/")).toBe(2);
  expect((await job.call("POST", `/api/jobs/${job.id}/site/pause`)).body).toMatchObject({
    message: "No crawl of this site is under way.",
  });
});

test.for<[what: string, prepare: (shop: Shop) => void, sentence: string]>([
  [
    "a robots.txt of 10 MB",
    ({ overrides }) =>
      overrides.set("/robots.txt", {
        body: `User-agent: *\n${"Disallow: /x*y\n".repeat(700_000)}`,
        headers: plain,
      }),
    "is larger than 512 KiB: the rest wasn’t read.",
  ],
  [
    "sitemaps nested without end",
    ({ overrides, url }) => {
      for (let n = 0; n < 9; n++)
        overrides.set(n === 0 ? "/sitemap.xml" : `/map-${n}.xml`, {
          headers: { "content-type": "application/xml" },
          body: `<sitemapindex><sitemap><loc>${url(`/map-${n + 1}.xml`)}</loc></sitemap></sitemapindex>`,
        });
    },
    "Sitemaps are nested more than 3 deep",
  ],
  [
    "a sitemap with too many addresses",
    ({ overrides, url }) =>
      overrides.set(
        "/sitemap.xml",
        sitemapOf(
          Array.from({ length: 60_000 }, (_, n) => url(`/s/x${n}`)),
          true,
        ),
      ),
    "has more than 50,000 addresses or 50 MiB: the rest wasn’t read.",
  ],
  [
    "more addresses than the job may request",
    ({ overrides, url }) =>
      overrides.set("/sitemap.xml", sitemapOf(Array.from({ length: 900 }, (_, n) => url(`/s/x${n}`)))),
    "The limit of 30 pages is reached:",
  ],
])("%s is bounded, and said in a sentence", async ([, prepare, sentence]) => {
  const shop = await openShop({ sections: 1, perSection: 2, traps: [] });
  prepare(shop);
  const job = await watchSite(engine, shop, { maxPages: 30 });
  const { run } = await job.state();
  expect(run.notes.join("\n")).toContain(sentence);
  expect(run.requested).toBeLessThanOrEqual(30);
  expect(job.first.error).toBeNull();
});

test("a sitemap that unpacks to far more than a sitemap lists nothing", async () => {
  const shop = await openShop({ sections: 1, perSection: 2, traps: [] });
  shop.overrides.set("/sitemap.xml", sitemapOf(["x".repeat(80_000_000)], true));
  const job = await watchSite(engine, shop);
  expect(await job.inventory()).toHaveLength(shop.reachable.length);
  expect((await job.state()).run.notes).toContain(
    `${shop.url("/sitemap.xml")} unpacks to more than 50 MiB, so it was left out.`,
  );
});

test.for<[what: string, prepare: (shop: Shop) => void, error: string]>([
  [
    "robots.txt that forbids the start",
    ({ overrides }) =>
      overrides.set("/robots.txt", { body: "User-agent: watchglass\nDisallow: /", headers: plain }),
    "robots.txt asks us not to request the start address, so nothing was requested.",
  ],
  [
    "robots.txt that can’t be read",
    ({ overrides }) => overrides.set("/robots.txt", { status: 503, headers: plain, body: "busy" }),
    "couldn’t be read, so nothing was requested there. The server answered 503.",
  ],
  [
    "a start that is an error",
    ({ overrides }) => overrides.set("/", { status: 500, headers: html, body: "broken" }),
    "The server answered 500 Internal Server Error.",
  ],
])("%s is a failed check, and the next run is compared with the one before", async ([, prepare, error]) => {
  const shop = await openShop({ sections: 1, perSection: 2, traps: [] });
  const job = await watchSite(engine, shop);
  prepare(shop);
  expect((await job.run(job.id)).error).toContain(error);
  shop.overrides.clear();
  expect(await job.run(job.id)).toMatchObject({ error: null, changed: false });
});

test("links of captures already taken are known for free", async () => {
  const shop = await openShop({ sections: 1, perSection: 2, traps: [] });
  const person = await engine.person();
  engine.site.page.html = "<p>A page</p>";
  engine.site.page.links = [{ href: shop.url("/orphan"), text: "Orphan" }];
  const page = await person.createJob({ url: shop.url("/watched") });
  await person.execution(page, 1);
  shop.overrides.set("/orphan", { headers: html, body: "<title>Orphan</title>" });
  const id = await person.createJob({ url: shop.url("/"), site: {} });
  await person.execution(id, 1);
  const found = await person.call("GET", `/api/jobs/${id}/site/pages?search=orphan`);
  expect(found.body).toMatchObject({ pages: [{ source: "capture", status: 200, title: "Orphan" }] });
});

test("a page whose HTML has no links, because scripts make them, is opened in a browser", async () => {
  const shop = await openShop({ sections: 1, perSection: 1, traps: [] });
  shop.overrides.set("/", { headers: html, body: "<title>App</title><script>render()</script>" });
  engine.site.page.links = [{ href: shop.url("/about"), text: "About" }];
  const { inventory } = await watchSite(engine, shop);
  expect(await inventory()).toContain(`${shop.url("/about")}\t200\tAbout us\t`);
});

test("the inventory is searched, listed as folders, and exported; spreadsheets run nothing of it", async () => {
  const shop = await openShop({ sections: 2, perSection: 3, traps: ["/api"] });
  shop.overrides.set("/api", {
    headers: html,
    body: '<title>=1+1</title><a href="/">Home</a><script>go("/api/v1/users")</script>',
  });
  shop.overrides.set("/about", { status: 302, headers: { location: "/team" } });
  const job = await watchSite(engine, shop);
  const count = async (query: string) => (await job.pages(query)).total;
  expect(await count("&search=item%20section-1")).toBe(3);
  expect(await count("&search=%25")).toBe(0);
  expect(await count("&status=moved")).toBe(1);
  expect(await count("&status=broken")).toBe(1);
  expect((await job.pages("&status=listed")).pages).toMatchObject([
    { address: shop.url("/api/v1/users"), notRequested: "script", status: null },
  ]);
  const host = new URL(shop.url("/")).host;
  expect(await job.get(`/folders?below=${host}/`)).toMatchObject({
    folders: [
      { name: "api/", path: `${host}/api/` },
      { name: "section-0/", pages: 3 },
      { name: "section-1/", pages: 3 },
    ],
    isCut: false,
  });
  expect(await count(`&below=${host}/section-0/item/`)).toBe(3);
  const download = async (format: string) =>
    (await job.call("GET", `/api/jobs/${job.id}/site/export?format=${format}`)).raw.toString();
  expect(await download("csv")).toContain(`${shop.url("/api")},200,"'=1+1",text/html`);
  expect(JSON.parse(await download("json"))).toHaveLength(shop.reachable.length + 3);
  const sitemap = await download("xml");
  expect(sitemap).toContain(`<url><loc>${shop.url("/section-0/item/0")}</loc></url>`);
  expect(sitemap).not.toContain("users");
  const other = await engine.person();
  for (const path of ["", "/pages", "/folders", "/export?format=csv"])
    expect((await other.call("GET", `/api/jobs/${job.id}/site${path}`)).status).toBe(404);
});

test("limits that leave out the start, or that the plan doesn’t include, are refused in words", async () => {
  const { call, groupId } = await engine.person("basic");
  const refuse = async (site: object, url = "http://127.0.0.1:8080/docs/") =>
    (await call("POST", "/api/jobs/create", { name: "Shop", url, frequency: 60, groupId, site })).body;
  expect(await refuse({ paths: ["/blog/"] })).toMatchObject({
    message: "The start address is outside these paths.",
  });
  expect(await refuse({ exclude: ["/do*"] })).toMatchObject({
    message: "These paths leave out the start address itself.",
  });
  expect(await refuse({ maxPages: 5000 })).toMatchObject({
    code: "PLAN_LIMIT_REACHED",
    message: "The Basic plan allows 200 pages of a site. The Professional plan allows 5,000 pages of a site.",
  });
  expect(await refuse({ subdomains: true }, "https://github.io/")).toMatchObject({
    message: "The subdomains of github.io belong to many owners: enter the host of one site.",
  });
});

test("the hosts of a scope list belong to the site, and no others", async () => {
  const requested: string[] = [];
  const fetch: GuardedFetch["fetch"] = async ({ url }) => {
    requested.push(url);
    const isPage = new URL(url).pathname === "/";
    const hosts = [
      "shop.example",
      "v2.api.vendor.example",
      "vendor.example",
      "pay.other.example",
      "x.pay.other.example",
    ];
    const body = isPage ? hosts.map((host) => `<a href="https://${host}/">${host}</a>`).join("") : "";
    const headers: [string, string][] = [["content-type", isPage ? "text/html" : "text/plain"]];
    const timing = { firstByte: 0, download: 0, total: 0 };
    const rest = { redirects: [], protocol: "http/1.1" as const, tls: null, timing, truncated: false };
    return {
      ok: true,
      response: { url, status: isPage ? 200 : 404, headers, body: Buffer.from(body), ...rest },
    };
  };
  const scope = "0192f0c1-5a3e-7c11-9d7a-3b1f5f0c2a99";
  const { id, deps, attempt } = await beginByHand(engine, "https://shop.example/", { scope }, fetch);
  const listScope: CrawlDeps["listScope"] = async () => [
    { host: "api.vendor.example", subdomains: true },
    { host: "pay.other.example", subdomains: false },
  ];
  await crawlSite({ ...deps, listScope }, { jobId: id }, attempt);
  const hosts = new Set(requested.map((url) => new URL(url).host));
  expect([...hosts].sort()).toEqual([
    "api.vendor.example",
    "pay.other.example",
    "shop.example",
    "v2.api.vendor.example",
  ]);
});

test("a crawl that is killed twenty times goes on where it was, and neither loses nor repeats a page", async () => {
  const shop = await openShop({ sections: 4, perSection: 10, traps: [] });
  const http = createGuardedFetch(engine.app.guard);
  onTestFinished(() => http.close());
  let [requests, kills] = [0, 0];
  // Whatever a process had in memory is gone: only what it has committed is left to the next.
  const dyingFetch: GuardedFetch["fetch"] = async (request) => {
    const response = await http.fetch(request);
    if (++requests % 3 === 0 && kills < 20) {
      kills++;
      throw new Error("killed");
    }
    return response;
  };
  const { id, deps, rows, attempt } = await beginByHand(engine, shop.url("/"), {}, dyingFetch);
  let deaths = 0;
  for (let isOver = false; !isOver; )
    isOver = await crawlSite(deps, { jobId: id }, attempt).then(
      () => true,
      () => ++deaths > 50,
    );
  expect([kills, deaths]).toEqual([20, 20]);
  const found = await rows();
  expect(found.map(({ address }) => new URL(address).pathname).sort()).toEqual([...shop.reachable].sort());
  expect(found.every(({ status, run }) => status === 200 && run === 1)).toBe(true);
  const [run] = await engine.app.db.selectFrom("site_runs").selectAll().where("job_id", "=", id).execute();
  // A page whose request was under way was requested again, and is counted once.
  expect(run?.requested).toBe(shop.reachable.length);
});

// A crawl of a very large site through the product's own code and database: how much memory it takes at 1,000 and at
// 100,000 known addresses, and whether each host is requested no more often than promised.
// `npm run bench:site -- ADDRESSES PAGES`; the site itself is generated, so nothing of it takes memory.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sql } from "kysely";
import { openDetector } from "#checks/detection-threads/open-detector.ts";
import { SiteSettings } from "#contract/site-settings.ts";
import type { FetchResponse, GuardedFetch } from "#network/guarded-fetch.ts";
import { openQueue } from "#queue/queue.ts";
import { captureInventory } from "#sites/capture-inventory.ts";
import { crawlSite } from "#sites/crawl-site.ts";
import type { CrawlDeps } from "#sites/deps.ts";
import { type Database, openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { createSecretBox } from "#storage/encryption/secret-box.ts";
import { findJobToRun } from "#storage/jobs.ts";
import { migrate } from "#storage/migrations/migrate.ts";
import { insertRun } from "#storage/sites.ts";

const addresses = Number(process.argv[2] ?? 100_000);
const pages = Number(process.argv[3] ?? 2_000);
const promisedPerSecond = 10;
const perSitemap = 50_000;
const sizes = [1_000, addresses];
/** Stands for the claim of a task. */
const nobody = { id: "00000000-0000-0000-0000-000000000000", retryCount: 0 };
const MiB = 1024 * 1024;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const folder = await mkdtemp(join(tmpdir(), "bench-site-"));
await chmod(folder, 0o711);
const postgres = await startEmbeddedPostgres(folder);
const table: Record<string, { value: string; goal: string; ok: boolean }> = {};
await migrate(postgres.connectionString);
const { db, close } = openDatabase(postgres.connectionString);
const queue = await openQueue(postgres.connectionString);
const detector = openDetector(1);
const secrets = createSecretBox(["0123456789abcdef0123456789abcdef"]);

const peaks: number[] = [];
for (const size of sizes) peaks.push(await measureMemory(size));
const [small = 0, large = 0] = peaks;
put(
  "memory of the crawl",
  `${mib(small)} at 1,000, ${mib(large)} at ${addresses.toLocaleString("en")}`,
  "+64 MiB",
  large < small + 64 * MiB,
);
await measureRate();

console.table(table);
await queue.close();
await detector.close();
await close();
await postgres.stop();
await rm(folder, { recursive: true, force: true });
process.exit(Object.values(table).every(({ ok }) => ok) ? 0 : 1);

function put(name: string, value: string, goal: string, ok: boolean): void {
  table[name] = { value, goal, ok };
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MiB)} MiB`;
}

/** The most memory in use, beyond what was before, while so many addresses are found and some pages requested. */
async function measureMemory(size: number): Promise<number> {
  const host = `site-${size}.example`;
  const jobId = await addSiteJob(host, { maxPages: 100_000, perSecond: 10 });
  const run = await insertRun(db, await jobOf(jobId));
  const deps = depsFor(fetchOf(host, size), { gapMs: 0 });
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };
  const before = used();
  let peak = 0;
  const requested = async () =>
    (await db.selectFrom("site_runs").select("requested").where("id", "=", run.id).executeTakeFirstOrThrow())
      .requested;
  const started = performance.now();
  while ((await requested()) < Math.min(pages, size)) {
    await crawlSite({ ...deps, sliceMs: 2_000 }, { jobId }, nobody);
    peak = Math.max(peak, used() - before);
  }
  const seconds = (performance.now() - started) / 1000;
  put(
    `pages per second, ${size.toLocaleString("en")} addresses`,
    ((await requested()) / seconds).toFixed(1),
    "",
    true,
  );
  // The rest of the site has answered too, so that the inventory is whole.
  await sql`set statement_timeout = 0`.execute(db);
  await db
    .updateTable("site_pages")
    .set({ status: 200, title: "A page" })
    .where("job_id", "=", jobId)
    .execute();
  const found = await captureInventory(db, await jobOf(jobId));
  const bytes = found.ok && !found.unchanged ? found.snapshot.body.length : 0;
  put(`inventory of ${size.toLocaleString("en")}`, mib(bytes), "", bytes > 0);
  return peak;
}

/** The most requests that a host got within any second. */
async function measureRate(): Promise<void> {
  const host = "rate.example";
  const jobs = await Promise.all(
    [1, 2].map((n) => addSiteJob(host, { maxPages: 1000, perSecond: promisedPerSecond }, `${n}`)),
  );
  const times: number[] = [];
  const fetch = fetchOf(host, 500);
  const deps = depsFor(
    async (request) => {
      times.push(performance.now());
      return fetch(request);
    },
    { maxPerSecond: promisedPerSecond },
  );
  for (const jobId of jobs) await insertRun(db, await jobOf(jobId));
  // Two accounts that crawl one host at once share the turns that the operator allows.
  await Promise.all(jobs.map((jobId) => crawlSite({ ...deps, sliceMs: 10_000 }, { jobId }, nobody)));
  const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));
  put(
    "requests per second, two crawls of one host",
    `${most}`,
    `${promisedPerSecond}`,
    most <= promisedPerSecond + 1,
  );
}

async function jobOf(jobId: string) {
  const job = await findJobToRun(db, jobId);
  if (!job) throw new Error("the job is gone");
  return job;
}

async function addSiteJob(host: string, site: Partial<SiteSettings>, name = ""): Promise<string> {
  const accountId = await newAccount(db);
  const group = await db
    .insertInto("groups")
    .values({ account_id: accountId, name: "Sites", handed: "{}" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto("jobs")
    .values({
      account_id: accountId,
      group_id: group.id,
      name: host + name,
      url: `https://${host}/`,
      host,
      frequency_minutes: 60,
      ignore: "[]",
      settings: JSON.stringify({ site: SiteSettings.parse(site) }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function newAccount(database: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash, plan_id)
    select id, id, id, 'A', 'B', '', '', uuid_send(id), 'ultimate' from (select gen_random_uuid() as id) as a
    returning id`.execute(database);
  return rows[0]?.id ?? "";
}

function depsFor(fetch: GuardedFetch["fetch"], more: Partial<CrawlDeps> = {}): CrawlDeps {
  return {
    db,
    queue,
    secrets,
    http: { fetch, close: async () => undefined },
    readerFor: (owner) => detector.for(owner),
    capture: () => Promise.reject(new Error("no page needs a browser")),
    slots: { take: async () => () => undefined, close: async () => undefined },
    listCapturedLinks: async () => [],
    listScope: async () => null,
    userAgent: "Watchglass/0.1",
    maxPerSecond: 100,
    sliceMs: 10_000,
    ...more,
  };
}

/** Answers as a site would whose sitemaps list so many pages, each with some links. */
function fetchOf(host: string, size: number): GuardedFetch["fetch"] {
  return async ({ url }) => {
    const { pathname } = new URL(url);
    const [, sitemap] = /^\/map-(\d+)\.xml$/.exec(pathname) ?? [];
    if (pathname === "/robots.txt")
      return reply(url, "text/plain", `User-agent: *\nSitemap: https://${host}/maps.xml`);
    if (pathname === "/maps.xml") {
      const maps = Array.from(
        { length: Math.ceil(size / perSitemap) },
        (_, n) => `<sitemap><loc>https://${host}/map-${n}.xml</loc></sitemap>`,
      );
      return reply(url, "application/xml", `<sitemapindex>${maps.join("")}</sitemapindex>`);
    }
    if (sitemap) {
      const from = Number(sitemap) * perSitemap;
      const list = Array.from(
        { length: Math.min(perSitemap, size - from) },
        (_, n) => `<url><loc>https://${host}/page/${from + n}</loc></url>`,
      );
      return reply(url, "application/xml", `<urlset>${list.join("")}</urlset>`);
    }
    const links = Array.from({ length: 40 }, (_, n) => `<a href="/page/${(n * 7919) % size}">Page</a>`);
    return reply(url, "text/html", `<title>${pathname}</title><main>${links.join("")}</main>`);
  };
}

function reply(url: string, contentType: string, text: string) {
  const response: FetchResponse = {
    url,
    redirects: [],
    status: 200,
    headers: [["content-type", contentType]],
    protocol: "http/1.1",
    tls: null,
    timing: { firstByte: 0, download: 0, total: 0 },
    body: Buffer.from(text),
    truncated: false,
  };
  return { ok: true as const, response };
}

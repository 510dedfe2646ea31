import { startTestEngine, type TestEngine } from "#checks/testing/engine.ts";
import { SiteSettings } from "#contract/site-settings.ts";
import type { GuardedFetch } from "#network/guarded-fetch.ts";
import { serve } from "#network/testing/local-site.ts";
import { insertRun } from "#storage/sites.ts";
import type { CrawlDeps } from "../deps.ts";
import { createShop } from "./local-shop.ts";

const isLong = process.env.TEST_SIZE === "long";

let shared: Promise<TestEngine> | undefined;

/** The engine that all tests of crawls share; it ends with the worker. Hosts may be requested without a pause. */
export async function crawlEngine(): Promise<TestEngine> {
  shared ??= startTestEngine({ crawl: { gapMs: 0 } });
  const engine = await shared;
  engine.site.reset();
  return engine;
}

/** A shop on loopback, with how often each of its pages was requested. */
export async function openShop(options?: Parameters<typeof createShop>[0]) {
  const shop = createShop(options);
  const { url } = await serve((request, response) => shop.listen(request, response));
  const count = (path: string) => shop.requests.filter((request) => request.path === path).length;
  return Object.assign(shop, { url, count });
}
export type Shop = Awaited<ReturnType<typeof openShop>>;

/** In the long run, waits several times as long as tests usually wait. */
async function patiently<T>(wait: () => Promise<T>): Promise<T> {
  for (let turn = 1; turn < (isLong ? 5 : 1); turn++) {
    const found = await wait().catch(() => undefined);
    if (found !== undefined) return found;
  }
  return wait();
}

type Page = {
  address: string;
  status: number | null;
  title: string;
  source: string;
  notRequested: string | null;
};

/** A job that watches the shop, after its first check. */
export async function watchSite(
  engine: TestEngine,
  shop: Shop,
  site: object = {},
  path = "/",
  more: object = {},
) {
  const person = await engine.person();
  const id = await person.createJob({
    url: shop.url(path),
    site: { maxPages: 10_000, perSecond: 10, ...site },
    ...more,
  });
  // A crawl of some hundred pages may take longer on a busy machine than anything else that tests wait for.
  const first = await patiently(() => person.execution(id, 1));
  const get = async <T>(path: string) =>
    (await person.call("GET", `/api/jobs/${id}/site${path}`)).body as unknown as T;
  const pages = (query = "") => get<{ pages: Page[]; total: number }>(`/pages?limit=100${query}`);
  const state = () => get<{ run: { notes: string[]; requested: number; state: string } }>("");
  const inventory = async (executionId = first.id) =>
    (await person.call("GET", `/api/jobs/${id}/executions/${executionId}/text`)).raw.toString().split("\n");
  return { ...person, id, first, get, pages, state, inventory };
}

/** A run of a job that no worker knows of, and what crawling it by hand needs. */
export async function beginByHand(
  engine: TestEngine,
  url: string,
  site: Partial<SiteSettings>,
  fetch: GuardedFetch["fetch"],
  more: Partial<CrawlDeps> = {},
) {
  const { app } = engine;
  const { accountId, groupId } = await engine.person();
  const { id } = await app.db
    .insertInto("jobs")
    .values({
      account_id: accountId,
      group_id: groupId,
      name: "Shop",
      url,
      host: new URL(url).hostname,
      frequency_minutes: 60,
      ignore: "[]",
      settings: JSON.stringify({ site: { ...SiteSettings.parse({}), maxPages: 1000, ...site } }),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertRun(app.db, { id, account_id: accountId, target_version: 1 });
  const deps: CrawlDeps = {
    ...app.jobs,
    http: { fetch, close: async () => undefined },
    readerFor: (owner) => app.detector.for(owner),
    capture: () => Promise.reject(new Error("no page of the shop needs a browser")),
    slots: { take: async () => () => undefined, close: async () => undefined },
    listCapturedLinks: async () => [],
    listScope: async () => null,
    userAgent: "Watchglass/0.1",
    maxPerSecond: 1000,
    gapMs: 0,
    sliceMs: 60_000,
    ...more,
  };
  const rows = () => app.db.selectFrom("site_pages").selectAll().where("job_id", "=", id).execute();
  return {
    id,
    accountId,
    deps,
    rows,
    attempt: { id: "00000000-0000-0000-0000-000000000000", retryCount: 0 },
  };
}

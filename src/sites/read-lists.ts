import type { CaptureFailure } from "#contract/capture.ts";
import type { SiteSource } from "#contract/site.ts";
import { toPageAddress } from "#detection/site-pages/page-address.ts";
import { allowAll, readRobots } from "#detection/site-pages/read-robots.ts";
import { failureSentences } from "#network/failure.ts";
import type { FetchResponse } from "#network/guarded-fetch.ts";
import type { SiteListToRead } from "#storage/site-tables.ts";
import { updateRun } from "#storage/sites.ts";
import { addAddresses } from "./add-addresses.ts";
import { type Crawl, goOn, note, type Step } from "./crawl.ts";
import { fetchAddress } from "./fetch-address.ts";

const maxRobotsBytes = 512 * 1024;
const maxHosts = 100;
const maxLists = 500;
const maxNesting = 3;
const maxHops = 5;
const MiB = 1024 * 1024;
const maxListBytes = 50 * MiB;
/** A longer one is held in memory only while no other long one is. */
const longListBytes = 10 * MiB;
const longListWaitMs = 10_000;

/** Whether we know what the robots.txt of an address's host says; if not, reads it. */
export async function readRobotsOf(crawl: Crawl, address: string): Promise<Step> {
  const { host, origin } = new URL(address);
  const { robots } = crawl.run;
  if (Object.hasOwn(robots, host)) return goOn;
  if (Object.keys(robots).length >= maxHosts) {
    note(crawl, "hosts", `The site has more than ${maxHosts} hosts: further ones weren’t requested.`);
    return goOn;
  }
  const response = await fetchFile(crawl, `${origin}/robots.txt`, maxRobotsBytes);
  if ("waitMs" in response) return response;
  const isStart = host === new URL(crawl.start).host;
  if ("problem" in response || response.status >= 500) {
    const why = "problem" in response ? response.problem : `The server answered ${response.status}.`;
    const message = `robots.txt of ${host} couldn’t be read, so nothing was requested there. ${why}`;
    if (isStart && crawl.site.robots) return stop(crawl, { kind: "status", message });
    note(crawl, `robots:${host}`, message);
  }
  const found = "problem" in response || response.status >= 400 ? null : await readText(crawl, response);
  if (found !== null && "truncated" in response && response.truncated)
    note(crawl, `robots:${host}`, `robots.txt of ${host} is larger than 512 KiB: the rest wasn’t read.`);
  const isUnreadable = "problem" in response || response.status >= 500;
  const read = found === null ? allowAll : readRobots(found);
  const rules = isUnreadable ? [{ allow: false, pattern: "/" }] : read.rules;
  crawl.run.robots = { ...robots, [host]: { rules, delay: read.delay } };
  const sitemaps = read.sitemaps.length > 0 ? read.sitemaps : [`${origin}/sitemap.xml`];
  queueLists(
    crawl,
    sitemaps.map((sitemap) => ({ address: sitemap, source: "sitemap", nesting: 0 })),
    origin,
  );
  await save(crawl);
  return goOn;
}

async function readText(crawl: Crawl, { body, headers }: FetchResponse): Promise<string> {
  const contentType = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  return crawl.deps.readerFor(crawl.job.account_id).decode({ contentType, body });
}

/** Ends the run without an inventory. */
export async function stop(crawl: Crawl, failure: CaptureFailure): Promise<Step> {
  crawl.run.failure = failure;
  await updateRun(crawl.deps.db, crawl.run.id, { failure, notes: crawl.run.notes });
  return goOn;
}

const save = ({ deps, run }: Crawl, db = deps.db) =>
  updateRun(db, run.id, {
    robots: run.robots,
    lists: run.lists,
    listsRead: run.lists_read,
    notes: run.notes,
  });

/** Adds sitemaps and feeds of the site's own hosts to those that are to be read. */
export function queueLists(crawl: Crawl, lists: SiteListToRead[], base?: string): void {
  const { run } = crawl;
  for (const { address: href, source, nesting } of lists) {
    const address = toPageAddress(href, base);
    if (!address || !crawl.boundary.hasHost(address)) continue;
    if (run.lists_read.includes(address) || run.lists.some((each) => each.address === address)) continue;
    if (nesting > maxNesting) {
      note(crawl, "nesting", `Sitemaps are nested more than ${maxNesting} deep: the rest wasn’t read.`);
    } else if (run.lists.length + run.lists_read.length >= maxLists) {
      note(crawl, "lists", `The site has more than ${maxLists} sitemaps and feeds: the rest wasn’t read.`);
    } else run.lists = [...run.lists, { address, source, nesting }];
  }
}

/** Reads the next sitemap or feed. */
export async function readNextList(crawl: Crawl, list: SiteListToRead): Promise<Step> {
  const response = await fetchFile(crawl, list.address, longListBytes);
  if ("waitMs" in response) return response;
  if (!("problem" in response) && response.truncated) return readLongList(crawl, list);
  return addList(crawl, list, response);
}

let isReadingLongList = false;

async function readLongList(crawl: Crawl, list: SiteListToRead): Promise<Step> {
  if (isReadingLongList) return { waitMs: longListWaitMs };
  isReadingLongList = true;
  try {
    const response = await fetchFile(crawl, list.address, maxListBytes);
    return "waitMs" in response ? response : await addList(crawl, list, response);
  } finally {
    isReadingLongList = false;
  }
}

/** Adds what a sitemap or feed lists, and notes why if it can't be read. */
async function addList(
  crawl: Crawl,
  list: SiteListToRead,
  response: FetchResponse | { problem: string },
): Promise<Step> {
  const { deps, run, job } = crawl;
  run.lists = run.lists.filter(({ address }) => address !== list.address);
  run.lists_read = [...run.lists_read, list.address];
  if ("problem" in response || response.status >= 400) {
    const why = "problem" in response ? response.problem : `The server answered ${response.status}.`;
    // Many sites have no sitemap.
    if ("problem" in response || response.status >= 500)
      note(crawl, list.address, `${list.address} couldn’t be read. ${why}`);
    await save(crawl);
    return goOn;
  }
  const contentType = response.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const found = await deps.readerFor(job.account_id).siteList({ contentType, body: response.body });
  if (!found) note(crawl, list.address, `${list.address} took too long to read, so it was left out.`);
  if (found?.problem) note(crawl, list.address, `${list.address} ${found.problem}, so it was left out.`);
  if (found && (found.isCut || response.truncated))
    note(
      crawl,
      list.address,
      `${list.address} has more than 50,000 addresses or ${maxListBytes / MiB} MiB: the rest wasn’t read.`,
    );
  const addresses = found?.addresses ?? [];
  if (found?.kind === "sitemaps")
    queueLists(
      crawl,
      addresses.map((address) => ({ address, source: list.source, nesting: list.nesting + 1 })),
      list.address,
    );
  await deps.db.transaction().execute(async (tx) => {
    if (found?.kind === "pages") await addListed(crawl, tx, addresses, list.source, list.address);
    await save(crawl, tx);
  });
  return goOn;
}

/** Adds addresses that nobody had to search for. */
export function addListed(
  crawl: Crawl,
  tx: Crawl["deps"]["db"],
  addresses: string[],
  source: SiteSource,
  foundOn: string | null,
) {
  return addAddresses(
    crawl,
    tx,
    addresses.flatMap((address) => toPageAddress(address, foundOn ?? crawl.start) ?? []),
    { source, foundOn, depth: 1, from: null },
  );
}

type File = FetchResponse | { waitMs: number } | { problem: string };

/** Requests a file of the site, following redirects within its hosts. */
async function fetchFile(crawl: Crawl, address: string, keepBytes: number): Promise<File> {
  let at = address;
  for (let hops = 0; hops <= maxHops; hops++) {
    const result = await fetchAddress(crawl, at, { keepBytes });
    if ("waitMs" in result) return result;
    if (!result.ok) return { problem: failureSentences[result.failure.kind] };
    const { status, headers } = result.response;
    const location = headers.find(([name]) => name === "location")?.[1];
    if (status < 300 || status >= 400 || location === undefined) return result.response;
    const target = toPageAddress(location, at);
    if (!target || !crawl.boundary.hasHost(target)) return { ...result.response, status: 404 };
    at = target;
  }
  return { problem: failureSentences.redirects };
}

import { identityOf, toPageAddress } from "#detection/site-pages/page-address.ts";
import type { SitePage } from "#detection/site-pages/read-site-page.ts";
import { type FailureKind, failureSentences } from "#network/failure.ts";
import type { FetchResponse } from "#network/guarded-fetch.ts";
import { isShownElsewhere, type SitePageRow, updatePage } from "#storage/sites.ts";
import { type Crawl, goOn, note, type Step } from "./crawl.ts";
import { fetchAddress } from "./fetch-address.ts";
import { judgeAddress } from "./judge-address.ts";
import { readRobotsOf, stop } from "./read-lists.ts";
import { type FoundPage, recordPage, recordUnanswered } from "./record-page.ts";

const maxPageBytes = 2 * 1024 * 1024;
const maxHops = 10;
const maxByBrowser = 50;
const maxUnanswered = 10;
const redirects = new Set([301, 302, 303, 307, 308]);
/** Files of which only the headers matter; the server is asked for no more. */
const mediaFile =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|m4[av]|webm|og[gv]|avi|mov|mkv|wav|flac|zip|gz|tgz|bz2|xz|7z|rar|iso|dmg|exe|msi|deb|rpm|apk|jar|woff2?|ttf|otf|eot|psd)$/i;

/** Requests a page and records what is there; robots.txt of its host is read first. */
export async function requestPage(crawl: Crawl, row: SitePageRow): Promise<Step> {
  const { run, deps } = crawl;
  const ready = await readRobotsOf(crawl, row.address);
  if (ready.waitMs > 0 || run.failure) return ready;
  const why = await judgeAddress(crawl, row);
  if (why) {
    if (why === "robots" && row.source === "start")
      return stop(crawl, {
        kind: "status",
        message: "robots.txt asks us not to request the start address, so nothing was requested.",
      });
    await updatePage(deps.db, row, run.number, { why, run: run.number });
    return goOn;
  }
  const startedMs = performance.now();
  const isMedia = mediaFile.test(new URL(row.address).pathname);
  const fetched = await fetchAddress(crawl, row.address, {
    validator: row.status === 200 ? row.validator : null,
    method: isMedia ? "HEAD" : "GET",
    keepBytes: maxPageBytes,
  });
  if ("waitMs" in fetched) return fetched;
  if (!fetched.ok) return noteUnanswered(crawl, row, fetched.failure.kind, performance.now() - startedMs);
  const { response } = fetched;
  const read = await readPage(crawl, row, response);
  const movedTo = targetOf(response);
  const isRespelled = movedTo !== null && identityOf(movedTo) === row.identity;
  if (isRespelled && row.hops < maxHops && crawl.boundary.includes(movedTo))
    return follow(crawl, row, movedTo);
  const isCopy = read.page !== null && (await isKnownElsewhere(crawl, row, read.page));
  await recordPage(crawl, row, { response, movedTo, isCopy, ...read, ms: performance.now() - startedMs });
  return goOn;
}

function targetOf({ status, headers, url }: FetchResponse): string | null {
  const location = headers.find(([name]) => name === "location")?.[1];
  return redirects.has(status) && location !== undefined
    ? toPageAddress(Buffer.from(location, "latin1").toString(), url)
    : null;
}

/** The same page in another spelling, such as with https or a final slash: requested as the server spells it. */
async function follow(crawl: Crawl, row: SitePageRow, address: string): Promise<Step> {
  const respelled = { address, hops: row.hops + 1 };
  await updatePage(crawl.deps.db, row, crawl.run.number, respelled);
  return requestPage(crawl, { ...row, ...respelled });
}

/** A page that doesn't answer is asked once more at the end; a site that doesn't is left alone. */
async function noteUnanswered(crawl: Crawl, row: SitePageRow, kind: FailureKind, ms: number): Promise<Step> {
  const { run } = crawl;
  const failure = failureSentences[kind];
  await recordUnanswered(crawl, row, failure, ms);
  const isStart = row.source === "start" && row.attempts > 0;
  if (!isStart && run.unanswered < maxUnanswered) return goOn;
  const message = isStart
    ? failure
    : `The site stopped answering after ${run.requested} requests. ${failure}`;
  return stop(crawl, { kind, message });
}

async function readPage(
  crawl: Crawl,
  row: SitePageRow,
  response: FetchResponse,
): Promise<Pick<FoundPage, "page" | "byBrowser">> {
  const contentType = response.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
  if (!isHtml || response.body.length === 0) return { page: null, byBrowser: false };
  const { deps, job, site } = crawl;
  const page = await deps.readerFor(job.account_id).sitePage({
    contentType,
    body: response.body,
    url: row.address,
    obeysRobots: site.robots,
  });
  if (!page) note(crawl, row.address, `${row.address} took too long to read: its links were left out.`);
  const needsBrowser = page?.hasScripts && page.links.length === 0 && response.status === 200;
  if (!needsBrowser) return { page: page ?? null, byBrowser: false };
  return readByBrowser(crawl, row.address, page);
}

/** Only a page whose HTML has no links, because scripts make them, is opened in a browser. */
async function readByBrowser(
  crawl: Crawl,
  address: string,
  page: SitePage,
): Promise<Pick<FoundPage, "page" | "byBrowser">> {
  const { deps, job, run, request } = crawl;
  if (run.by_browser >= maxByBrowser) {
    note(
      crawl,
      "browser",
      `More than ${maxByBrowser} pages have no links without a browser: further ones were read without one.`,
    );
    return { page, byBrowser: false };
  }
  const ask = { method: "GET" as const, headers: [["user-agent", deps.userAgent] as [string, string]] };
  const proxies = request.proxies ?? [];
  const captured = await deps.capture({ url: address, ask, proxies }, undefined, job.account_id);
  if (!captured.ok || captured.unchanged) return { page, byBrowser: true };
  const { links, title, scripts, finalUrl } = captured.snapshot;
  const hosts = scripts.flatMap(({ src }) => (src && URL.canParse(src) ? [new URL(src).host] : []));
  const own = new URL(finalUrl).host;
  return {
    page: {
      ...page,
      title: title.slice(0, 300) || page.title,
      links: [...new Set(links.flatMap(({ href }) => toPageAddress(href, finalUrl) ?? []))].slice(0, 2000),
      scriptHosts: [...new Set([...page.scriptHosts, ...hosts])].filter((host) => host !== own).sort(),
    },
    byBrowser: true,
  };
}

/** Whether the site shows this page under another address too, which then stands for both. */
async function isKnownElsewhere(
  { deps, boundary }: Crawl,
  row: SitePageRow,
  page: SitePage,
): Promise<boolean> {
  if (row.source === "start") return false;
  const { canonical } = page;
  const isCopy =
    canonical !== null &&
    identityOf(canonical) !== row.identity &&
    boundary.includes(canonical) &&
    new URL(canonical).pathname === new URL(row.address).pathname;
  return isCopy || isShownElsewhere(deps.db, row, page.textHash);
}

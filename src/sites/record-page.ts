import { validatorOf } from "#capture/plain-http/http-evidence.ts";
import type { SitePage } from "#detection/site-pages/read-site-page.ts";
import type { FetchResponse } from "#network/guarded-fetch.ts";
import { allowAsyncCommit, type Database } from "#storage/database.ts";
import { countRequest, type NewSitePage, type SitePageRow, updatePage, updateRun } from "#storage/sites.ts";
import { addAddresses } from "./add-addresses.ts";
import { type Crawl, note } from "./crawl.ts";
import { queueLists } from "./read-lists.ts";

/** What a request found at an address. */
export type FoundPage = {
  response: FetchResponse;
  /** The address that it redirects to. */
  movedTo: string | null;
  page: SitePage | null;
  /** Another address shows the same page. */
  isCopy: boolean;
  byBrowser: boolean;
  ms: number;
};

const maxHops = 10;

/**
 * Writes what was found at an address together with the addresses that it leads to, so that a crash loses or repeats
 * nothing but the request that was under way.
 */
export async function recordPage(crawl: Crawl, row: SitePageRow, found: FoundPage): Promise<void> {
  const { deps, run } = crawl;
  const { response, page, movedTo, byBrowser, ms } = found;
  const isFirstLoss = isGood(row.status) && !isGood(response.status) && row.attempts === 0;
  const count = { bytes: response.body.length, ms, isAnswered: true, byBrowser };
  if (page) queueFeeds(crawl, page, row);
  await deps.db.transaction().execute(async (tx) => {
    await allowAsyncCommit(tx);
    // What is worse than before is looked at again before anybody is told.
    const values = isFirstLoss ? { run: -1, attempts: 1 } : valuesOf(row, found, run.number);
    if (!(await updatePage(tx, row, run.number, values))) return;
    if (!isFirstLoss) await addFound(crawl, tx, row, found);
    await countRequest(tx, run.id, count);
    await updateRun(tx, run.id, { notes: run.notes, lists: run.lists });
  });
  run.requested++;
  run.unanswered = 0;
  if (byBrowser) run.by_browser++;
  if (movedTo !== null && row.hops >= maxHops)
    note(
      crawl,
      "redirects",
      `Redirects without end weren’t followed further than ${maxHops} steps, such as ${row.address}`,
    );
}

/** Counts a request without an answer. The page is asked once more at the end; until then it is as it was. */
export async function recordUnanswered(
  { deps, run }: Crawl,
  row: SitePageRow,
  failure: string,
  ms: number,
): Promise<void> {
  const isFirst = row.attempts === 0;
  const values = isFirst
    ? { run: -1, attempts: 1 }
    : { run: run.number, attempts: 0, failure, checked_at: new Date() };
  await deps.db.transaction().execute(async (tx) => {
    await allowAsyncCommit(tx);
    if (await updatePage(tx, row, run.number, values))
      await countRequest(tx, run.id, { bytes: 0, ms, isAnswered: false, byBrowser: false });
  });
  run.requested++;
  run.unanswered++;
}

const isGood = (status: number | null) => status !== null && status < 400;

function valuesOf(
  row: SitePageRow,
  { response, page, movedTo, isCopy }: FoundPage,
  run: number,
): Partial<NewSitePage> {
  const { status, headers, body } = response;
  const header = (name: string) => headers.find(([known]) => known === name)?.[1];
  const now = new Date();
  const checked = {
    run,
    attempts: 0,
    failure: null,
    checked_at: now,
    why: isCopy ? ("same" as const) : null,
  };
  if (status === 304) return { ...checked, last_seen: now };
  return {
    ...checked,
    status,
    ...(isGood(status) && { last_seen: now }),
    // A page that is gone keeps its title, by which people know it.
    ...(isGood(status) && { title: page?.title ?? "" }),
    content_type: (header("content-type") ?? "").slice(0, 200),
    bytes: sizeOf(header("content-length"), body.length),
    moved_to: movedTo,
    script_hosts: JSON.stringify(page?.scriptHosts ?? []),
    skeleton: page?.skeleton ?? null,
    text_hash: page?.textHash ?? null,
    validator: validatorOf(headers),
  };
}

const sizeOf = (length: string | undefined, read: number) =>
  length !== undefined && /^\d{1,9}$/.test(length) ? Math.max(Number(length), read) : read;

/** Stores the addresses that a page leads to, and counts those outside its own family. */
async function addFound(
  crawl: Crawl,
  tx: Database,
  row: SitePageRow,
  { page, movedTo }: FoundPage,
): Promise<void> {
  const from = { foundOn: row.address, from: row };
  const added = [
    ...(movedTo !== null && row.hops < maxHops
      ? await addAddresses(crawl, tx, [movedTo], { ...from, source: "redirect", depth: row.depth })
      : []),
    ...(page
      ? await addAddresses(crawl, tx, page.canonical ? [...page.links, page.canonical] : page.links, {
          ...from,
          source: "link",
          depth: row.depth + 1,
        })
      : []),
  ];
  if (page)
    await addAddresses(crawl, tx, page.candidates, { ...from, source: "script", depth: row.depth + 1 });
  const yielded = added.filter(({ family }) => family === null || family !== row.family).length;
  if (yielded > row.yield)
    await tx
      .updateTable("site_pages")
      .set({ yield: yielded })
      .where("job_id", "=", row.job_id)
      .where("identity", "=", row.identity)
      .execute();
}

function queueFeeds(crawl: Crawl, { feeds }: SitePage, row: SitePageRow): void {
  queueLists(
    crawl,
    feeds.map((address) => ({ address, source: "feed", nesting: 1 })),
    row.address,
  );
}

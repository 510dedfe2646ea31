import type { CaptureRequest } from "#capture/capture-page.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import type { ScopeTarget } from "#detection/bug-bounty-scope/list-targets.ts";
import { inherit } from "#group-defaults/inherit.ts";
import { openRequest } from "#page-requests/open-request.ts";
import { planById } from "#plans/plans.ts";
import { openProxies } from "#proxies/open-proxies.ts";
import { findAccount } from "#storage/accounts.ts";
import type { JobRow } from "#storage/jobs.ts";
import { countPages, type SiteRunRow, storedBytesOf } from "#storage/sites.ts";
import { type Boundary, createBoundary, withoutOneOwner } from "./boundary.ts";
import type { CrawlDeps } from "./deps.ts";

/** A run while a task works on it. What must survive the task is in the database. */
export type Crawl = {
  deps: CrawlDeps;
  job: JobRow;
  /** As stored; this task keeps it up to date. */
  run: SiteRunRow;
  site: SiteSettings;
  start: string;
  request: Pick<CaptureRequest, "headers" | "ask" | "proxies">;
  boundary: Boundary;
  /** The hosts of the scope list; null if it can't be read. */
  scope: ScopeTarget[] | null;
  /** How many pages this run may request. */
  maxPages: number;
  /** How many addresses are stored. */
  known: number;
  /** Whether the account's storage is full, so that no further addresses are stored. */
  isFull: boolean;
};

/** What became of one step: the next may follow at once, or after a while. */
export type Step = { waitMs: number };
export const goOn: Step = { waitMs: 0 };

export async function openCrawl(
  deps: CrawlDeps,
  job: JobRow,
  site: SiteSettings,
  run: SiteRunRow,
): Promise<Crawl> {
  const account = await findAccount(deps.db, job.account_id);
  const plan = account && planById(account.plan_id);
  const scope = site.scope ? await deps.listScope(job.account_id, site.scope) : [];
  const { url, headers = [], ask } = openRequest(deps.secrets, job, new Date());
  const crawl: Crawl = {
    deps,
    job,
    run,
    site,
    start: url,
    request: {
      headers,
      ...(ask && { ask }),
      proxies: await openProxies(deps, job.account_id, inherit(job, "proxies")),
    },
    boundary: createBoundary(url, site, scope ?? []),
    scope,
    maxPages: Math.min(site.maxPages, plan?.sitePages ?? 0),
    known: await countPages(deps.db, job.id),
    isFull: (await storedBytesOf(deps.db, job.account_id)) >= (plan?.storageBytes ?? 0),
  };
  for (const host of withoutOneOwner(scope ?? []))
    note(
      crawl,
      host,
      `${host} in the scope list belongs to many owners, so none of its subdomains was requested.`,
    );
  return crawl;
}

/** More addresses than this aren't stored: of what isn't requested, nobody needs more than as much again. */
export const maxKnown = ({ maxPages }: Crawl) => 2 * maxPages + 1000;
const maxNotes = 50;

/** Adds a sentence about what a run left out, once per subject. */
export function note(crawl: Crawl, about: string, sentence: string): Record<string, string> {
  const { notes } = crawl.run;
  if (about in notes || Object.keys(notes).length < maxNotes)
    crawl.run.notes = { ...notes, [about]: sentence };
  return crawl.run.notes;
}

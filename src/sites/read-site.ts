import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type {
  SiteFolders,
  SitePageShown,
  SitePages,
  SitePagesQuery,
  SiteState,
  SiteTemplates,
} from "#contract/site.ts";
import type { Database } from "#storage/database.ts";
import { findJob } from "#storage/jobs.ts";
import { countStates, listFolders, listPages, listTemplates } from "#storage/site-inventory.ts";
import { findRunSummary, type RunSummary, type SitePageRow } from "#storage/sites.ts";

type Deps = { db: Database };

const maxFolders = 500;

/** A job of the account that watches a site. */
export async function findSiteJob({ db }: Deps, { accountId }: Actor, jobId: string) {
  const job = await findJob(db, accountId, jobId);
  if (!job) throw new AppError("NOT_FOUND");
  if (!job.settings.site) throw new AppError("INVALID_INPUT", "This job watches a page, not a site.");
  return job;
}

export async function readSiteState(deps: Deps, actor: Actor, jobId: string): Promise<SiteState> {
  const job = await findSiteJob(deps, actor, jobId);
  const run = await findRunSummary(deps.db, actor.accountId, job.id);
  return { run: run ? showRun(run) : null, ...(await countStates(deps.db, job.id, lastNumber(run))) };
}

const lastNumber = (run: RunSummary | undefined) => run?.number ?? 0;

function showRun(run: RunSummary) {
  const { number, state, requested, bytes, failure, notes, lists } = run;
  return {
    number,
    state,
    startedAt: run.started_at.toISOString(),
    finishedAt: run.finished_at?.toISOString() ?? null,
    requested,
    perSecond: perSecondOf(run),
    bytes,
    listsToRead: lists,
    failure: failure?.message ?? null,
    notes: Object.values(notes),
  };
}

/** Over the whole run: between two requests to a host is a pause. */
function perSecondOf({ requested, started_at, finished_at }: RunSummary): number {
  const seconds = ((finished_at ?? new Date()).getTime() - started_at.getTime()) / 1000;
  return Math.round((requested / Math.max(seconds, 1)) * 100) / 100;
}

export async function readSitePages(
  deps: Deps,
  actor: Actor,
  jobId: string,
  query: SitePagesQuery,
): Promise<SitePages> {
  const job = await findSiteJob(deps, actor, jobId);
  const run = await findRunSummary(deps.db, actor.accountId, job.id);
  const { pages, total } = await inTime(listPages(deps.db, job.id, lastNumber(run), query));
  return { pages: pages.map(showPage), total };
}

export const shownColumns = [
  "address",
  "source",
  "found_on",
  "depth",
  "status",
  "why",
  "failure",
  "title",
  "content_type",
  "bytes",
  "moved_to",
  "script_hosts",
  "template",
  "first_seen",
  "last_seen",
] as const satisfies (keyof SitePageRow)[];

export const showPage = (row: Pick<SitePageRow, (typeof shownColumns)[number]>): SitePageShown => ({
  address: row.address,
  source: row.source,
  foundOn: row.found_on,
  depth: row.depth,
  status: row.status,
  notRequested: row.why,
  problem: row.failure,
  title: row.title,
  contentType: row.content_type,
  bytes: row.bytes,
  movedTo: row.moved_to,
  scriptHosts: row.script_hosts,
  template: row.template,
  firstSeen: row.first_seen.toISOString(),
  lastSeen: row.last_seen?.toISOString() ?? null,
});

const statementTimeout = "57014";

/** Says what to do where PostgreSQL ends a statement because a site is too large for it. */
async function inTime<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== statementTimeout) throw error;
    throw new AppError("CONFLICT", "The site is too large for this. Choose a folder, or search for less.");
  });
}

const maxTemplates = 500;

export async function readSiteTemplates(deps: Deps, actor: Actor, jobId: string): Promise<SiteTemplates> {
  const job = await findSiteJob(deps, actor, jobId);
  return { templates: await inTime(listTemplates(deps.db, job.id, maxTemplates)) };
}

export async function readSiteFolders(
  deps: Deps,
  actor: Actor,
  jobId: string,
  below: string,
): Promise<SiteFolders> {
  const job = await findSiteJob(deps, actor, jobId);
  const found = await inTime(listFolders(deps.db, job.id, below, maxFolders + 1));
  return {
    folders: found.slice(0, maxFolders).map(({ name, pages }) => ({ path: `${below}${name}`, name, pages })),
    isCut: found.length > maxFolders,
  };
}

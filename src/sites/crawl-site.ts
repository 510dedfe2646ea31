import { identityOf, templateOf } from "#detection/site-pages/page-address.ts";
import { emitEvents } from "#live-events/events.ts";
import type { Attempt } from "#queue/queue.ts";
import type { Tasks } from "#queue/tasks.ts";
import { runningPriority, turnPriority } from "#scheduling/enqueue.ts";
import { markIdle } from "#scheduling/schedule-rows.ts";
import type { Database } from "#storage/database.ts";
import { findJobToRun, type JobRow } from "#storage/jobs.ts";
import { insertLogs, type LogLine } from "#storage/logs.ts";
import {
  countNotRequested,
  deletePages,
  findLastRun,
  findRunSummary,
  listToRequest,
  putStart,
  readPages,
  recordSiteUsage,
  reopenPages,
  type SiteRunRow,
  updateRun,
} from "#storage/sites.ts";
import { type Crawl, goOn, note, openCrawl, type Step } from "./crawl.ts";
import type { CrawlDeps } from "./deps.ts";
import { addListed, readNextList, readRobotsOf, stop } from "./read-lists.ts";
import { requestPage } from "./request-page.ts";

const batchSize = 50;
const watchMs = 1000;
const longestRunMs = 24 * 3_600_000;

/**
 * Crawls a site for a while, then leaves the rest to the next task, so that sites take turns. All that a run has found
 * and has still to do is in the database: after a crash it goes on where it was.
 */
export async function crawlSite(deps: CrawlDeps, { jobId }: Tasks["crawl"], attempt: Attempt): Promise<void> {
  const job = await findJobToRun(deps.db, jobId);
  const run = job && (await findLastRun(deps.db, job.account_id, job.id));
  const site = job?.settings.site;
  if (!job || !site || run?.state !== "running" || run.target_version !== job.target_version) return;
  if (isStopped(job)) return markIdle(deps.db, job.id);
  const crawl = await openCrawl(deps, job, site, run);
  const { known } = crawl;
  const step = await crawlFor(crawl);
  await deps.db.transaction().execute(async (tx) => {
    if (!(await findJobToRun(tx, job.id, true))) return;
    if (!(await deps.queue.settle(tx, "crawl", attempt))) return;
    const isPaused = (await findRunSummary(tx, job.account_id, job.id))?.state === "paused";
    if (step === "over" && !isPaused) await finishRun(deps, tx, crawl);
    else if (step !== "over" && step !== "stopped") await sendCrawl(deps, tx, job, step.waitMs);
    else await markIdle(tx, job.id);
    if (step === "over" || crawl.known !== known) await recordSiteUsage(tx, job.account_id, job.id);
    await emitEvents(tx, job.account_id, [{ kind: "site", jobId: job.id }]);
  });
}

/** Somebody paused or deleted the job; a check that was asked for goes on all the same. */
const isStopped = ({ status, asked, delete_at }: JobRow) =>
  delete_at !== null || (status !== "ACTIVE" && !asked);

export async function sendCrawl(
  { queue }: Pick<CrawlDeps, "queue">,
  tx: Database,
  job: Pick<JobRow, "id" | "account_id" | "host">,
  waitMs = 0,
): Promise<void> {
  await queue.send(
    tx,
    "crawl",
    { jobId: job.id },
    {
      singletonKey: job.id,
      priority: turnPriority(new Date(), 0),
      owner: job.account_id,
      place: job.host,
      ...(waitMs > 0 && { startAfter: Math.ceil(waitMs / 1000) }),
    },
  );
}

/** Makes the steps of a run until its time is up: sources first, then pages. */
async function crawlFor(crawl: Crawl): Promise<Step | "over" | "stopped"> {
  const { deps, run, job } = crawl;
  const until = Date.now() + deps.sliceMs;
  let watchedAt = Date.now();
  const begun = await beginRun(crawl);
  if (begun.waitMs > 0) return begun;
  while (Date.now() < until) {
    if (run.failure) return "over";
    if (Date.now() - run.started_at.getTime() > longestRunMs) {
      note(
        crawl,
        "time",
        "The run took a whole day and was ended: what it hadn’t requested yet is left out.",
      );
      return "over";
    }
    const list = run.lists[0];
    const rows = list ? [] : await listToRequest(deps.db, job.id, run.number, batchSize);
    if (!list && rows.length === 0) return "over";
    const steps = list ? [() => readNextList(crawl, list)] : rows.map((row) => () => requestPage(crawl, row));
    for (const makeStep of steps) {
      if (run.requested >= crawl.maxPages && !list) return "over";
      const step = await makeStep();
      if (step.waitMs > 0) return step;
      if (run.failure || Date.now() >= until || (!list && run.lists.length > 0)) break;
      if (Date.now() - watchedAt < watchMs) continue;
      watchedAt = Date.now();
      if (await isInterrupted(crawl)) return "stopped";
    }
  }
  return (await isInterrupted(crawl)) ? "stopped" : goOn;
}

/** Whether somebody paused the run or the job meanwhile; shows those who watch how far it is. */
async function isInterrupted({ deps, job }: Crawl): Promise<boolean> {
  await emitEvents(deps.db, job.account_id, [{ kind: "site", jobId: job.id }]);
  const [now, run] = await Promise.all([
    findJobToRun(deps.db, job.id),
    findRunSummary(deps.db, job.account_id, job.id),
  ]);
  return !now || isStopped(now) || run?.state !== "running";
}

/** The first step of a run: what doesn't belong to the site any more goes, and what is known for free comes in. */
async function beginRun(crawl: Crawl): Promise<Step> {
  const { deps, job, run, boundary, start } = crawl;
  if (crawl.scope === null)
    return stop(crawl, {
      kind: "protocol",
      message: "The scope list can’t be read: its job doesn’t exist, or has no capture yet.",
    });
  if (Object.hasOwn(run.robots, new URL(start).host)) return goOn;
  for await (const rows of readPages(deps.db, job.id, ["address"])) {
    const outside = rows.filter(({ address }) => !boundary.includes(address));
    await deletePages(
      deps.db,
      job.id,
      outside.map(({ identity }) => identity),
    );
  }
  await reopenPages(deps.db, job.id);
  await putStart(deps.db, {
    job_id: job.id,
    account_id: job.account_id,
    identity: identityOf(start),
    address: new URL(start).href.split("#", 1)[0] ?? start,
    source: "start",
    depth: 0,
    template: templateOf(start),
    rank: 0,
  });
  await addListed(
    crawl,
    deps.db,
    await deps.listCapturedLinks(job.account_id, (url) => URL.canParse(url) && boundary.hasHost(url)),
    "capture",
    null,
  );
  const { protocol } = new URL(start);
  await addListed(
    crawl,
    deps.db,
    crawl.scope.map(({ host }) => `${protocol}//${host}/`),
    "scope",
    null,
  );
  return readRobotsOf(crawl, start);
}

/** Ends a run: its inventory is the job's next capture. */
async function finishRun(
  { queue }: Pick<CrawlDeps, "queue">,
  tx: Database,
  { job, run, ...crawl }: Pick<Crawl, "job" | "run"> & Partial<Crawl>,
): Promise<void> {
  const left = await countNotRequested(tx, job.id, run.number);
  const waiting = left.get(null) ?? 0;
  const notRequested = (pages: number) =>
    `${pages.toLocaleString("en")} ${pages === 1 ? "address wasn’t" : "addresses weren’t"} requested`;
  const notes = {
    ...run.notes,
    ...(waiting > 0 &&
      crawl.maxPages !== undefined &&
      run.requested >= crawl.maxPages && {
        limit: `The limit of ${crawl.maxPages.toLocaleString("en")} pages is reached: ${notRequested(waiting)}.`,
      }),
    ...((left.get("robots") ?? 0) > 0 && {
      robots: `${notRequested(left.get("robots") ?? 0)}, because robots.txt asks for that.`,
    }),
  };
  // What only crawling needs may be large.
  await updateRun(tx, run.id, { state: "crawled", notes, robots: {}, lists: [], listsRead: [] });
  const seconds = Math.max(1, Math.round((Date.now() - run.started_at.getTime()) / 1000));
  const lines: LogLine[] = [
    {
      level: "info",
      meta: `Crawled the site in ${seconds} s: ${run.requested.toLocaleString("en")} requests for pages`,
    },
    ...Object.values(notes).map((meta): LogLine => ({ level: "warn", meta })),
  ];
  await insertLogs(tx, job.id, lines);
  if (!run.failure) await queue.send(tx, "site-rules", { jobId: job.id }, { singletonKey: job.id });
  await queue.send(
    tx,
    "execute",
    { jobId: job.id },
    { singletonKey: job.id, priority: runningPriority(new Date()), owner: job.account_id, place: job.host },
  );
}

/** A run that failed on our side at every attempt ends without an inventory. */
export async function giveUpCrawl(
  deps: Pick<CrawlDeps, "db" | "queue">,
  { jobId }: Tasks["crawl"],
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const job = await findJobToRun(tx, jobId, true);
    const run = job && (await findLastRun(tx, job.account_id, job.id));
    if (!job || run?.state !== "running") return;
    await updateRun(tx, run.id, {
      failure: {
        kind: "crashed",
        message: "The site couldn’t be crawled: every attempt failed on our side.",
      },
    });
    await finishRun(deps, tx, { job, run: run satisfies SiteRunRow });
  });
}

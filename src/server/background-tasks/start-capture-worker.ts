import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BrowserPool } from "#capture/browser-pool.ts";
import { BrowserProblem } from "#capture/browser-problem.ts";
import { capture } from "#capture/capture-page.ts";
import type { ExecuteDeps } from "#checks/deps.ts";
import { type ExecutionBatches, openExecutionBatches } from "#checks/execution-batches.ts";
import { listCapturedLinks, listScope } from "#checks/list-captured-links.ts";
import { recordAbandonedCheck } from "#checks/record-abandoned-check.ts";
import { runCheck } from "#checks/run-check.ts";
import { openHostSlots } from "#host-limits/host-slots.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { failPreview, takePreview } from "#previews/take-preview.ts";
import type { Work } from "#queue/queue.ts";
import { shareFairly } from "#scheduling/fair-shares.ts";
import { crawlSite, giveUpCrawl } from "#sites/crawl-site.ts";
import type { CrawlDeps } from "#sites/deps.ts";
import { listSharedHosts } from "#storage/jobs.ts";
import type { App } from "../app.ts";
import { watchBrowser } from "../observability/watch-metrics.ts";
import { StartError } from "../startup/start-error.ts";

/** Slots reserved for accounts that hold none. */
const reserved = 1;

const browserRetryMs = 15_000;

export type WorkerSettings = Pick<ExecuteDeps, "confirmAfterMs"> & {
  capture?: ExecuteDeps["capture"];
  /** How sites are crawled, where that isn't as usual. */
  crawl?: Partial<Pick<CrawlDeps, "sliceMs" | "gapMs">> | undefined;
  /** How long to wait before a browser that didn't start is tried again. */
  retryMs?: number;
  openPool?: typeof BrowserPool.open;
};

/**
 * Runs checks until the queue is closed. Returns the function that closes the browser after that. While the browser
 * doesn't start, it is tried again, checks wait in the queue, and everything else goes on.
 */
export async function startCaptureWorker(
  app: App,
  settings: WorkerSettings = { confirmAfterMs: 4_000 },
): Promise<() => Promise<void>> {
  await using opening = new AsyncDisposableStack();
  const onError = (error: Error) => app.logger.warn({ err: error }, "database connection lost");
  const { capturesPerHost } = app.config;
  const { slots, choose } = shareFairly({
    openSlots: (widthOf) => openHostSlots(app.connectionString, onError, widthOf),
    widthOf: (host) => capturesPerHost.hosts.get(host) ?? capturesPerHost.all,
    listSharedHosts: () => listSharedHosts(app.db),
  });
  opening.defer(() => slots.close());
  const observe: ExecuteDeps["observe"] = ({ stages, result, way }) => {
    app.metrics.checks.inc({ result, way });
    for (const [stage, ms] of Object.entries(stages)) app.metrics.stages.observe({ stage }, ms / 1000);
  };
  const { confirmAfterMs } = settings;
  const http = createGuardedFetch(app.guard);
  opening.defer(() => http.close());
  const crawlWith = (capture: ExecuteDeps["capture"]): CrawlDeps => ({
    ...app.jobs,
    http,
    slots,
    capture,
    readerFor: (accountId) => app.detector.for(accountId),
    listCapturedLinks: (accountId, isWanted) => listCapturedLinks(app.jobs, accountId, isWanted),
    listScope: (accountId, jobId) => listScope(app.jobs, accountId, jobId),
    userAgent: `Watchglass/0.1 (+${app.config.baseUrl}/about)`,
    maxPerSecond: app.config.sitePerSecond,
    sliceMs: crawlSliceMs,
    ...settings.crawl,
  });
  const depsWith = (takeCapture: ExecuteDeps["capture"]): CheckDeps => ({
    ...app.jobs,
    crawl: crawlWith(takeCapture),
    detector: app.detector,
    slots,
    executionBatches: openExecutionBatches(app.jobs),
    confirmAfterMs,
    capture: (request, moments, accountId) =>
      app.tracing.span("capture", undefined, { host: hostOf(request.url) }, () =>
        takeCapture(request, moments, accountId),
      ),
    observe,
    observePostponed(error) {
      app.logger.warn({ err: error }, "a check waits until captures can be stored");
      app.metrics.checks.inc({ result: "postponed", way: "none" });
    },
  });
  if (settings.capture) await work(app, depsWith(settings.capture), choose);
  else opening.defer(await openCapture(app, settings, (capture) => work(app, depsWith(capture), choose)));
  const opened = opening.move();
  return () => opened.disposeAsync();
}

type CheckDeps = ExecuteDeps & { executionBatches: ExecutionBatches; crawl: CrawlDeps };
/** Crawls wait most of the time, so many share a worker. */
const crawlWidth = 16;
const crawlSliceMs = 15_000;

/** Takes checks and previews from the queue. */
async function work(app: App, deps: CheckDeps, choose: Work["choose"]): Promise<void> {
  const { captureConcurrency } = app.config;
  await app.queue.work(
    "execute",
    // Captures are compared and stored while the next pages are captured. Their number is limited to bound memory.
    {
      width: captureConcurrency + reserved,
      behind: 3 * captureConcurrency,
      maxSuspended: 16 * captureConcurrency,
      ...(choose && { choose }),
    },
    async (task, attempt, slot) => {
      try {
        await runCheck(deps, task, attempt, slot);
      } catch (error) {
        const details = { job: task.jobId, attempt: attempt.retryCount + 1 };
        if (error instanceof BrowserProblem)
          app.logger.warn({ ...details, reason: error.message }, "a check waits for a browser that starts");
        else app.logger.error({ ...details, err: error }, "a check failed on our side");
        throw error;
      }
    },
  );
  await app.queue.workDead("execute", async (task) => {
    await recordAbandonedCheck(deps, task);
    app.metrics.checks.inc({ result: "given_up", way: "none" });
  });
  await app.queue.work("crawl", { width: crawlWidth }, async (task, attempt) => {
    await crawlSite(deps.crawl, task, attempt).catch((error: unknown) => {
      app.logger.error({ job: task.jobId, err: error }, "a crawl failed on our side");
      throw error;
    });
  });
  await app.queue.workDead("crawl", (task) => giveUpCrawl(deps.crawl, task));
  await app.queue.work("preview", { width: 1 }, (task) => takePreview(deps, task));
  await app.queue.workDead("preview", (task) => failPreview(deps, task));
}

/** Traces show the operator only the host, because URLs may contain secrets. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : "");

/**
 * Opens what captures need, then calls `begin`; returns the function that closes it. A browser that doesn't start is
 * tried again in the background.
 */
async function openCapture(
  app: App,
  { retryMs = browserRetryMs, openPool = (options) => BrowserPool.open(options) }: WorkerSettings,
  begin: (capture: ExecuteDeps["capture"]) => Promise<void>,
): Promise<() => Promise<void>> {
  const { config, logger, guard } = app;
  await using opening = new AsyncDisposableStack();
  const http = createGuardedFetch(guard);
  opening.defer(() => http.close());
  const gateway = startGateway({ guard, logger });
  opening.defer(() => gateway.close());
  let pool: BrowserPool | undefined;
  opening.defer(async () => pool?.close());

  async function tryToBegin(): Promise<Error | undefined> {
    const options = {
      gateway,
      logger,
      chromiumPath: config.chromiumPath,
      concurrency: config.captureConcurrency + reserved,
      sandbox: config.captureSandbox,
      cacheDir: join(config.dataDir, "browser"),
    };
    const opened = await openPool(options).catch((error: Error) => error);
    if (opened instanceof Error) {
      app.browserProblem = opened.message;
      return opened;
    }
    pool = opened;
    app.browserProblem = undefined;
    watchBrowser(app, () => opened.metrics);
    const { detector } = app;
    await begin((request, moments, accountId = "") =>
      capture(
        { pool: opened, http, reader: detector.for(accountId), adHosts: config.adHosts, moments },
        request,
      ),
    );
    return undefined;
  }

  const problem = await tryToBegin();
  if (problem instanceof BrowserProblem && problem.isPermanent) throw new StartError(problem.message);
  if (problem) {
    const stop = new AbortController();
    const trying = keepTrying(problem, tryToBegin, { logger, retryMs, signal: stop.signal });
    opening.defer(async () => {
      stop.abort();
      await trying;
    });
  }
  const opened = opening.move();
  return () => opened.disposeAsync();
}

async function keepTrying(
  first: Error,
  tryOnce: () => Promise<Error | undefined>,
  { logger, retryMs, signal }: { logger: App["logger"]; retryMs: number; signal: AbortSignal },
): Promise<void> {
  const again = `The browser does not start. We'll try again every ${Math.ceil(retryMs / 1000)} s; checks wait until then.`;
  let reason = "";
  for (let problem: Error | undefined = first; problem; problem = await tryOnce()) {
    if (problem.message !== reason) logger.warn({ reason: problem.message }, again);
    reason = problem.message;
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}

import { join } from "node:path";
import { BrowserPool } from "#capture/browser-pool.ts";
import { capture } from "#capture/capture-page.ts";
import type { ExecuteDeps } from "#checks/deps.ts";
import { execute } from "#checks/execute.ts";
import { type Desk, openDesk } from "#checks/open-desk.ts";
import { recordDead } from "#checks/record-dead.ts";
import { giveUpPreview, takePreview } from "#checks/take-preview.ts";
import { takeTurns } from "#checks/take-turns.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { openHostSlots } from "#storage/host-slots.ts";
import { listSharedHosts } from "#storage/jobs.ts";
import type { App } from "./app.ts";
import { watchBrowser } from "./watch-metrics.ts";

/** Places that no account takes which has one already. */
const reserved = 1;

type Settings = Pick<ExecuteDeps, "confirmAfterMs"> & { capture?: ExecuteDeps["capture"] };

/** Executes checks until the queue is closed; answers how to give the browser back after that. */
export async function startCapturing(
  app: App,
  settings: Settings = { confirmAfterMs: 4_000 },
): Promise<() => Promise<void>> {
  await using opening = new AsyncDisposableStack();
  const onError = (error: Error) => app.logger.warn({ err: error }, "database connection lost");
  const { captureConcurrency, capturesPerHost } = app.config;
  const { slots, choose } = takeTurns({
    openSlots: (widthOf) => openHostSlots(app.connectionString, onError, widthOf),
    widthOf: (host) => capturesPerHost.hosts.get(host) ?? capturesPerHost.all,
    listSharedHosts: () => listSharedHosts(app.db),
  });
  opening.defer(() => slots.close());
  const take = settings.capture ?? (await openCapture(app, opening));
  const observe: ExecuteDeps["observe"] = ({ stages, result, way }) => {
    app.metrics.checks.inc({ result, way });
    for (const [stage, ms] of Object.entries(stages)) app.metrics.stages.observe({ stage }, ms / 1000);
  };
  const { confirmAfterMs } = settings;
  const deps: ExecuteDeps & { desk: Desk } = {
    ...app.jobs,
    detector: app.detector,
    slots,
    desk: openDesk(app.jobs),
    confirmAfterMs,
    capture: (request, moments, accountId) =>
      app.tracing.span("capture", undefined, { host: hostOf(request.url) }, () =>
        take(request, moments, accountId),
      ),
    observe,
  };
  await app.queue.work(
    "execute",
    // What is captured is compared and stored while the next is captured; not any number, so that memory stays bounded.
    {
      width: captureConcurrency + reserved,
      behind: 3 * captureConcurrency,
      mostAside: 16 * captureConcurrency,
      choose,
    },
    async (task, attempt, place) => {
      try {
        await execute(deps, task, attempt, place);
      } catch (error) {
        app.logger.error(
          { err: error, job: task.jobId, attempt: attempt.retryCount + 1 },
          "a check failed on our side",
        );
        throw error;
      }
    },
  );
  await app.queue.workDead("execute", async (task) => {
    await recordDead(deps, task);
    app.metrics.checks.inc({ result: "given_up", way: "none" });
  });
  await app.queue.work("preview", { width: 1 }, (task) => takePreview(deps, task));
  await app.queue.workDead("preview", (task) => giveUpPreview(deps, task));
  const opened = opening.move();
  return () => opened.disposeAsync();
}

/** Addresses may hold what is secret; traces are for the operator. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : "");

async function openCapture(app: App, opening: AsyncDisposableStack): Promise<ExecuteDeps["capture"]> {
  const { config, logger, guard } = app;
  const http = createGuardedFetch(guard);
  opening.defer(() => http.close());
  const gateway = startGateway({ guard, logger });
  opening.defer(() => gateway.close());
  const pool = await BrowserPool.open({
    gateway,
    logger,
    chromiumPath: config.chromiumPath,
    concurrency: config.captureConcurrency + reserved,
    sandbox: config.captureSandbox,
    cacheDir: join(config.dataDir, "browser"),
  });
  opening.defer(() => pool.close());
  watchBrowser(app, () => pool.metrics);
  return (request, moments, accountId = "") =>
    capture({ pool, http, reader: app.detector.for(accountId), moments }, request);
}

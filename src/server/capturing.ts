import { join } from "node:path";
import { BrowserPool } from "#capture/browser-pool.ts";
import { capture } from "#capture/capture-page.ts";
import type { ExecuteDeps } from "#checks/deps.ts";
import { execute } from "#checks/execute.ts";
import { recordDead } from "#checks/record-dead.ts";
import { giveUpPreview, takePreview } from "#checks/take-preview.ts";
import { takeTurns } from "#checks/take-turns.ts";
import type { Stages } from "#contract/job.ts";
import { startGateway } from "#network/egress-gateway.ts";
import { createGuardedFetch } from "#network/guarded-fetch.ts";
import { openHostSlots } from "#storage/host-slots.ts";
import type { App } from "./app.ts";

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
  const { slots, choose } = takeTurns(
    (widthOf) => openHostSlots(app.connectionString, onError, widthOf),
    (host) => capturesPerHost.hosts.get(host) ?? capturesPerHost.all,
  );
  opening.defer(() => slots.close());
  const take = settings.capture ?? (await openCapture(app, opening));
  const observe = (stages: Stages) => {
    app.metrics.checks.inc();
    for (const [stage, ms] of Object.entries(stages)) app.metrics.stages.inc({ stage }, ms / 1000);
  };
  const { confirmAfterMs } = settings;
  const deps: ExecuteDeps = {
    ...app.jobs,
    detector: app.detector,
    slots,
    confirmAfterMs,
    capture: take,
    observe,
  };
  await app.queue.work(
    "execute",
    // What is captured is compared and stored while the next is captured; not any number, so that memory stays bounded.
    { width: captureConcurrency + reserved, behind: 2 * captureConcurrency, choose },
    async (task, attempt, leave) => {
      try {
        await execute(deps, task, attempt, leave);
      } catch (error) {
        app.logger.error(
          { err: error, job: task.jobId, attempt: attempt.retryCount + 1 },
          "a check failed on our side",
        );
        throw error;
      }
    },
  );
  await app.queue.workDead("execute", (task) => recordDead(deps, task));
  await app.queue.work("preview", { width: 1 }, (task) => takePreview(deps, task));
  await app.queue.workDead("preview", (task) => giveUpPreview(deps, task));
  const opened = opening.move();
  return () => opened.disposeAsync();
}

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
  return (request) => capture({ pool, http, reader: app.detector }, request);
}

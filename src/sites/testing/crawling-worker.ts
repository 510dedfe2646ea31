// A worker that crawls sites without a pause, until a test kills it.

import { startCaptureWorker } from "#server/background-tasks/start-capture-worker.ts";
import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/observability/logger.ts";
import { compose } from "#server/startup/compose.ts";

const app = await compose(readConfig(process.env), createLogger("silent"));
await startCaptureWorker(app, {
  confirmAfterMs: 0,
  capture: () => Promise.reject(new Error("no page of the shop needs a browser")),
  crawl: { gapMs: 0 },
});

// A worker that takes a check, prints "capturing" and never finishes it: a test kills it.

import { startCaptureWorker } from "../background-tasks/start-capture-worker.ts";
import { readConfig } from "../config.ts";
import { createLogger } from "../observability/logger.ts";
import { compose } from "../startup/compose.ts";

const app = await compose(readConfig(process.env), createLogger("silent"));
await startCaptureWorker(app, {
  confirmAfterMs: 0,
  capture() {
    process.stdout.write("capturing\n");
    return new Promise(() => undefined);
  },
});

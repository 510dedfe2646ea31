// A worker whose captures are one recorded snapshot: all of our own code runs, and nothing outside is contacted.
import type { CaptureResult } from "#capture/capture-page.ts";
import { createStandInSite, html, story } from "#checks/testing/page.ts";
import { startCaptureWorker } from "#server/background-tasks/start-capture-worker.ts";
import { startDuties } from "#server/background-tasks/start-duties.ts";
import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/observability/logger.ts";
import { compose } from "#server/startup/compose.ts";

const app = await compose(readConfig(process.env), createLogger("error"));
const site = createStandInSite();
site.page.html = html(...story);
const recorded = new Map<string, Promise<CaptureResult>>();
await startDuties(app, ({ role, name }) => role === "worker" && name !== "execute");
await startCaptureWorker(app, {
  confirmAfterMs: 0,
  capture(request) {
    const key = new URL(request.url).pathname.slice(0, 2);
    const result = recorded.get(key) ?? site.capture(request);
    recorded.set(key, result);
    return result;
  },
});
process.stdout.write("ready\n");
process.on("SIGTERM", () => void app.close().then(() => process.exit(0)));

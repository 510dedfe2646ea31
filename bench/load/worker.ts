// A worker whose captures are one recorded snapshot: all that is ours is at work, nothing outside is.
import type { CaptureResult } from "#capture/capture-page.ts";
import { html, standInPage, story } from "#checks/testing/page.ts";
import { startCapturing } from "#server/capturing.ts";
import { compose } from "#server/compose.ts";
import { readConfig } from "#server/config.ts";
import { createLogger } from "#server/logger.ts";
import { startDuties } from "#server/start-duties.ts";

const app = await compose(readConfig(process.env), createLogger("error"));
const site = standInPage();
site.page.html = html(...story);
const recorded = new Map<string, Promise<CaptureResult>>();
await startDuties(app, ({ role, name }) => role === "worker" && name !== "execute");
await startCapturing(app, {
  confirmAfterMs: 0,
  capture(request) {
    const key = new URL(request.url).pathname.slice(0, 2);
    const known = recorded.get(key) ?? site.capture(request);
    recorded.set(key, known);
    return known;
  },
});
process.stdout.write("ready\n");
process.on("SIGTERM", () => void app.close().then(() => process.exit(0)));

import { chmod, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { createMetrics, readMetrics } from "../observability/metrics.ts";
import { startEngine } from "./engine.ts";

let database: Awaited<ReturnType<typeof copyDatabase>>;
let folder: string;
beforeAll(async () => {
  database = await copyDatabase();
  folder = await mkdtemp(join(database.scratch, "watchglass-thread-"));
  await chmod(folder, 0o711);
});
afterAll(() => database.drop());

const start = (extraEnvironment: NodeJS.ProcessEnv = {}) => {
  const metrics = createMetrics();
  const environment = {
    DATA_DIR: folder,
    LOG_LEVEL: "warn",
    CHROMIUM_PATH: process.env.CHROMIUM_PATH,
    ...extraEnvironment,
  };
  const { connectionString } = database;
  return { metrics, starting: startEngine({ connectionString, metrics }, environment, {}) };
};

test("the engine thread adds its metrics to the process's metrics, and ends when it is stopped", async () => {
  const { metrics, starting } = start();
  const stop = await starting;
  metrics.mails.inc({ result: "sent" });
  // A browser that doesn't start at once, as on a busy machine, is tried again.
  await expect
    .poll(() => readMetrics(metrics), { timeout: 60_000, interval: 500 })
    .toContain("watchglass_browser_launches_total 1");
  const [first, second] = await Promise.all([readMetrics(metrics), readMetrics(metrics)]);
  expect(first).toMatch(/^watchglass_browser_pages\{state="free"\} \d+$/m);
  expect(first).toMatch(/^watchglass_mails_total\{result="sent"\} 1$/m);
  expect(first.match(/^process_resident_memory_bytes /gm)).toHaveLength(1);
  expect(second).toContain("watchglass_browser_launches_total 1");
  await stop();
});

test("an engine that can't start fails with a message that names the cause", async () => {
  const { starting } = start({ CHROMIUM_PATH: join(folder, "nothing") });
  await expect(starting).rejects.toThrow(/nothing/);
});

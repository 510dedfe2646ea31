import { chmod, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyDatabase } from "#storage/testing/copy-database.ts";
import { startEngine } from "./engine.ts";
import { createMetrics, readMetrics } from "./metrics.ts";

let database: Awaited<ReturnType<typeof copyDatabase>>;
let folder: string;
beforeAll(async () => {
  database = await copyDatabase();
  folder = await mkdtemp(join(database.scratch, "watchglass-thread-"));
  await chmod(folder, 0o711);
});
afterAll(() => database.drop());

const start = (more: NodeJS.ProcessEnv = {}) => {
  const metrics = createMetrics();
  const environment = {
    DATA_DIR: folder,
    LOG_LEVEL: "warn",
    CHROMIUM_PATH: process.env.CHROMIUM_PATH,
    ...more,
  };
  const { connectionString } = database;
  return { metrics, starting: startEngine({ connectionString, metrics }, environment, {}) };
};

test("the engine beside the calls adds its figures to the process's, and ends when told to", async () => {
  const { metrics, starting } = start();
  const stop = await starting;
  metrics.mails.inc({ result: "sent" });
  const [one, other] = await Promise.all([readMetrics(metrics), readMetrics(metrics)]);
  expect(one).toMatch(/^watchglass_browser_pages\{state="free"\} \d+$/m);
  expect(one).toMatch(/^watchglass_mails_total\{result="sent"\} 1$/m);
  expect(one.match(/^process_resident_memory_bytes /gm)).toHaveLength(1);
  expect(other).toContain("watchglass_browser_launches_total 1");
  await stop();
});

test("what keeps the engine from starting is said in its own sentence", async () => {
  const { starting } = start({ CHROMIUM_PATH: join(folder, "nothing") });
  await expect(starting).rejects.toThrow(/nothing/);
});

import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { spawnWorker } from "#checks/testing/spawn-worker.ts";
import { openShop } from "./testing/watch-site.ts";

const kills = 20;
// The tasks of a dead worker are taken over after the shortest heartbeat that the queue allows.
const tuning = { heartbeatSeconds: 10, superviseSeconds: 1 };

test("a crawl whose process is killed twenty times loses and doubles nothing", {
  timeout: 900_000,
}, async () => {
  const shop = await openShop({ sections: 6, perSection: 20, traps: [] });
  const engine = await startTestEngine({ capturing: false, tuning });
  const { db } = engine.app;
  const startWorker = () =>
    spawnWorker(join(import.meta.dirname, "testing/crawling-worker.ts"), engine.app.config);
  const { createJob, executionsOf, call } = await engine.person();
  const id = await createJob({ url: shop.url("/"), site: { maxPages: 1000, perSecond: 10 } });
  for (let kill = 0; kill < kills; kill++) {
    const before = shop.requests.length;
    const worker = startWorker();
    while (shop.requests.length < before + 5) {
      await sql`update pgboss.job set start_after = now() where name = 'crawl' and state = 'retry'`.execute(
        db,
      );
      await sleep(20);
    }
    worker.kill("SIGKILL");
    await once(worker, "exit");
    // Nobody waits for the pauses between attempts, which grow to minutes.
    await sql`update pgboss.job set heartbeat_on = now() - interval '1 hour', start_after = now()
      where name = 'crawl' and state in ('active', 'retry')`.execute(db);
  }
  const hurry = setInterval(() => {
    void sql`update pgboss.job set start_after = now() where name = 'crawl' and state = 'retry'`.execute(db);
  }, 1000);
  const last = startWorker();
  try {
    while ((await executionsOf(id)).length === 0) await sleep(200);
  } finally {
    clearInterval(hurry);
    last.kill("SIGKILL");
    await once(last, "exit");
  }
  const executions = await executionsOf(id);
  expect(executions).toMatchObject([{ summary: "First capture", error: null }]);
  const text = await call("GET", `/api/jobs/${id}/executions/${executions[0]?.id}/text`);
  const lines = text.raw.toString().split("\n");
  const paths = lines.map((line) => new URL(line.split("\t")[0] ?? "").pathname);
  expect(paths.sort()).toEqual([...shop.reachable].sort());
  expect(lines.every((line) => line.includes("\t200\t"))).toBe(true);
  const runs = await db
    .selectFrom("site_runs")
    .select(["number", "requested"])
    .where("job_id", "=", id)
    .execute();
  expect(runs).toEqual([{ number: 1, requested: shop.reachable.length }]);
  // Only requests that were under way when a process ended were made again.
  const pages = shop.requests.filter(({ path }) => shop.reachable.includes(path));
  expect(pages.length).toBeLessThanOrEqual(shop.reachable.length + kills);
  await engine.close();
});

import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { spawnWorker } from "#checks/testing/spawn-worker.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { migrate } from "#storage/migrations/migrate.ts";
import { startCaptureWorker } from "./background-tasks/start-capture-worker.ts";
import { startDuties } from "./background-tasks/start-duties.ts";

// The tasks of a dead worker are taken over after the queue's shortest allowed heartbeat. Both tests wait concurrently.
const tuning = { heartbeatSeconds: 10, superviseSeconds: 1 };
const concurrent = { concurrent: true };

async function until(name: string, condition: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 180_000;
  while (performance.now() < end) {
    if (await condition().catch(() => false)) return;
    await sleep(250);
  }
  throw new Error(`${name} did not happen`);
}

test(
  "R3 when a worker is killed with SIGKILL during a capture, another worker runs the check exactly once",
  concurrent,
  async () => {
    const engine = await startTestEngine({ capturing: false, tuning });
    const worker = spawnWorker(join(import.meta.dirname, "testing/doomed-worker.ts"), engine.app.config);
    try {
      const { createJob, executionsOf, execution, call } = await engine.person();
      const jobId = await createJob();
      await once(worker.stdout, "data");
      worker.kill("SIGKILL");
      await once(worker, "exit");
      expect((await call("GET", `/api/jobs/${jobId}`)).body).toMatchObject({ activity: "running" });
      const stop = await startCaptureWorker(engine.app, { capture: engine.site.capture, confirmAfterMs: 0 });
      await until("recovery", async () => (await executionsOf(jobId)).length === 1);
      expect(await execution(jobId, 1)).toMatchObject({ attempts: 2, summary: "First capture" });
      await sleep(500);
      expect(await executionsOf(jobId)).toHaveLength(1);
      expect(engine.site.requests).toHaveLength(2);
      await engine.close();
      await stop();
    } finally {
      worker.kill("SIGKILL");
    }
  },
);

test(
  "R8 while the database restarts readiness fails; then work resumes by itself, with no check lost or repeated",
  concurrent,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "watchglass-restart-"));
    await chmod(folder, 0o711);
    let postgres = await startEmbeddedPostgres(folder);
    await migrate(postgres.connectionString);
    const engine = await startTestEngine({ database: postgres.connectionString, tuning });
    const scheduler = await startDuties(engine.app, ({ role }) => role === "scheduler");
    try {
      engine.site.page.html = html(...story);
      const { createJob, execution, executionsOf, run } = await engine.person();
      const idleJob = await createJob();
      await execution(idleJob, 1);
      const release = engine.site.pause();
      const runningJob = await createJob();
      await until("capture", async () => engine.site.requests.at(-1)?.url.endsWith("/2") === true);
      await postgres.stop();
      expect((await engine.call("GET", "/readyz")).status).toBe(503);
      release();
      await sleep(500);
      postgres = await startEmbeddedPostgres(folder);
      await until("readiness", async () => (await engine.call("GET", "/readyz")).status === 200);
      await until("the interrupted check", async () => (await executionsOf(runningJob)).length === 1);
      expect(await executionsOf(idleJob)).toHaveLength(1);
      await sql`update schedules set next_run_at = now() where job_id = ${idleJob}`.execute(engine.app.db);
      await until("the schedule", async () => (await executionsOf(idleJob)).length === 2);
      engine.site.page.html = html(...story, "Something that was not here before the restart.");
      expect(await run(idleJob)).toMatchObject({ changed: true });
      expect(await executionsOf(runningJob)).toHaveLength(1);
    } finally {
      await scheduler.end();
      await engine.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

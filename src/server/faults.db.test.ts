import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { execute } from "#jobs/execute.ts";
import { recordDead } from "#jobs/record-dead.ts";
import { startTestEngine } from "#jobs/testing/engine.ts";
import { html, standInPage, story } from "#jobs/testing/page.ts";
import { migrate } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { startCapturing } from "./capturing.ts";
import { startScheduler } from "./scheduler.ts";

// A lease is thirty seconds; what is claimed by the dead is taken up within ninety.
const patience = { timeout: 150_000 };

async function until(what: string, ask: () => Promise<unknown>, seconds = 90): Promise<void> {
  for (let i = 0; i < seconds * 4; i++) {
    if (await ask().catch(() => false)) return;
    await sleep(250);
  }
  throw new Error(`${what} did not happen`);
}

test("R3 a worker killed -9 in mid-capture: the check is made by another, once", patience, async () => {
  const engine = await startTestEngine({ capturing: false });
  const { config } = engine.app;
  const worker = spawn(process.execPath, [join(import.meta.dirname, "testing/doomed-worker.ts")], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: config.databaseUrl,
      DATA_DIR: config.dataDir,
      EGRESS_ALLOW: "127.0.0.0/8",
      SESSION_SECRET: config.sessionSecret,
      DATA_KEY: config.dataKeys?.join(","),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const { createJob, executionsOf, execution, call } = await engine.person();
    const jobId = await createJob();
    await once(worker.stdout, "data");
    worker.kill("SIGKILL");
    await once(worker, "exit");
    expect((await call("GET", `/api/jobs/${jobId}`)).body).toMatchObject({ activity: "running" });
    const stop = await startCapturing(engine.app, { capture: engine.site.capture, confirmAfterMs: 0 });
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
});

test("R3 an attempt that lost its claim writes nothing", async () => {
  const engine = await startTestEngine({ capturing: false });
  const { createJob, executionsOf, accountId, call } = await engine.person();
  const slots = { take: async () => async () => undefined, close: async () => undefined };
  const done = Promise.withResolvers<void>();
  await engine.app.queue.work("execute", {}, async (task, attempt) => {
    await sql`update pgboss.job set retry_count = retry_count + 1 where id = ${attempt.id}`.execute(
      engine.app.db,
    );
    await execute(
      { ...engine.app.jobs, slots, capture: engine.site.capture, confirmAfterMs: 0 },
      task,
      attempt,
    );
    done.resolve();
  });
  const jobId = await createJob();
  await done.promise;
  expect(await executionsOf(jobId)).toEqual([]);
  expect((await call("GET", "/api/analytics/job_statistics")).body).toEqual([
    { job_name: "Job 1", logs: 0, executions: 0, errors: 0 },
  ]);
  const kept = await engine.app.db
    .selectFrom("contents")
    .select("refs")
    .where("account_id", "=", accountId)
    .where("depth", "=", 0)
    .execute();
  expect(kept.filter(({ refs }) => refs > 1)).toEqual([]);
  await engine.close();
});

test("R4 a check that fails on our side for good is seen, and the job goes on", async () => {
  const engine = await startTestEngine();
  const { createJob, execution, logsOf, run } = await engine.person();
  const jobId = await createJob();
  await execution(jobId, 1);
  await recordDead(engine.app.jobs, { jobId });
  expect(await execution(jobId, 2)).toMatchObject({
    error: "The check could not be made: 5 attempts failed on our side.",
    attempts: 5,
  });
  expect((await logsOf(jobId))[0]).toBe(
    "[error] The check could not be made: 5 attempts failed on our side.",
  );
  expect(await run(jobId)).toMatchObject({ error: null, changed: false });
  await engine.close();
});

test("R8 disk full for blobs: nothing is recorded until there is room, then once", patience, async () => {
  const engine = await startTestEngine({ capturing: false });
  let full = true;
  const { blobs } = engine.app.jobs;
  engine.app.jobs.blobs = {
    ...blobs,
    put: async (owner, bytes) => {
      if (full) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      return blobs.put(owner, bytes);
    },
  };
  const stop = await startCapturing(engine.app, { capture: engine.site.capture, confirmAfterMs: 0 });
  const { createJob, executionsOf, execution, call, accountId } = await engine.person();
  const jobId = await createJob();
  await until("a failed attempt", async () =>
    engine.log.some((line) => line.includes("a check failed on our side")),
  );
  expect(await executionsOf(jobId)).toEqual([]);
  full = false;
  const { id } = await engine.waitFor("execution", async () => (await executionsOf(jobId))[0]);
  expect(await execution(jobId, 1)).toMatchObject({ summary: "First capture" });
  expect(await executionsOf(jobId)).toHaveLength(1);
  expect((await call("GET", `/api/jobs/${jobId}/executions/${id}/image`)).status).toBe(200);
  const rows = await engine.app.db
    .selectFrom("contents")
    .selectAll()
    .where("account_id", "=", accountId)
    .execute();
  for (const { blob } of rows) expect(await blobs.has(accountId, blob)).toBe(true);
  await engine.close();
  await stop();
});

test(
  "R8 the database restarts: not ready meanwhile, nothing lost, nothing twice, and it goes on unaided",
  patience,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "watchglass-restart-"));
    await chmod(folder, 0o711);
    let postgres = await startEmbeddedPostgres(folder);
    await migrate(postgres.connectionString);
    const engine = await startTestEngine({ database: postgres.connectionString });
    const stopScheduler = startScheduler(engine.app);
    try {
      engine.site.page.html = html(...story);
      const { createJob, execution, executionsOf, run } = await engine.person();
      const quiet = await createJob();
      await execution(quiet, 1);
      const go = engine.site.pause();
      const busy = await createJob();
      await until("capture", async () => engine.site.requests.at(-1)?.url.endsWith("/2") === true);
      await postgres.stop();
      expect((await engine.call("GET", "/readyz")).status).toBe(503);
      go();
      await sleep(500);
      postgres = await startEmbeddedPostgres(folder);
      await until("readiness", async () => (await engine.call("GET", "/readyz")).status === 200);
      await until("the interrupted check", async () => (await executionsOf(busy)).length === 1);
      expect(await executionsOf(quiet)).toHaveLength(1);
      await sql`update jobs set next_run_at = now() where id = ${quiet}`.execute(engine.app.db);
      await until("the schedule", async () => (await executionsOf(quiet)).length === 2);
      engine.site.page.html = html(...story, "Something that was not here before the restart.");
      expect(await run(quiet)).toMatchObject({ changed: true });
      expect(await executionsOf(busy)).toHaveLength(1);
    } finally {
      await stopScheduler();
      await engine.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test("a crashed browser is a failed check, and the next one is fine", async () => {
  const engine = await startTestEngine();
  const { createJob, execution, run } = await engine.person();
  const jobId = await createJob();
  await execution(jobId, 1);
  engine.site.next.push({
    failure: { kind: "crashed", message: "The page crashed the browser.", transient: true },
  });
  expect(await run(jobId)).toMatchObject({ error: "The page crashed the browser.", changed: false });
  expect(await run(jobId)).toMatchObject({ error: null, changed: false });
  await engine.close();
});

test("R7 captures of one host never run more than two at a time", async () => {
  const engine = await startTestEngine({ capturing: false, concurrency: 6 });
  const site = standInPage();
  let now = 0;
  let most = 0;
  const stop = await startCapturing(engine.app, {
    confirmAfterMs: 0,
    capture: async (request) => {
      most = Math.max(most, ++now);
      await sleep(150);
      now--;
      return site.capture(request);
    },
  });
  const { createJob, executionsOf } = await engine.person();
  const ids = await Promise.all(Array.from({ length: 6 }, () => createJob()));
  await until(
    "all",
    async () => (await Promise.all(ids.map(executionsOf))).every((list) => list.length === 1),
    60,
  );
  expect(most).toBe(2);
  await engine.close();
  await stop();
});

import { execFileSync, spawnSync } from "node:child_process";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import type { Evidence } from "#capture/plain-http/http-evidence.ts";
import { until } from "#channels/testing/listen.ts";
import { openExecutionBatches } from "#checks/execution-batches.ts";
import { runCheck } from "#checks/run-check.ts";
import { startTestEngine } from "#checks/testing/engine.ts";
import { createStandInSite, html, story } from "#checks/testing/page.ts";
import { makeDue } from "#queue/testing/make-due.ts";
import { openBlobs } from "#storage/blobs.ts";
import { startS3 } from "#storage/testing/start-s3.ts";
import { startCaptureWorker } from "./background-tasks/start-capture-worker.ts";

// Each test starts the whole product.
vi.setConfig({ testTimeout: 60_000 });

type Engine = Awaited<ReturnType<typeof startTestEngine>>;

/** Makes delayed retries due now. */
const makeRetriesDue = ({ app }: Engine) => makeDue(app.db, sql`name = 'execute'`);

const failedAttempts = ({ log }: Engine) => log.filter((line) => line.includes("a check failed on our side"));

// A job's first capture is confirmed by a second one, in an attempt of its own, which records it.
test.for(["capture", "confirmation"])(
  "R3 an attempt that lost its claim at its %s writes nothing",
  async (moment) => {
    const engine = await startTestEngine({ capturing: false });
    const { createJob, executionsOf, accountId, call } = await engine.person();
    const slots = { take: async () => async () => undefined, close: async () => undefined };
    const done = Promise.withResolvers<void>();
    await engine.app.queue.work("execute", {}, async (task, attempt) => {
      const isLost = (moment === "confirmation") === Boolean(task.confirmation);
      if (isLost)
        await sql`update pgboss.job set retry_count = retry_count + 1 where id = ${attempt.id}`.execute(
          engine.app.db,
        );
      await runCheck(
        {
          ...engine.app.jobs,
          slots,
          executionBatches: openExecutionBatches(engine.app.jobs),
          capture: engine.site.capture,
          confirmAfterMs: 0,
        },
        task,
        attempt,
      );
      if (isLost) done.resolve();
    });
    const jobId = await createJob();
    await done.promise;
    expect(await executionsOf(jobId)).toEqual([]);
    expect((await call("GET", "/api/analytics/job_statistics")).body).toEqual([
      { job_name: "Job 1", logs: 0, executions: 0, errors: 0 },
    ]);
    const contents = await engine.app.db
      .selectFrom("contents")
      .select("refs")
      .where("account_id", "=", accountId)
      .where("depth", "=", 0)
      .execute();
    expect(contents.filter(({ refs }) => refs > 1)).toEqual([]);
    await engine.close();
  },
);

test("R4 a check that fails on our side five times is recorded and logged as failed, and the job goes on", async () => {
  const engine = await startTestEngine({ capturing: false });
  let broken = true;
  const stop = await startCaptureWorker(engine.app, {
    confirmAfterMs: 0,
    capture: async (request) => {
      if (broken) throw new Error("a bug of ours");
      return engine.site.capture(request);
    },
  });
  const { createJob, execution, executionsOf, logsOf, run, call } = await engine.person();
  const jobId = await createJob();
  const failed = await engine.waitFor("the dead letter", async () => {
    await makeRetriesDue(engine);
    return (await executionsOf(jobId))[0];
  });
  const message =
    "The check could not be made: 5 attempts failed on our side. The next one runs as scheduled.";
  expect(failed).toMatchObject({ error: message, summary: message, attempts: 5, changed: false });
  expect(failedAttempts(engine)).toHaveLength(5);
  expect((await logsOf(jobId))[0]).toBe(`[error] ${message}`);
  expect((await call("GET", `/api/jobs/${jobId}`)).body).toMatchObject({ activity: "idle", failures: 1 });
  broken = false;
  expect(await run(jobId)).toMatchObject({ error: null, summary: "First capture" });
  expect(await executionsOf(jobId)).toHaveLength(2);
  expect(await execution(jobId, 2)).toMatchObject({ attempts: 1 });
  await engine.close();
  await stop();
});

/** A disk that can be filled up: a real one if we may mount it, otherwise a stand-in that fails in the same way. */
async function smallDisk() {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-disk-"));
  const isReal = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]).status === 0;
  const blobs = await openBlobs(pathToFileURL(join(folder, "blobs")));
  const filler = join(folder, "filler");
  let isFull = false;
  async function refuse() {
    if (isFull) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  }
  return {
    blobs: isReal
      ? blobs
      : {
          ...blobs,
          put: async (owner: string, bytes: Uint8Array) => (await refuse(), blobs.put(owner, bytes)),
          probe: async () => (await refuse(), blobs.probe()),
        },
    async fill() {
      isFull = true;
      const error = isReal ? await appendFile(filler, Buffer.alloc(2_000_000)).catch(String) : "ENOSPC";
      expect(error).toContain("ENOSPC");
    },
    async free() {
      isFull = false;
      await rm(filler, { force: true });
    },
    async remove() {
      if (isReal) execFileSync("umount", ["-l", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test("R8 with a full disk a check is recorded once, after space is free, and no stored capture is lost", async () => {
  const disk = await smallDisk();
  const engine = await startTestEngine({ capturing: false });
  engine.app.jobs.blobs = disk.blobs;
  const stop = await startCaptureWorker(engine.app, { capture: engine.site.capture, confirmAfterMs: 0 });
  try {
    const { createJob, executionsOf, execution, logsOf, call, accountId } = await engine.person();
    const partStatuses = async (jobId: string, { id }: { id: string }) =>
      Promise.all(
        ["image", "html"].map(
          async (part) => (await call("GET", `/api/jobs/${jobId}/executions/${id}/${part}`)).status,
        ),
      );
    const earlyJob = await createJob();
    const storedExecution = await execution(earlyJob, 1);

    await disk.fill();
    Object.assign(engine.site.page, { html: html(...story), shade: 90 });
    const lateJob = await createJob();
    // More often than a check is attempted: waiting for the store is no failed attempt.
    await engine.waitFor("a check that waits", async () => {
      await makeRetriesDue(engine);
      return engine.log.filter((line) => line.includes("until captures can be stored")).length > 6;
    });
    expect(failedAttempts(engine)).toEqual([]);
    expect((await logsOf(lateJob)).filter((line) => line.includes("could not be stored"))).toHaveLength(1);
    expect(engine.log.filter((line) => line.includes("ENOSPC")).length).toBeGreaterThan(0);
    expect(await executionsOf(lateJob)).toEqual([]);
    // A failed attempt deletes what it wrote, which frees that much space, so the disk is filled up again.
    await engine.waitFor("a full disk to be seen", async () => {
      await disk.fill();
      const { status, body } = await call("GET", "/readyz");
      return status === 200 && body.problem === ("Captures cannot be stored." as never);
    });
    expect(await partStatuses(earlyJob, storedExecution)).toEqual([200, 200]);

    await disk.free();
    const recovered = await engine.waitFor("recovery", async () => {
      await makeRetriesDue(engine);
      return (await executionsOf(lateJob))[0];
    });
    expect(await executionsOf(lateJob)).toMatchObject([
      { summary: "First capture", error: null, attempts: 1 },
    ]);
    expect(await partStatuses(lateJob, recovered)).toEqual([200, 200]);
    expect(await partStatuses(earlyJob, storedExecution)).toEqual([200, 200]);
    const rows = await engine.app.db
      .selectFrom("contents")
      .select("blob")
      .where("account_id", "=", accountId)
      .execute();
    for (const { blob } of rows) expect(await disk.blobs.has(accountId, blob)).toBe(true);
  } finally {
    await engine.close();
    await stop();
    await disk.remove();
  }
});

test("R8 while the bucket is away no check is given up and calls are answered; then the checks go on", async () => {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-bucket-"));
  let bucket = await startS3(folder);
  const { port } = bucket;
  const address = `s3://S3RVER:S3RVER@captures/below?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`;
  const engine = await startTestEngine({ environment: { BLOB_STORE: address } });
  const { createJob, execution, executionsOf, call, run } = await engine.person();
  engine.site.page.html = html(...story);
  const ids = [await createJob(), await createJob()];
  for (const id of ids) await execution(id, 1);
  await bucket.close();
  engine.site.page.html = html(...story, "Something that came while the bucket was away.");
  engine.site.page.shade = 90;
  for (const id of ids) await call("POST", `/api/jobs/${id}/run`);
  // More often than a check is attempted.
  await engine.waitFor("checks that wait", async () => {
    await makeRetriesDue(engine);
    return engine.log.filter((line) => line.includes("until captures can be stored")).length > 12;
  });
  expect(await call("GET", "/readyz")).toMatchObject({
    status: 200,
    body: { problem: "Captures cannot be stored." },
  });
  for (const id of ids) expect(await executionsOf(id)).toHaveLength(1);
  bucket = await startS3(folder, { port });
  for (const id of ids) {
    await engine.waitFor("the check", async () => {
      await makeRetriesDue(engine);
      return (await executionsOf(id)).length === 2;
    });
    expect(await execution(id, 2)).toMatchObject({ changed: true, error: null, attempts: 1 });
    // The store is asked at most once a second.
    await expect.poll(async () => (await call("GET", "/readyz")).body).not.toHaveProperty("problem");
    expect(await run(id)).toMatchObject({ summary: "No change" });
  }
  expect(failedAttempts(engine)).toEqual([]);
  await engine.close();
  await bucket.close();
  await rm(folder, { recursive: true });
});

test("R9 a baseline lost from storage is logged and replaced, and later changes are detected again", async () => {
  const engine = await startTestEngine();
  const { createJob, execution, executionsOf, logsOf, call, run } = await engine.person();
  engine.site.page.html = html(...story);
  const jobId = await createJob();
  await execution(jobId, 1);
  await rm(join(engine.app.config.dataDir, "blobs"), { recursive: true });
  await openBlobs(pathToFileURL(join(engine.app.config.dataDir, "blobs")));
  engine.site.page.html = html(...story, "Something that came when the store was empty.");
  await call("POST", `/api/jobs/${jobId}/run`);
  await engine.waitFor("the next check", async () => {
    await makeRetriesDue(engine);
    return (await executionsOf(jobId)).length === 2;
  });
  expect(await execution(jobId, 2)).toMatchObject({ error: null, attempts: 2 });
  expect(await logsOf(jobId)).toContain(
    "[error] The previous capture is missing from storage: this one is the new baseline",
  );
  engine.site.page.html = html(...story, "Something that came after.");
  expect(await run(jobId)).toMatchObject({ changed: true, error: null });
  await engine.close();
});

test("R1 after a failed confirmation the next check reports the change, even if the server answers 304", async () => {
  const engine = await startTestEngine({ capturing: false });
  const { site, app } = engine;
  site.page.html = html(...story);
  const notModified = { status: 304, headers: [], redirects: [], timing: {} };
  const stop = await startCaptureWorker(app, {
    confirmAfterMs: 0,
    async capture(request) {
      const evidence = { validator: site.page.html } as Evidence;
      if (request.previous?.validator === evidence.validator)
        return {
          ok: true,
          unchanged: true,
          seen: { ...notModified, url: request.url, finalUrl: request.url },
          evidence,
        };
      const result = await site.capture(request);
      return result.ok ? { ...result, evidence } : result;
    },
  });
  const { createJob, execution, run } = await engine.person();
  const jobId = await createJob();
  await execution(jobId, 1);
  expect(await run(jobId)).toMatchObject({ changed: false, summary: "No change" });
  site.page.html = html(...story, "Something that was not here before.");
  site.next.push(
    {},
    { failure: { kind: "crashed", message: "The browser crashed while it opened the page." } },
  );
  expect(await run(jobId)).toMatchObject({ changed: false, summary: "A change could not be confirmed" });
  expect(await run(jobId)).toMatchObject({ changed: true });
  await engine.close();
  await stop();
});

test("a crashed browser makes the check fail, and the next check succeeds", async () => {
  const engine = await startTestEngine();
  const { createJob, execution, run } = await engine.person();
  const jobId = await createJob();
  await execution(jobId, 1);
  engine.site.next.push({
    failure: { kind: "crashed", message: "The browser crashed while it opened the page." },
  });
  expect(await run(jobId)).toMatchObject({
    error: "The browser crashed while it opened the page.",
    changed: false,
  });
  expect(await run(jobId)).toMatchObject({ error: null, changed: false });
  await engine.close();
});

test("R7 captures of one host never run more than two at a time", async () => {
  const engine = await startTestEngine({ capturing: false, concurrency: 6 });
  const site = createStandInSite();
  let running = 0;
  let maxRunning = 0;
  const stop = await startCaptureWorker(engine.app, {
    confirmAfterMs: 0,
    capture: async (request) => {
      maxRunning = Math.max(maxRunning, ++running);
      await sleep(150);
      running--;
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
  expect(maxRunning).toBe(2);
  await engine.close();
  await stop();
});

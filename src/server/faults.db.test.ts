import { execFileSync, spawnSync } from "node:child_process";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import type { Evidence } from "#capture/evidence.ts";
import { execute } from "#checks/execute.ts";
import { openDesk } from "#checks/open-desk.ts";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, standInPage, story } from "#checks/testing/page.ts";
import { until } from "#delivery/testing/listen.ts";
import { openBlobs } from "#storage/blobs.ts";
import { startCapturing } from "./capturing.ts";

// Each starts the whole product.
vi.setConfig({ testTimeout: 60_000 });

type Engine = Awaited<ReturnType<typeof startTestEngine>>;

/** Retries that are put off are due now. */
const hurry = ({ app }: Engine) =>
  sql`update pgboss.job set start_after = now() where name = 'execute' and state < 'active' and start_after > now()`.execute(
    app.db,
  );

const failedAttempts = ({ log }: Engine) =>
  log.filter((line) => line.includes("a check failed on our side")).length;

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
      {
        ...engine.app.jobs,
        slots,
        desk: openDesk(engine.app.jobs),
        capture: engine.site.capture,
        confirmAfterMs: 0,
      },
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

test("R4 five attempts that fail on our side end in the dead letter: seen, told, and the job goes on", async () => {
  const engine = await startTestEngine({ capturing: false });
  let broken = true;
  const stop = await startCapturing(engine.app, {
    confirmAfterMs: 0,
    capture: async (request) => {
      if (broken) throw new Error("a bug of ours");
      return engine.site.capture(request);
    },
  });
  const { createJob, execution, executionsOf, logsOf, run, call } = await engine.person();
  const jobId = await createJob();
  const failed = await engine.waitFor("the dead letter", async () => {
    await hurry(engine);
    return (await executionsOf(jobId))[0];
  });
  const said = "The check could not be made: 5 attempts failed on our side.";
  expect(failed).toMatchObject({ error: said, summary: said, attempts: 5, changed: false });
  expect(failedAttempts(engine)).toBe(5);
  expect((await logsOf(jobId))[0]).toBe(`[error] ${said}`);
  expect((await call("GET", `/api/jobs/${jobId}`)).body).toMatchObject({ activity: "idle", failures: 1 });
  broken = false;
  expect(await run(jobId)).toMatchObject({ error: null, summary: "First capture" });
  expect(await executionsOf(jobId)).toHaveLength(2);
  expect(await execution(jobId, 2)).toMatchObject({ attempts: 1 });
  await engine.close();
  await stop();
});

/** A disk that can be filled up: a real one where we may mount one, else a stand-in that answers as one does. */
async function smallDisk() {
  const folder = await mkdtemp(join(tmpdir(), "watchglass-disk-"));
  const isReal = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]).status === 0;
  const blobs = await openBlobs(pathToFileURL(join(folder, "blobs")));
  const filler = join(folder, "filler");
  let full = false;
  async function refuse() {
    if (full) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
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
      full = true;
      const error = isReal ? await appendFile(filler, Buffer.alloc(2_000_000)).catch(String) : "ENOSPC";
      expect(error).toContain("ENOSPC");
    },
    async free() {
      full = false;
      await rm(filler, { force: true });
    },
    async remove() {
      if (isReal) execFileSync("umount", ["-l", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test("R8 a full disk: nothing is recorded until there is room, then once; nothing kept is lost", async () => {
  const disk = await smallDisk();
  const engine = await startTestEngine({ capturing: false });
  engine.app.jobs.blobs = disk.blobs;
  const stop = await startCapturing(engine.app, { capture: engine.site.capture, confirmAfterMs: 0 });
  try {
    const { createJob, executionsOf, execution, call, accountId } = await engine.person();
    const parts = async (jobId: string, { id }: { id: string }) =>
      Promise.all(
        ["image", "html"].map(
          async (part) => (await call("GET", `/api/jobs/${jobId}/executions/${id}/${part}`)).status,
        ),
      );
    const early = await createJob();
    const kept = await execution(early, 1);

    await disk.fill();
    Object.assign(engine.site.page, { html: html(...story), shade: 90 });
    const late = await createJob();
    await engine.waitFor("failed attempts", async () => {
      await hurry(engine);
      return failedAttempts(engine) >= 2;
    });
    expect(engine.log.filter((line) => line.includes("ENOSPC")).length).toBeGreaterThan(0);
    expect(await executionsOf(late)).toEqual([]);
    // A failed attempt takes away again what it wrote, which leaves room for as much.
    await engine.waitFor("a full disk to be seen", async () => {
      await disk.fill();
      return (await call("GET", "/readyz")).status === 503;
    });
    expect(await parts(early, kept)).toEqual([200, 200]);

    await disk.free();
    const recovered = await engine.waitFor("recovery", async () => {
      await hurry(engine);
      return (await executionsOf(late))[0];
    });
    expect(await executionsOf(late)).toMatchObject([{ summary: "First capture", error: null }]);
    expect(await parts(late, recovered)).toEqual([200, 200]);
    expect(await parts(early, kept)).toEqual([200, 200]);
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

test("R9 a capture that the store lost is said, the next takes its place, and changes are told again", async () => {
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
    await hurry(engine);
    return (await executionsOf(jobId)).length === 2;
  });
  expect(await execution(jobId, 2)).toMatchObject({ error: null, attempts: 2 });
  expect(await logsOf(jobId)).toContain(
    "[error] The capture before is lost from the store: this one takes its place",
  );
  engine.site.page.html = html(...story, "Something that came after.");
  expect(await run(jobId)).toMatchObject({ changed: true, error: null });
  await engine.close();
});

test("R1 a change whose second look failed is told by the next check, though the server says that nothing is new", async () => {
  const engine = await startTestEngine({ capturing: false });
  const { site, app } = engine;
  site.page.html = html(...story);
  const answered = { status: 304, headers: [], redirects: [], timing: {} };
  const stop = await startCapturing(app, {
    confirmAfterMs: 0,
    async capture(request) {
      const evidence = { validator: site.page.html } as Evidence;
      if (request.previous?.validator === evidence.validator)
        return {
          ok: true,
          unchanged: true,
          seen: { ...answered, url: request.url, finalUrl: request.url },
          evidence,
        };
      const taken = await site.capture(request);
      return taken.ok ? { ...taken, evidence } : taken;
    },
  });
  const { createJob, execution, run } = await engine.person();
  const jobId = await createJob();
  await execution(jobId, 1);
  expect(await run(jobId)).toMatchObject({ changed: false, summary: "No change" });
  site.page.html = html(...story, "Something that was not here before.");
  site.next.push({}, { failure: { kind: "crashed", message: "The page crashed the browser." } });
  expect(await run(jobId)).toMatchObject({ changed: false, summary: "A change could not be confirmed" });
  expect(await run(jobId)).toMatchObject({ changed: true });
  await engine.close();
  await stop();
});

test("a crashed browser is a failed check, and the next one is fine", async () => {
  const engine = await startTestEngine();
  const { createJob, execution, run } = await engine.person();
  const jobId = await createJob();
  await execution(jobId, 1);
  engine.site.next.push({
    failure: { kind: "crashed", message: "The page crashed the browser." },
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

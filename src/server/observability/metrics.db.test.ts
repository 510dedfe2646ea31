import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { startTestApp } from "../testing/test-app.ts";
import { findReadinessProblem } from "./find-readiness-problem.ts";
import { createOperations } from "./serve-health.ts";

let engine: Awaited<ReturnType<typeof startTestEngine>>;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.close());

const ownMetrics = (text: string) =>
  text
    .split("\n")
    .filter((line) => /^(# \w+ )?watchglass_/.test(line))
    .join("\n");

test("metrics count checks by result and way of capture, stages, deliveries, queues, dead letters and stored bytes", async () => {
  const { createJob, execution, run, email } = await engine.person();
  engine.site.page.html = html(...story);
  const id = await createJob();
  await execution(id, 1);
  engine.site.page.html = html(...story, "A paragraph that was not there before.");
  await run(id);
  await engine.mailTo(email);
  engine.site.next.push({ failure: { kind: "dns", message: "The name was not found." } });
  await run(id);
  const { db } = engine.app;
  await sql`insert into pgboss.job (name, data, source_output) values ('mail-dead', '{"sealed":"x"}', '{"message":"refused"}')`.execute(
    db,
  );
  await sql`update schedules set next_run_at = now() - interval '90 seconds' where job_id = ${id}`.execute(
    db,
  );
  const text = ownMetrics(await engine.app.metrics.registry.metrics());
  const value = (line: string) => {
    const found = text.split("\n").find((entry) => entry.startsWith(`${line} `));
    return found && Number(found.split(" ").at(-1));
  };
  expect(value('watchglass_checks_total{result="unchanged",way="browser"}')).toBe(1);
  expect(value('watchglass_checks_total{result="changed",way="browser"}')).toBe(1);
  expect(value('watchglass_checks_total{result="failed",way="none"}')).toBe(1);
  for (const stage of ["wait", "capture", "confirm", "compare", "store"])
    expect(value(`watchglass_check_stage_seconds_count{stage="${stage}"}`)).toBe(3);
  expect(value('watchglass_check_stage_seconds_bucket{le="300",stage="capture"}')).toBe(3);
  expect(value('watchglass_deliveries_total{channel="email",result="sent"}')).toBe(1);
  expect(value('watchglass_dead_letters{queue="mail"}')).toBe(1);
  expect(value('watchglass_queue_length{queue="execute"}')).toBe(0);
  expect(value('watchglass_queue_age_seconds{queue="deliver"}')).toBe(0);
  expect(value("watchglass_schedule_lag_seconds")).toBeGreaterThanOrEqual(90);
  expect(value("watchglass_storage_bytes")).toBeGreaterThan(100);
  expect(value('watchglass_database_connections{state="idle"}')).toBeGreaterThan(0);
  expect(value('watchglass_detector_threads{state="waited_for"}')).toBe(0);
  expect(value('watchglass_info{role="all"}')).toBe(1);
  expect(value("watchglass_last_backup_timestamp_seconds")).toBe(0);

  const dead = await engine.app.queue.listDead(10);
  expect(dead).toMatchObject([{ name: "mail", reason: "refused" }]);
});

test.runIf(spawnSync("promtool", ["--version"]).status === 0)(
  "promtool finds no problem in our metrics",
  async () => {
    const input = `${ownMetrics(await engine.app.metrics.registry.metrics())}\n`;
    const { stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input, encoding: "utf8" });
    expect(`${stdout}${stderr}`).toBe("");
  },
);

test.for(["backup", "note-backup"])("npm run ops -- %s sets the time of the last backup", async (command) => {
  const started = await startTestApp();
  const { app } = started;
  const { databaseUrl, dataDir, sessionSecret } = app.config;
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SESSION_SECRET: sessionSecret,
    DATA_KEY: app.config.dataKeys?.join(","),
  };
  const before = Date.now() / 1000 - 1;
  const folder = command === "backup" ? [join(dataDir, "copy")] : [];
  const args = ["--disable-warning=ExperimentalWarning", "scripts/ops.ts", command, ...folder];
  await promisify(execFile)(process.execPath, args, { env });
  const text = await app.metrics.registry.metrics();
  const [, at] = /^watchglass_last_backup_timestamp_seconds (\S+)$/m.exec(text) ?? [];
  expect(Number(at)).toBeGreaterThanOrEqual(before);
  await started.close();
});

test("a role without the API serves health, readiness and metrics, and nothing else", async () => {
  const server = createOperations(engine.app);
  const get = async (url: string, remoteAddress = "127.0.0.1") => {
    const { statusCode, payload } = await server.inject({
      url,
      remoteAddress,
      headers: { host: "localhost:9464" },
    });
    return { statusCode, payload };
  };
  expect(await get("/healthz")).toMatchObject({ statusCode: 200 });
  expect(await get("/readyz")).toMatchObject({ statusCode: 200 });
  expect((await get("/metrics")).payload).toContain("watchglass_queue_length");
  expect(await get("/metrics", "192.0.2.1")).toMatchObject({ statusCode: 404 });
  expect(await get("/api/site")).toMatchObject({ statusCode: 404 });
  await server.close();
});

test("readiness shows the reason of a failure to the operator, and strangers only that there is one", async () => {
  const { blobs } = engine.app.jobs;
  engine.app.jobs.blobs = {
    ...blobs,
    probe: async () => Promise.reject(new Error("S3 answered 403 to PUT: AccessDenied")),
  };
  const headers = { host: "localhost" };
  const asOperator = await engine.call("GET", "/readyz", undefined, { ip: "127.0.0.1", headers });
  const asStranger = await engine.call("GET", "/readyz");
  expect([asOperator.status, asOperator.body.problem]).toEqual([
    200,
    "Captures cannot be stored: S3 answered 403 to PUT: AccessDenied.",
  ]);
  expect([asStranger.status, asStranger.body.problem]).toEqual([200, "Captures cannot be stored."]);
  const worker = { ...engine.app, config: { ...engine.app.config, role: "worker" as const } };
  const [problem, workerProblem] = await Promise.all([engine.app, worker].map(findReadinessProblem));
  expect([problem?.isServing, workerProblem?.isServing]).toEqual([true, false]);
  engine.app.jobs.blobs = blobs;
});

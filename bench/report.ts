// What a report costs in memory: 1,000 and 10,000 checks of one tall page, every fifth of them a change, through the
// product's own code and database. Counts the whole process tree: the process that works on tasks, the one that makes
// the report, and the database. The memory must be given back, and the progress must agree with the elapsed time.
//   npm run bench:report          1,000 and 10,000 executions
//   npm run bench:report -- 2000  one size

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { sql } from "kysely";
import sharp from "sharp";
import { addExecutions } from "#checks/add-executions.ts";
import { storeCapture } from "#checks/store-capture.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { buildReport } from "#reports/build-report.ts";
import { runReportProcess } from "#reports/run-report-process.ts";
import { openBlobs } from "#storage/blobs.ts";
import { addRefs, openCaptureCache } from "#storage/contents.ts";
import { type Database, openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { createSecretBox } from "#storage/encryption/secret-box.ts";
import { insertVerdicts, type Kept } from "#storage/executions.ts";
import { migrate } from "#storage/migrations/migrate.ts";
import { insertReport } from "#storage/reports.ts";
import { seeded } from "./detection-speed/measure.ts";

const wantedSize = Number(process.argv[2] ?? 0);
const executions = Number(process.env.BENCH_EXECUTIONS ?? 0);
const changedEvery = 5;
const pictureHeight = 8_000;
const mib = 1024 ** 2;
// How much more memory a report may take at its peak and afterwards, and how far its progress may differ from the
// elapsed time.
const goals = { peak: 600 * mib, kept: 60 * mib, progress: 0.15 };

const box = (at: number) => ({ x: 40, y: at * 250, width: 1200, height: 120 });
const verdict: Verdict = {
  changed: true,
  folded: false,
  often: [],
  similarity: 99,
  severity: "important",
  summary: "40 lines changed",
  reasons: [
    {
      kind: "text",
      severity: "important",
      summary: "40 lines changed",
      count: 40,
      changes: Array.from({ length: 40 }, (_, line) => ({
        where: "main",
        before: `Line ${line} of the page as it was, with as many words as a line has`,
        after: `Line ${line} of the page as it is, with as many words as a line has`,
      })),
    },
  ],
  findings: [],
  hunks: [],
  regions: Array.from({ length: 8 }, (_, at) => ({
    kind: "changed",
    old: box(at),
    new: box(at),
    says: `Line ${at} as it was → as it is`,
  })),
  ignored: [],
  ignoredCount: 0,
};

/** A picture that resembles a page: areas of one color, some of which differ by `n`. */
async function paint(n: number): Promise<Buffer> {
  const random = seeded(3);
  const areas = Array.from({ length: 800 }, (_, i) => {
    const shade = random(200) + (i % 40 ? 0 : n * 50);
    return `<rect x="${random(1200)}" y="${random(pictureHeight - 50)}" width="${random(300)}" height="40" fill="rgb(${shade},${shade},180)"/>`;
  });
  return sharp(Buffer.from(`<svg width="1280" height="${pictureHeight}">${areas.join("")}</svg>`))
    .png()
    .toBuffer();
}

// Each size runs in its own process, so that the memory one leaves behind isn't counted for the other.
if (executions === 0) {
  let isGood = true;
  for (const size of wantedSize > 0 ? [wantedSize] : [1000, 10_000]) {
    const flags = ["--disable-warning=ExperimentalWarning", import.meta.filename];
    const env = { ...process.env, BENCH_EXECUTIONS: String(size) };
    const { stdout } = await promisify(execFile)(process.execPath, flags, { env });
    const { share, peak, kept, idle, ownPeak, seconds, pdf, html } = JSON.parse(stdout) as Built;
    if (share > goals.progress || peak > goals.peak || kept > goals.kept) isGood = false;
    const round = (bytes: number) => (bytes / mib).toFixed(0);
    console.log(
      `${size} executions, ${size / changedEvery} changes: ${seconds.toFixed(1)} s; all processes ${round(idle)} MiB before, +${round(peak)} at the peak (goal ${round(goals.peak)}), +${round(kept)} afterwards (goal ${round(goals.kept)}); the process of the tasks alone +${round(ownPeak)} at its peak; PDF ${round(pdf)} MiB, HTML ${round(html)} MiB; progress differs from the elapsed time by at most ${(share * 100).toFixed(0)} %`,
    );
  }
  process.exit(isGood ? 0 : 1);
}

/** Memory of this process and all processes that it started, without counting shared pages twice. */
function memoryOfTree(): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readIfThere(`/proc/${name}/stat`);
    if (stat) parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid) ?? 0));
  return [...parents.keys()]
    .filter(isOurs)
    .reduce(
      (sum, pid) =>
        sum + Number(/^Pss:\s+(\d+)/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024,
      0,
    );
}

/** Returns "" for a process that has ended in the meantime. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** `peak`, `kept` and `ownPeak` are above what was taken before; `kept` is measured a while after the report. */
type Built = {
  share: number;
  idle: number;
  peak: number;
  kept: number;
  ownPeak: number;
  seconds: number;
  pdf: number;
  html: number;
};

const folder = await mkdtemp(join(tmpdir(), "bench-report-"));
await chmod(folder, 0o711);
const postgres = await startEmbeddedPostgres(folder);
try {
  await migrate(postgres.connectionString);
  const database = openDatabase(postgres.connectionString);
  const { db } = database;
  const captureStore = pathToFileURL(join(folder, "blobs"));
  const blobs = await openBlobs(captureStore);
  const baseUrl = "http://localhost:3000";
  // Only a scheduled report is mailed and needs the queue.
  const queue = undefined as never;
  const { connectionString } = postgres;
  const secrets = createSecretBox(["bench".repeat(8)]);
  const makeReport = runReportProcess;
  const deps = { db, blobs, captureStore, connectionString, baseUrl, queue, secrets, makeReport };
  const { rows: created } = await sql<{ account: string; group: string }>`
    with account as (
      insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash)
      select id, id, id, 'A', 'B', '', '', uuid_send(id) from (select gen_random_uuid() as id) as a returning id
    )
    insert into groups (account_id, name) select id, 'g' from account returning account_id as account, id as group
  `.execute(db);
  const { account = "", group = "" } = created[0] ?? {};
  console.log(JSON.stringify(await build(await fill())));
  await database.close();

  /** A job with `executions` checks: two real captures with pictures, stored once and referenced by all checks. */
  async function fill(): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      insert into jobs (account_id, group_id, name, url, host, frequency_minutes)
      values (${account}, ${group}, ${`Job of ${executions}`}, 'https://store.example/', 'store.example', 60) returning id
    `.execute(db);
    const jobId = rows[0]?.id ?? "";
    const ids: string[] = [];
    let previous: Kept | null = null;
    for (const n of [0, 1]) {
      const lines = Array.from({ length: 200 }, (_, line) => `<p>Line ${line} of ${line % 20 ? 0 : n}</p>`);
      const snapshot = {
        ...snapshotOf(`<main>${lines.join("")}</main>`, "html", "https://store.example/"),
        picture: { png: await paint(n), width: 1280, height: pictureHeight },
      };
      const stored: Kept = await storeCapture(
        deps,
        account,
        snapshot,
        previous,
        openCaptureCache(deps, account),
      );
      previous = stored;
      ids.push(await recordExecution(db, jobId, stored, ids[0] ?? null));
    }
    await insertVerdicts(db, account, [{ id: ids[1] ?? "", verdict }]);
    await sql`
      with more as (
        insert into executions (job_id, account_id, number, created_at, status_code, changed, severity, summary, duration_ms,
          attempts, failure, similarity, baseline_id, html, body, facts, picture, followed)
        select job_id, account_id, n, now() - n * interval '4 minutes', 200, n % ${changedEvery} = 0,
          case when n % ${changedEvery} = 0 then 'important' end, 'Change ' || n, 5, 1,
          case when n % 100 = 1 then 'dns' end, 99, ${ids[0]}, html, body, facts, picture,
          jsonb_build_object('price', jsonb_build_object('text', n % 70 || ' €', 'number', n % 70))
        from executions, generate_series(3, ${executions}) as n where id = ${ids[1]}
        returning id, changed
      )
      insert into verdicts (execution_id, verdict, bytes)
      select more.id, verdict, bytes from more, verdicts where changed and execution_id = ${ids[1]}
    `.execute(db);
    return jobId;
  }

  async function build(jobId: string): Promise<Built> {
    const reportId = await insertReport(db, {
      account_id: account,
      title: "Bench",
      note: null,
      logo: null,
      job_ids: [jobId],
      from_at: new Date(Date.now() - 40 * 86_400_000),
      to_at: new Date(Date.now() + 60_000),
    });
    const progress: { at: number; share: number }[] = [];
    const [idle, ownIdle] = [memoryOfTree(), process.memoryUsage.rss()];
    let [peak, ownPeak] = [0, 0];
    let isBuilt = false;
    const started = performance.now();
    const building = buildReport(deps, reportId, async () => null).finally(() => (isBuilt = true));
    while (!isBuilt) {
      peak = Math.max(peak, memoryOfTree() - idle);
      ownPeak = Math.max(ownPeak, process.memoryUsage.rss() - ownIdle);
      const [row] = await db
        .selectFrom("reports")
        .select(["done", "total"])
        .where("id", "=", reportId)
        .execute();
      if (row && row.total > 0)
        progress.push({ at: performance.now() - started, share: row.done / row.total });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await building;
    const elapsedMs = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const kept = memoryOfTree() - idle;
    const { pdf, html } = await db
      .selectFrom("reports")
      .select([sql<number>`octet_length(pdf)`.as("pdf"), sql<number>`octet_length(html)`.as("html")])
      .where("id", "=", reportId)
      .executeTakeFirstOrThrow();
    const share = Math.max(...progress.map(({ at, share: done }) => Math.abs(at / elapsedMs - done)));
    return { peak, kept, ownPeak, idle, seconds: elapsedMs / 1000, share, pdf, html };
  }

  async function recordExecution(
    tx: Database,
    jobId: string,
    stored: Kept,
    baseline: string | null,
  ): Promise<string> {
    await addRefs(
      tx,
      account,
      [stored.html, stored.body, stored.facts, ...(stored.picture ? [stored.picture] : [])],
      1,
    );
    const [row] = await addExecutions(tx, [
      {
        job_id: jobId,
        account_id: account,
        status_code: 200,
        changed: baseline !== null,
        folded: false,
        failure: null,
        error: null,
        similarity: baseline === null ? null : 99,
        severity: baseline === null ? null : "important",
        summary: "A change",
        truncated: false,
        via: "browser",
        duration_ms: 1,
        stages: null,
        attempts: 1,
        baseline_id: baseline,
        kept: stored,
        isBaseline: true,
      },
    ]);
    return row?.id ?? "";
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

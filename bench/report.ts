// A report of ten times the executions takes ten times as long, not ten times the memory, and says truly how far it is:
// 1,000 and 10,000 checks of one page, every fifth of them a change, through the product's own code and database.
//   npm run bench:report
import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { sql } from "kysely";
import sharp from "sharp";
import { openDetector } from "#checks/open-detector.ts";
import { keepSnapshot } from "#checks/snapshots.ts";
import { snapshotOf } from "#detection/snapshot-of.ts";
import type { Verdict } from "#detection/verdict.ts";
import { buildReport } from "#reports/build-report.ts";
import { openBlobs } from "#storage/blobs.ts";
import { addRefs, openAlbum } from "#storage/chains.ts";
import { type Database, openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { insertExecutions, insertVerdicts, type Kept } from "#storage/executions.ts";
import { migrate } from "#storage/migrate.ts";
import { insertReport } from "#storage/reports.ts";
import { createSecretBox } from "#storage/secret-box.ts";
import { seeded } from "./detection-speed/measure.ts";

const executions = Number(process.argv[2] ?? 0);
const changedEvery = 5;
// How much more memory ten times the executions may take, and how far progress may be from the time that passed.
const goals = { memory: 2, progress: 0.15 };

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

/** A picture as a page is: areas of one colour, here and there one that differs. */
async function paint(n: number): Promise<Buffer> {
  const random = seeded(3);
  const areas = Array.from({ length: 300 }, (_, i) => {
    const shade = random(200) + (i % 40 ? 0 : n * 50);
    return `<rect x="${random(1200)}" y="${random(2950)}" width="${random(300)}" height="40" fill="rgb(${shade},${shade},180)"/>`;
  });
  return sharp(Buffer.from(`<svg width="1280" height="3000">${areas.join("")}</svg>`))
    .png()
    .toBuffer();
}

// Each size in a process of its own: what one leaves behind is not counted as the other's.
if (executions === 0) {
  let isGood = true;
  const peaks: number[] = [];
  for (const size of [1000, 10_000]) {
    const flags = ["--disable-warning=ExperimentalWarning", import.meta.filename, String(size)];
    const { stdout } = await promisify(execFile)(process.execPath, flags);
    const { share, peak, idle, seconds, pdf, html } = JSON.parse(stdout) as Built;
    peaks.push(peak);
    if (share > goals.progress) isGood = false;
    const mib = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);
    console.log(
      `${size} executions, ${size / changedEvery} changes: ${seconds.toFixed(1)} s, peak ${mib(peak)} MiB (${mib(idle)} before), PDF ${mib(pdf)} MiB, HTML ${mib(html)} MiB; progress at most ${(share * 100).toFixed(0)} % from the time that had passed`,
    );
  }
  const ratio = (peaks[1] ?? 0) / (peaks[0] ?? 1);
  console.log(
    `memory: ${ratio.toFixed(2)} times as much for ten times the executions (goal ${goals.memory})`,
  );
  process.exit(isGood && ratio <= goals.memory ? 0 : 1);
}

type Built = { share: number; peak: number; idle: number; seconds: number; pdf: number; html: number };

const folder = await mkdtemp(join(tmpdir(), "bench-report-"));
await chmod(folder, 0o711);
const postgres = await startEmbeddedPostgres(folder);
const detector = openDetector(1);
try {
  await migrate(postgres.connectionString);
  const database = openDatabase(postgres.connectionString);
  const { db } = database;
  const blobs = await openBlobs(pathToFileURL(join(folder, "blobs")));
  const baseUrl = "http://localhost:3000";
  // Only a report that comes by itself is mailed, and needs the queue.
  const queue = undefined as never;
  const deps = { db, blobs, detector, baseUrl, queue, secrets: createSecretBox(["bench".repeat(8)]) };
  const { rows: made } = await sql<{ account: string; group: string }>`
    with account as (
      insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash)
      select id, id, id, 'A', 'B', '', '', uuid_send(id) from (select gen_random_uuid() as id) as a returning id
    )
    insert into groups (account_id, name) select id, 'g' from account returning account_id as account, id as group
  `.execute(db);
  const { account = "", group = "" } = made[0] ?? {};
  console.log(JSON.stringify(await build(await fill())));
  await database.close();

  /** A job with so many checks: two real captures with their pictures, kept once and referred to by all. */
  async function fill(): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      insert into jobs (account_id, group_id, name, url, host, frequency_minutes)
      values (${account}, ${group}, ${`Job of ${executions}`}, 'https://store.example/', 'store.example', 60) returning id
    `.execute(db);
    const jobId = rows[0]?.id ?? "";
    const ids: string[] = [];
    let kept: Kept | null = null;
    for (const n of [0, 1]) {
      const lines = Array.from({ length: 200 }, (_, line) => `<p>Line ${line} of ${line % 20 ? 0 : n}</p>`);
      const snapshot = {
        ...snapshotOf(`<main>${lines.join("")}</main>`, "html", "https://store.example/"),
        picture: { png: await paint(n), width: 1280, height: 3000 },
      };
      const now: Kept = await keepSnapshot(deps, account, snapshot, kept, openAlbum(deps, account));
      kept = now;
      ids.push(await keep(db, jobId, now, ids[0] ?? null));
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
    const told: { at: number; share: number }[] = [];
    const idle = process.memoryUsage.rss();
    let peak = 0;
    let isBuilt = false;
    const began = performance.now();
    const building = buildReport(deps, reportId).finally(() => (isBuilt = true));
    while (!isBuilt) {
      peak = Math.max(peak, process.memoryUsage.rss());
      const [row] = await db
        .selectFrom("reports")
        .select(["done", "total"])
        .where("id", "=", reportId)
        .execute();
      if (row && row.total > 0) told.push({ at: performance.now() - began, share: row.done / row.total });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await building;
    const took = performance.now() - began;
    const { pdf, html } = await db
      .selectFrom("reports")
      .select([sql<number>`octet_length(pdf)`.as("pdf"), sql<number>`octet_length(html)`.as("html")])
      .where("id", "=", reportId)
      .executeTakeFirstOrThrow();
    const share = Math.max(...told.map(({ at, share: done }) => Math.abs(at / took - done)));
    return { peak, idle, seconds: took / 1000, share, pdf, html };
  }

  async function keep(tx: Database, jobId: string, now: Kept, baseline: string | null): Promise<string> {
    await addRefs(tx, account, [now.html, now.body, now.facts, ...(now.picture ? [now.picture] : [])], 1);
    const [row] = await insertExecutions(tx, [
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
        kept: now,
        becomesBaseline: true,
      },
    ]);
    return row?.id ?? "";
  }
} finally {
  await detector.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

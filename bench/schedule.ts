// Claims, recording and reading with a million jobs and ten million executions, compared with small tables in the same
// run. `npm run bench:schedule -- 0.1` runs at a tenth of the size; `-- --keep DIR --fill` fills the tables, and
// `-- --keep DIR` measures on them later.

import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { addExecutions } from "#checks/add-executions.ts";
import { readResume } from "#dashboard/read-dashboard.ts";
import { openQueue, type Queue } from "#queue/queue.ts";
import { claimBatch } from "#scheduling/enqueue-due.ts";
import { claimDue, type Pass } from "#scheduling/schedule-rows.ts";
import { listStatistics } from "#storage/dashboard.ts";
import { type Database, type OpenDatabase, openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { listExecutions } from "#storage/executions.ts";
import { migrate } from "#storage/migrations/migrate.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: "string" }, fill: { type: "boolean", default: false } },
});
const scale = Number(positionals[0] ?? 1);
const many = { jobs: Math.round(1_000_000 * scale), executions: Math.round(10_000_000 * scale) };
const few = { jobs: 10_000, executions: 10_000 };
const watcher = "00000000-0000-4000-8000-000000000001";

type Side = { name: string; database: OpenDatabase; db: Database; queue: Queue };
const rows: { what: string; measured: string; goal: string; ok: boolean }[] = [];

const folder = options.keep ?? (await mkdtemp(join(tmpdir(), "bench-schedule-")));
await mkdir(folder, { recursive: true });
await chmod(folder, 0o711);
const postgres = await startEmbeddedPostgres(folder);
try {
  const large = await open(`many_${many.jobs}`, many);
  if (!options.fill) {
    const small = await open("few", few, true);
    await measureClaims(small, large);
    await measureRecording(large);
    await measureReading(small, large);
    await close(small);
  }
  await close(large);
} finally {
  await postgres.stop();
  if (!options.keep) await rm(folder, { recursive: true, force: true });
}
if (rows.length > 0) console.table(Object.fromEntries(rows.map(({ what, ...row }) => [what, row])));
process.exit(rows.every(({ ok }) => ok) ? 0 : 1);

/** Opens a filled database; one that an earlier run has filled is reused, unless it must be `fresh`. */
async function open(name: string, size: typeof many, fresh = false): Promise<Side> {
  const admin = openDatabase(postgres.connectionString, { max: 1, statementTimeoutMs: 0 });
  const { rows: found } = await sql`select from pg_database where datname = ${name}`.execute(admin.db);
  const work = fresh || found.length === 0 ? `${name}_new` : name;
  const connect = (to: string) => postgres.connectionString.replace("@/watchglass?", `@/${to}?`);
  if (work !== name) {
    await sql`drop database if exists ${sql.id(work)}`.execute(admin.db);
    await sql`create database ${sql.id(work)}`.execute(admin.db);
    await migrate(connect(work));
    await (await openQueue(connect(work), { supervise: false })).close();
    const filling = openDatabase(connect(work), { max: 1, statementTimeoutMs: 0 });
    await filling.db.connection().execute((db) => withoutIndexes(db, () => fill(db, size)));
    await filling.close();
    await sql`drop database if exists ${sql.id(name)}`.execute(admin.db);
    await sql`alter database ${sql.id(work)} rename to ${sql.id(name)}`.execute(admin.db);
    await sql`checkpoint`.execute(admin.db);
  }
  await admin.close();
  await migrate(connect(name));
  const database = openDatabase(connect(name), { max: 8, statementTimeoutMs: 0 });
  const queue = await openQueue(connect(name), { supervise: false });
  return { name, database, db: database.db, queue };
}

async function close({ queue, database }: Side): Promise<void> {
  await queue.close();
  await database.close();
}

/** Fills tables faster: foreign keys aren't checked, and the larger indexes are created afterwards. */
async function withoutIndexes(db: Database, work: () => Promise<void>): Promise<void> {
  await sql`set session_replication_role = replica`.execute(db);
  await sql`set maintenance_work_mem = '512MB'`.execute(db);
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where indexname in ('schedules_due', 'executions_by_job', 'changes_by_account')`.execute(db);
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(db);
  await work();
  for (const { definition } of indexes) await sql.raw(definition).execute(db);
  await sql`set session_replication_role = origin`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

/** A hundred jobs per account, all due, and one account whose 400 jobs have the whole history. */
async function fill(db: Database, size: typeof many): Promise<void> {
  const started = performance.now();
  const account = sql`insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash)`;
  await sql`${account} select id, id, id, 'A', 'B', '', '', uuid_send(id)
    from (select gen_random_uuid() as id from generate_series(1, ${size.jobs}::integer / 100)) as a`.execute(
    db,
  );
  await sql`insert into groups (id, account_id, name) select id, id, 'G' from accounts`.execute(db);
  const job = sql`insert into jobs (account_id, group_id, name, url, host, status, frequency_minutes, ignore, executions, errors)`;
  await sql`${job} select id, id, 'Job ' || i, 'https://example.com/', 'example.com', 'ACTIVE', 60, '[]', 0, 0
    from accounts, generate_series(1, 100) as i`.execute(db);
  await sql`${account} values (${watcher}, 'w', 'w', 'A', 'B', '', '', 'w')`.execute(db);
  await sql`insert into groups (id, account_id, name) values (${watcher}, ${watcher}, 'G')`.execute(db);
  await sql`${job} select ${watcher}, ${watcher}, 'Watched ' || i, 'https://example.com/', 'example.com', 'PAUSED', 60, '[]', ${size.executions}::integer / 400, 0
    from generate_series(1, 400) as i`.execute(db);
  await sql`insert into schedules (job_id, account_id, rhythm_at, next_run_at, frequency_minutes, active)
    select id, account_id, now() - random() * interval '50 minutes', now() - random() * interval '1 hour', frequency_minutes, status = 'ACTIVE'
    from jobs`.execute(db);
  await sql`
    insert into executions (id, job_id, account_id, number, status_code, changed, failure, similarity, summary, duration_ms, attempts, html, body, facts, picture)
    select uuidv7(), job.id, ${watcher}, n, 200, n % 50 = 0, case when n % 97 = 0 then 'dns' end, 100, 'No change', 1300, 1,
      uuid_send(job.id), uuid_send(job.id), uuid_send(job.id), uuid_send(job.id)
    from generate_series(1, ${size.executions}::integer / 400) as n, (select id from jobs where account_id = ${watcher}) as job`.execute(
    db,
  );
  console.log(
    `${size.jobs} jobs and ${size.executions} executions in ${Math.round((performance.now() - started) / 1000)} s`,
  );
}

async function measureClaims(small: Side, large: Side): Promise<void> {
  // One pass over all due jobs, as a scheduler makes it.
  const pass: Pass = { from: null };
  const claim = (limit: number) => async () => (await claimDue(large.db, limit, pass)).claims.length;
  // The first batches after a start read the table into memory.
  for (let round = 0; round < 10; round++) await claim(1000)();
  const rate = await perSecond(claim(1000), 1, 20);
  note("claims, batches of 1,000, one scheduler", `${format(rate)} /s`, "≥ 20,000", rate >= 20_000);
  note(
    "claims, batches of 100, one scheduler",
    `${format(await perSecond(claim(100), 1, 100))} /s`,
    "",
    true,
  );
  const rateOfFour = await perSecond(claim(1000), 4, 10);
  note("claims, batches of 1,000, four schedulers", `${format(rateOfFour)} /s`, "", true);
  const claimAndQueue = () =>
    large.db.transaction().execute(async (tx) => (await claimBatch(large.queue, tx, 1000, pass)).length);
  note(
    "claims with their tasks queued, one scheduler",
    `${format(await perSecond(claimAndQueue, 1, 20))} /s`,
    "",
    true,
  );
  note(
    "claims with their tasks queued, four schedulers",
    `${format(await perSecond(claimAndQueue, 4, 8))} /s`,
    "",
    true,
  );

  // Measured last, when both databases are warm: the first write to a database page after a start or a checkpoint reads
  // and logs the whole page. A small table is soon done with that.
  const times = new Map<Side, number[]>([
    [small, []],
    [large, []],
  ]);
  const passes = new Map<Side, Pass>([
    [small, { from: null }],
    [large, pass],
  ]);
  for (let round = 0; round < 60; round++) {
    for (const [side, list] of times) {
      const started = performance.now();
      await claimDue(side.db, 100, passes.get(side));
      list.push(performance.now() - started);
    }
  }
  const [smallMs, largeMs] = [median(times.get(small)), median(times.get(large))];
  note(
    "claim of 100, compared with 10,000 jobs",
    `${largeMs.toFixed(2)} / ${smallMs.toFixed(2)} ms = ${(largeMs / smallMs).toFixed(2)}×`,
    "≤ 1.5×",
    largeMs / smallMs <= 1.5,
  );
}

async function measureRecording({ db }: Side): Promise<void> {
  const { rows: jobs } = await sql<{
    id: string;
    account_id: string;
  }>`select id, account_id from jobs where account_id <> ${watcher} limit 20000`.execute(db);
  const hash = Buffer.alloc(32, 7);
  const entries = jobs.map(({ id, account_id }) => ({
    job_id: id,
    account_id,
    status_code: 200,
    changed: false,
    folded: false,
    failure: null,
    error: null,
    similarity: 100,
    severity: null,
    summary: "No change",
    truncated: false,
    via: "browser",
    duration_ms: 1300,
    stages: null,
    attempts: 1,
    baseline_id: null,
    kept: { html: hash, body: hash, facts: hash, picture: hash },
    isBaseline: true,
  }));
  for (const size of [1, 100, 1000]) {
    let at = 0;
    const next = async () => {
      const batch = entries.slice(at, at + size);
      at = (at + size) % (entries.length - size);
      return (await addExecutions(db, batch)).length;
    };
    note(
      `executions recorded with counters, batches of ${size}`,
      `${format(await perSecond(next, 1, size === 1 ? 300 : 15))} /s`,
      "",
      true,
    );
  }
}

async function measureReading(small: Side, large: Side): Promise<void> {
  const naive = (db: Database) =>
    sql`
    select jobs.name, count(*), count(failure) from executions join jobs on jobs.id = executions.job_id
    where executions.account_id = ${watcher} group by jobs.id`.execute(db);
  const history = async (db: Database) => {
    const { rows } = await sql<{
      id: string;
    }>`select id from jobs where account_id = ${watcher} order by random() limit 1`.execute(db);
    return listExecutions(db, rows[0]?.id ?? "", 50);
  };
  const calls: [string, (db: Database) => Promise<unknown>][] = [
    ["analytics/resume", (db) => readResume({ db }, { accountId: watcher })],
    ["analytics/job_statistics", (db) => listStatistics(db, watcher)],
    ["executions, newest 50", history],
  ];
  let dashboard = 0;
  for (const [name, call] of calls) {
    const times = new Map<Side, number[]>([
      [small, []],
      [large, []],
    ]);
    for (let round = 0; round < 60; round++) {
      for (const [side, list] of times) {
        const started = performance.now();
        await call(side.db);
        list.push(performance.now() - started);
      }
    }
    const [smallMs, largeMs] = [median(times.get(small)), median(times.get(large))];
    if (name === "analytics/resume") dashboard = largeMs;
    note(
      name,
      `${largeMs.toFixed(2)} / ${smallMs.toFixed(2)} ms = ${(largeMs / smallMs).toFixed(2)}×`,
      "≤ 1.5×",
      largeMs / smallMs <= 1.5,
    );
  }
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    await naive(large.db);
    times.push(performance.now() - started);
  }
  const ratio = median(times) / dashboard;
  note(
    "dashboard compared with a GROUP BY of the history",
    `${median(times).toFixed(0)} ms, ${ratio.toFixed(0)}×`,
    "≥ 50×",
    ratio >= 50,
  );
}

async function perSecond(work: () => Promise<number>, workers: number, rounds: number): Promise<number> {
  await work();
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: workers }, async () => {
      let count = 0;
      for (let round = 0; round < rounds; round++) count += await work();
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - started) / 1000);
}

function median(list: number[] = []): number {
  return list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
}

function format(rate: number): string {
  return Math.round(rate).toLocaleString("en");
}

function note(what: string, measured: string, goal: string, ok: boolean): void {
  rows.push({ what, measured, goal, ok });
}

// A hundred thousand jobs at mixed frequencies; a recorded capture replaces all captures. npm run bench:load
// JOBS (100000), MINUTES (30) and SPEED (1: how many minutes of schedule pass per minute) set its size.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { openDatabase } from "#storage/database.ts";
import { startEmbeddedPostgres } from "#storage/embedded-postgres.ts";
import { readFigures } from "#storage/figures.ts";
import { migrate } from "#storage/migrations/migrate.ts";

const jobs = Number(process.env.JOBS ?? 100_000);
const minutes = Number(process.env.MINUTES ?? 30);
const speed = Number(process.env.SPEED ?? 1);
/** Minutes between checks, and the percentage of jobs with that interval: 30 checks a second for 100,000 jobs. */
const frequencies: [number, number][] = [
  [15, 5],
  [30, 10],
  [60, 35],
  [180, 20],
  [720, 15],
  [1440, 15],
];

const folder = await mkdtemp(join(tmpdir(), "watchglass-load-"));
await chmod(folder, 0o711);
const postgres = await startEmbeddedPostgres(folder);
await migrate(postgres.connectionString);
const { db, close } = openDatabase(postgres.connectionString, { statementTimeoutMs: 0 });

const processes = new Map<string, ChildProcess>();
async function start(name: string, file: string, environment: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: postgres.connectionString.replace("@/", "@localhost/"),
      DATA_DIR: join(folder, "data"),
      MAIL_DIR: join(folder, "mails"),
      SESSION_SECRET: "0123456789abcdef0123456789abcdef",
      DATA_KEY: "fedcba9876543210fedcba9876543210",
      EGRESS_ALLOW: "10.0.0.0/8",
      CAPTURE_CONCURRENCY: "8",
      LOG_LEVEL: "error",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  processes.set(name, child);
  for await (const chunk of child.stdout) if (/ready|Stop it with/.test(String(chunk))) break;
  child.stdout.resume();
}
const startWorker = (name: string) => start(name, "bench/load/worker.ts", { ROLE: "worker" });
const rssOf = (child: ChildProcess) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
const executions = async () =>
  (await sql<{ count: number }>`select coalesce(sum(executions), 0)::integer as count from jobs`.execute(db))
    .rows[0]?.count ?? 0;

console.log(`${jobs} jobs, ${minutes} minutes at ${speed} times the speed`);
const accounts = Math.ceil(jobs / 500);
await sql`insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash, plan_id)
  select id, id, id, 'A', 'B', '', '', decode(replace(id::text, '-', ''), 'hex'), 'ultimate'
  from (select gen_random_uuid() as id from generate_series(1, ${accounts})) as made`.execute(db);
await sql`insert into groups (id, account_id, name) select id, id, 'G' from accounts`.execute(db);
const shares = frequencies.flatMap(([every, share]) =>
  Array.from({ length: share }, () => Math.max(1, Math.round(every / speed))),
);
await sql`insert into jobs (account_id, group_id, name, url, host, frequency_minutes, ignore)
  select owner.id, owner.id, i::text, 'http://10.0.0.1/' || i, 'host-' || i, (${shares}::integer[])[1 + i % 100], '[]'
  from generate_series(1, ${jobs}) as i
  join (select id, row_number() over () as number from accounts) as owner on owner.number = 1 + i % ${accounts}`.execute(
  db,
);
// Each job starts at a random point of its interval, so that jobs become due as on any day.
await sql`update schedules set rhythm_at = now() - random() * frequency_minutes * interval '1 minute'`.execute(
  db,
);
await sql`update schedules set next_run_at = rhythm_at + frequency_minutes * interval '1 minute'`.execute(db);
await sql`analyze`.execute(db);
const { rows } = await sql<{
  rate: number;
}>`select sum(1.0 / frequency_minutes / 60)::float8 as rate from schedules`.execute(db);
console.log(`${rows[0]?.rate.toFixed(1)} checks a second are due`);

const port = 20_000 + (process.pid % 20_000);
await start("api", "src/server/main.ts", { ROLE: "api", PORT: String(port) });
await start("scheduler", "src/server/main.ts", { ROLE: "scheduler" });
await startWorker("worker");
const lags: number[] = [];
const memory = new Map([...processes.keys()].map((name) => [name, [] as number[]]));
const endsAt = Date.now() + minutes * 60_000;
for (let i = 0; Date.now() < endsAt; i++) {
  lags.push((await readFigures(db)).lagSeconds);
  if (i % 25 === 0) for (const [name, child] of processes) memory.get(name)?.push(rssOf(child));
  // The requests that a load balancer and Prometheus make.
  if (i % 25 === 0)
    for (const path of ["readyz", "metrics"]) await (await fetch(`http://127.0.0.1:${port}/${path}`)).text();
  if (i % 300 === 0) console.log(`${await executions()} checks, lag ${lags.at(-1)?.toFixed(2)} s`);
  await sleep(200);
}
const done = await executions();
lags.sort((a, b) => a - b);
const lagAt = (share: number) => lags[Math.floor(lags.length * share)]?.toFixed(2);
const median = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
console.log(`\nchecks                 ${done} (${(done / minutes / 60).toFixed(1)} a second)`);
console.log(
  `schedule lag           median ${lagAt(0.5)} s, p99 ${lagAt(0.99)} s (below 2), longest ${lags.at(-1)?.toFixed(2)} s`,
);
let isGood = Number(lagAt(0.99)) < 2;
for (const [name, list] of memory) {
  const third = Math.floor(list.length / 3);
  const [middle, last] = [median(list.slice(third, 2 * third)), median(list.slice(2 * third))];
  console.log(
    `memory of ${name.padEnd(12)} ${middle.toFixed(0)} then ${last.toFixed(0)} MB: ${(last / middle).toFixed(2)} (at most 1.1)`,
  );
  isGood &&= last / middle <= 1.1;
}
if (availableParallelism() < 4)
  console.log(`two workers compared with one: skipped, as ${availableParallelism()} cores are too few`);
else {
  const rate = async () => {
    await sql`update schedules set next_run_at = now() where job_id in (select id from jobs where started_at is null limit 20000)`.execute(
      db,
    );
    const [executionsBefore, started] = [await executions(), performance.now()];
    await sleep(30_000);
    return ((await executions()) - executionsBefore) / ((performance.now() - started) / 1000);
  };
  const one = await rate();
  await startWorker("second worker");
  const two = await rate();
  console.log(`two workers / one      ${(two / one).toFixed(2)} (at least 1.8)`);
  isGood &&= two / one >= 1.8;
}
for (const child of processes.values()) child.kill("SIGTERM");
await Promise.all([...processes.values()].map((child) => once(child, "exit")));
await close();
await postgres.stop();
await rm(folder, { recursive: true, force: true });
process.exit(isGood ? 0 : 1);

// Kills and outages while pages change: each change must be told, none more than once a kill. npm run bench:faults
// EXECUTIONS (10000), KILLS (200) and JOBS (120) size it; SHORT=1 is a tenth of a tenth.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { openDatabase } from "#storage/database.ts";
import { createSecretBox } from "#storage/secret-box.ts";
import { startCluster, until } from "./faults/cluster.ts";

const isShort = process.env.SHORT === "1";
const size = (name: string, whole: number, small: number) =>
  Number(process.env[name] ?? (isShort ? small : whole));
const wanted = {
  executions: size("EXECUTIONS", 10_000, 150),
  kills: size("KILLS", 200, 5),
  jobs: size("JOBS", 120, 20),
};
const goals = { recoverSeconds: 90 };

/** Digits as letters: numbers might be taken for noise. */
const spell = (version: number) => [...String(version)].map((digit) => "bdfhkmprtv"[Number(digit)]).join("");

const base = Array.from(
  { length: 12 },
  (_, i) => `Line ${spell(i + 10)} stands in every version of this page.`,
).join("\n");
const versions = new Map<number, number>();
const site = createServer((request, response) => {
  const job = Number(/\/(\d+)/.exec(request.url ?? "")?.[1]);
  const isPage = job % 10 === 0;
  const news = `The newest notice is called zq${spell(versions.get(job) ?? 0)}qz by its author.`;
  response.setHeader("content-type", isPage ? "text/html" : "text/plain");
  response.end(
    isPage
      ? `<!doctype html><title>Page</title><p>${base.replaceAll("\n", "</p><p>")}</p><p>${news}</p>`
      : `${base}\n${news}\n`,
  );
}).listen(0, "0.0.0.0");
await once(site, "listening");
const sitePort = (site.address() as AddressInfo).port;

/** What came to the receiver: how often, by job and version. */
const told = new Map<string, number>();
let isReceiving = true;
const hook = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    if (!isReceiving) return response.writeHead(503).end();
    const key = `${/job=(\d+)/.exec(request.url ?? "")?.[1]} ${/zq([a-z]+)qz/.exec(body)?.[1] ?? "?"}`;
    told.set(key, (told.get(key) ?? 0) + 1);
    response.end("ok");
  });
}).listen(0, "127.0.0.1");
await once(hook, "listening");
const hookPort = (hook.address() as AddressInfo).port;

const disk = mkdtempSync(join(tmpdir(), "watchglass-store-"));
const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=512m", "tmpfs", disk]).status === 0;
let store: ChildProcess | undefined;
const storePort = sitePort > 40_000 ? sitePort - 7 : sitePort + 7;
let isStoreWanted = true;
/** It ends where its disk is full, too, and is started again as a supervisor would. */
async function startStore(): Promise<void> {
  const child = spawn(process.execPath, ["bench/faults/store.ts", disk, String(storePort)], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  store = child;
  child.once("exit", () => {
    if (isStoreWanted) setTimeout(() => void startStore(), 1_000);
  });
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
}
await startStore();

const cluster = await startCluster(["api", "scheduler", "worker", "api", "scheduler", "worker"], {
  BLOB_STORE: `s3://captures?endpoint=${encodeURIComponent(`http://127.0.0.1:${storePort}`)}`,
  AWS_ACCESS_KEY_ID: "S3RVER",
  AWS_SECRET_ACCESS_KEY: "S3RVER",
  CAPTURE_CONCURRENCY: "4",
});
const { db, close } = openDatabase(cluster.connectionString, { onError: () => undefined });
/** The database may be away just now. */
async function query<Row>(ask: () => Promise<{ rows: Row[] }>): Promise<Row[]> {
  for (;;) {
    try {
      return (await ask()).rows;
    } catch {
      await sleep(200);
    }
  }
}

const secrets = createSecretBox(["fedcba9876543210fedcba9876543210"]);
const ids: string[] = [];
for (let job = 0; job < wanted.jobs; job++) {
  const id = crypto.randomUUID();
  ids.push(id);
  const trigger = {
    url: `http://127.0.0.1:${hookPort}/?job=${job}`,
    method: "POST",
    body: "{{added}}",
    strings: [],
    headers: [],
  };
  const sealed = secrets.seal(JSON.stringify(trigger), `job-trigger:${id}`);
  const host = `127.0.${1 + Math.floor(job / 200)}.${1 + (job % 200)}`;
  await sql`insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash, plan_id, email_notifications)
    values (${id}, ${id}, ${id}, 'A', 'B', '', '', decode(replace(${id}, '-', ''), 'hex'), 'ultimate', false)`.execute(
    db,
  );
  await sql`insert into groups (id, account_id, name) values (${id}, ${id}, 'G')`.execute(db);
  await sql`insert into jobs (id, account_id, group_id, name, url, host, frequency_minutes, ignore, trigger_sealed)
    values (${id}, ${id}, ${id}, ${String(job)}, ${`http://${host}:${sitePort}/${job}`}, ${host}, 43200, '[]', ${sealed})`.execute(
    db,
  );
}
const count = async () =>
  (
    await query(() =>
      sql<{ count: number }>`select coalesce(sum(executions), 0)::integer as count from jobs`.execute(db),
    )
  )[0]?.count ?? 0;
const due = (jobs: string[]) =>
  query(() =>
    sql`update schedules set next_run_at = now() where job_id = any(${jobs}::uuid[]) and queued_at is null`.execute(
      db,
    ),
  );

await due(ids);
await until(async () => (await count()) >= wanted.jobs, 600);
console.log(`${wanted.jobs} pages were captured first; ${cluster.members.length} processes`);

/** When a version was put on its page, by job. */
const pending = new Map<number, { version: number; at: number }>();
const waits: number[] = [];
let changes = 0;
let outageMs = 0;
function turnPages(): string[] {
  for (const [job, { version, at }] of pending) {
    if (!told.has(`${job} ${spell(version)}`)) continue;
    waits.push((performance.now() - at) / 1000);
    pending.delete(job);
  }
  return ids.filter((_, job) => {
    if (!pending.has(job) && Math.random() < 0.3) {
      const version = (versions.get(job) ?? 0) + 1;
      versions.set(job, version);
      pending.set(job, { version, at: performance.now() });
      changes++;
    }
    return true;
  });
}

let kills = 0;
const killed: Record<string, number> = {};
function killSomething(): void {
  const kinds = ["api", "scheduler", "worker", "chromium", "postgres"] as const;
  const kind = kinds[Math.floor(Math.random() * kinds.length)] ?? "worker";
  const isHit =
    kind === "chromium"
      ? cluster.kill.chromium()
      : kind === "postgres"
        ? cluster.kill.postgres()
        : cluster.kill.role(kind);
  if (!isHit) return;
  kills++;
  killed[kind] = (killed[kind] ?? 0) + 1;
}
/** What happens once each, a third of the way apart. */
const outages: [string, () => Promise<void>][] = [
  ["the database restarts", async () => void cluster.restartPostgres()],
  [
    "the clock jumps an hour ahead",
    async () => {
      await query(() => sql`update schedule_state set ticked_at = ticked_at - interval '1 hour'`.execute(db));
      await query(() =>
        sql`update schedules set next_run_at = next_run_at - interval '1 hour', rhythm_at = rhythm_at - interval '1 hour', queued_at = queued_at - interval '1 hour'`.execute(
          db,
        ),
      );
      await query(() =>
        sql`update pgboss.job set start_after = start_after - interval '1 hour', created_on = created_on - interval '1 hour', heartbeat_on = heartbeat_on - interval '1 hour', started_on = started_on - interval '1 hour' where state <= 'active'`.execute(
          db,
        ),
      );
    },
  ],
  [
    "the disk is full for 10 s",
    async () => {
      if (!isMounted) return console.log("no disk could be mounted: left out");
      const filler = join(disk, "filler");
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(4_000_000));
      } catch {
        await sleep(10_000);
      }
      rmSync(filler, { force: true });
    },
  ],
  [
    "the store is away for 10 s",
    async () => {
      isStoreWanted = false;
      store?.kill("SIGKILL");
      await sleep(10_000);
      isStoreWanted = true;
      await startStore();
    },
  ],
  [
    "the receiver refuses for 10 s",
    async () => {
      isReceiving = false;
      await sleep(10_000);
      isReceiving = true;
    },
  ],
];

const started = performance.now();
const first = await count();
let over = 0;
for (let shown = 0; ; ) {
  over = (await count()) - first;
  if (over >= wanted.executions && kills >= wanted.kills) break;
  await due(turnPages());
  const part = Math.min(over / wanted.executions, 1);
  if (kills < part * wanted.kills || over >= wanted.executions) killSomething();
  const next = outages[0];
  if (next && part > (6 - outages.length) / 7) {
    outages.shift();
    console.log(`${next[0]} after ${over} executions`);
    const began = performance.now();
    await next[1]();
    outageMs = Math.max(outageMs, performance.now() - began);
  }
  if (performance.now() - started > (shown + 1) * 30_000) {
    shown++;
    console.log(
      `${Math.round((performance.now() - started) / 1000)} s: ${over} executions, ${changes} changes, ${kills} kills`,
    );
  }
  await sleep(over >= wanted.executions ? 2_000 : 300);
}
// What is still to be told has the time that recovery may take.
const lastAt = performance.now();
for (let i = 0; i < 120 && pending.size > 0; i++) {
  await due(ids);
  await sleep(1_000);
  for (const [job, { version, at }] of pending) {
    if (!told.has(`${job} ${spell(version)}`)) continue;
    waits.push((performance.now() - at) / 1000);
    pending.delete(job);
  }
}
const recovered = (performance.now() - lastAt) / 1000;
const notifications = await query(() =>
  sql<{ count: number }>`select count(*)::integer as count from notifications where kind = 'change'`.execute(
    db,
  ),
);
const duplicates = [...told.values()].reduce((sum, times) => sum + times - 1, 0);
const worst = Math.max(...waits);
waits.sort((a, b) => a - b);
const lost = pending.size;
console.log(`
executions            ${over}
changes               ${changes}
kills                 ${kills} (${Object.entries(killed)
  .map(([kind, times]) => `${kind} ${times}`)
  .join(", ")})
changes not told      ${lost} (at most 0)
notifications         ${notifications[0]?.count} of ${changes}
told more than once   ${duplicates} (at most ${kills})
until told, median    ${waits[Math.floor(waits.length / 2)]?.toFixed(1)} s
until told, longest   ${worst.toFixed(1)} s (at most ${goals.recoverSeconds} s after the last of the faults in between)
all told after the end ${recovered.toFixed(1)} s (at most ${goals.recoverSeconds})
took                  ${((performance.now() - started) / 1000).toFixed(0)} s`);
await cluster.close();
await close().catch(() => undefined);
isStoreWanted = false;
store?.kill("SIGKILL");
site.closeAllConnections();
site.close();
hook.closeAllConnections();
hook.close();
if (isMounted) spawnSync("umount", ["-l", disk]);
rmSync(disk, { recursive: true, force: true });
const isGood =
  lost === 0 &&
  duplicates <= kills &&
  recovered <= goals.recoverSeconds &&
  (notifications[0]?.count ?? 0) >= changes;
console.log(isGood ? "Nothing was lost." : "NOT as it must be.");
process.exit(isGood ? 0 : 1);

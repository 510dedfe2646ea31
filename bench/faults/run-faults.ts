import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pLimit from "p-limit";
import { openBlobs } from "#storage/blobs.ts";
import { type Database, openDatabase } from "#storage/database.ts";
import { createSecretBox } from "#storage/encryption/secret-box.ts";
import { type Role, startCluster, until } from "./cluster.ts";
import { startOutside } from "./outside.ts";
import { startStore } from "./start-store.ts";

export type Size = {
  executions: number;
  kills: number;
  /** Pause between kills, so that restarted processes run for a moment. */
  killPauseMs: number;
  jobs: number;
  /** Share of the pages that could change that do so every 300 ms. */
  changeShare: number;
  roles: Role[];
  /** How long an outage of the disk, the store or the receivers lasts. */
  outageMs: number;
  /** The program that the processes run, if not the product's own. */
  program?: string;
};

export type Findings = {
  executions: number;
  changes: number;
  mails: number;
  kills: Record<string, number>;
  outages: string[];
  notAlerted: number;
  mailsLost: number;
  notifications: number;
  capturesLost: number;
  deadLetters: number;
  twice: number;
  /** Seconds from a change to its message, in ascending order. */
  waits: number[];
  /** The longest time for which a process wasn't ready, in seconds. */
  longestDown: number;
  /** Changes that waited longer than the goal for each attempt that a fault took. */
  late: string[];
  endedByThemselves: string[];
  seconds: number;
};

/** Everything must work again within this many seconds of a fault. */
export const recoverSeconds = 90;
const mailedEvery = 6;
// Below the limits beyond which mails are held back and combined: five per minute, thirty per hour.
const mailPause = 15_000;
const mailLimit = 28;

/** Kills processes and causes outages while pages change; finds what was lost or alerted twice. */
export async function runFaults(size: Size, log: (line: string) => void): Promise<Findings> {
  await using stack = new AsyncDisposableStack();
  const outside = stack.adopt(await startOutside(), (opened) => opened.close());
  const store = stack.adopt(await startStore(), (opened) => opened.close());
  const environment = { BLOB_STORE: store.url, SMTP_URL: outside.smtpUrl, CAPTURE_CONCURRENCY: "4" };
  const cluster = stack.adopt(await startCluster(size.roles, environment, size.program), (opened) =>
    opened.close(),
  );
  const database = openDatabase(cluster.connectionString, { onError: () => undefined });
  stack.defer(() => database.close().catch(() => undefined));
  const { db } = database;
  const ids = await makeJobs(db, size.jobs, outside);
  const count = async () => {
    const [row] = await query(
      sql<{ count: number }>`select coalesce(sum(executions), 0)::integer as count from jobs`,
      db,
    );
    return row?.count ?? 0;
  };
  const checkAll = () =>
    query(
      sql`update schedules set next_run_at = now() where queued_at is null and job_id = any(${ids}::uuid[])`,
      db,
    );
  await checkAll();
  await until("the first captures", async () => (await count()) >= size.jobs, 600);
  log(`${size.jobs} pages have their first capture; ${cluster.members.length} processes are running`);

  /** Changes that weren't alerted yet, by job. */
  const pending = new Map<number, { version: number; at: number }>();
  const slow: { job: number; version: number; seconds: number }[] = [];
  const waits: number[] = [];
  let changes = 0;
  const lastMailAt = new Map<number, number>();
  const mailsWanted: string[] = [];
  function recordAlerts(): void {
    for (const [job, { version, at }] of pending) {
      if (!outside.alertCounts.trigger.has(`${job} ${version}`)) continue;
      const seconds = (performance.now() - at) / 1000;
      waits.push(seconds);
      if (seconds > recoverSeconds) slow.push({ job, version, seconds });
      pending.delete(job);
    }
  }
  function changePages(): void {
    for (const job of ids.keys()) {
      if (pending.has(job) || Math.random() > size.changeShare) continue;
      const version = (outside.versions.get(job) ?? 0) + 1;
      const at = performance.now();
      if (isMailed(job)) {
        if (at - (lastMailAt.get(job) ?? -mailPause) < mailPause || version > mailLimit) continue;
        lastMailAt.set(job, at);
        mailsWanted.push(`${job} ${version}`);
      }
      outside.versions.set(job, version);
      pending.set(job, { version, at });
      changes++;
    }
  }
  const mailsLost = () => mailsWanted.filter((key) => !outside.alertCounts.mail.has(key)).length;

  const down = watchDown(cluster);
  stack.defer(() => down.stop());
  const killing = startKilling(cluster);
  const outages: [string, () => unknown][] = [
    ["the database restarts", () => cluster.restartPostgres()],
    ["the clock jumps an hour ahead", () => jumpAnHour(db)],
    ...(store.isMounted
      ? [["the disk is full", () => store.fill(size.outageMs)] as [string, () => unknown]]
      : []),
    ["the store is down", () => store.release(size.outageMs)],
    [
      "receivers refuse messages",
      async () => {
        outside.receive(false);
        await sleep(size.outageMs);
        outside.receive(true);
      },
    ],
  ];
  const pastOutages: string[] = [];
  const started = performance.now();
  const countAtStart = await count();
  let executed = 0;
  let killedAt = started;
  for (let shown = 0; ; ) {
    executed = (await count()) - countAtStart;
    recordAlerts();
    if (executed >= size.executions && killing.count() >= size.kills && pastOutages.length === outages.length)
      break;
    const part = Math.min(executed / size.executions, 1);
    if (killing.count() < Math.ceil(part * size.kills)) {
      if (performance.now() - killedAt > size.killPauseMs && killing.next()) killedAt = performance.now();
    } else {
      changePages();
      await checkAll();
    }
    const next = outages[pastOutages.length];
    if (next && part >= (pastOutages.length + 1) / (outages.length + 2)) {
      pastOutages.push(next[0]);
      log(`${next[0]} after ${executed} executions`);
      await next[1]();
    }
    const seconds = (performance.now() - started) / 1000;
    if (seconds > (shown + 1) * 30) {
      shown++;
      log(`${Math.round(seconds)} s: ${executed} executions, ${changes} changes, ${killing.count()} kills`);
    }
    await sleep(300);
  }
  // Changes that aren't alerted yet get the time that recovery may take, and a little more.
  for (let i = 0; i < 2 * recoverSeconds && (pending.size > 0 || mailsLost() > 0); i++) {
    await checkAll();
    await sleep(1_000);
    recordAlerts();
    if (i % 15 === 14) {
      const jobs = [...pending].map(([job, { version }]) => `${job} ${version}`);
      const mails = mailsWanted.filter((key) => !outside.alertCounts.mail.has(key));
      log(
        `not alerted yet: ${jobs.join(", ") || "none"}; mails not received yet: ${mails.join(", ") || "none"}`,
      );
    }
  }
  const [counts] = await query(
    sql<{ notifications: number; dead: number }>`
      select (select count(*)::integer from notifications where kind = 'change') as notifications,
        (select count(*)::integer from pgboss.job where name like '%-dead' and state < 'active') as dead`,
    db,
  );
  return {
    executions: executed,
    changes,
    mails: mailsWanted.length,
    kills: killing.kinds,
    outages: pastOutages,
    notAlerted: pending.size,
    mailsLost: mailsLost(),
    notifications: counts?.notifications ?? 0,
    capturesLost: await countLost(db, store.url),
    deadLetters: counts?.dead ?? 0,
    twice: [...outside.alertCounts.trigger.values(), ...outside.alertCounts.mail.values()].reduce(
      (sum, times) => sum + times - 1,
      0,
    ),
    waits: waits.sort((a, b) => a - b),
    longestDown: down.longest(),
    late: await findLate(db, ids, slow),
    endedByThemselves: cluster.errors,
    seconds: (performance.now() - started) / 1000,
  };
}

export function isGood(findings: Findings): boolean {
  const kills = Object.values(findings.kills).reduce((sum, times) => sum + times, 0);
  return (
    findings.notAlerted + findings.mailsLost + findings.capturesLost + findings.deadLetters === 0 &&
    findings.late.length + findings.endedByThemselves.length === 0 &&
    findings.notifications >= findings.changes &&
    findings.twice <= kills &&
    findings.longestDown <= recoverSeconds
  );
}

const isMailed = (job: number) => job % mailedEvery === 1;

/** Each job has its own account, host and trigger; some accounts also get mails. */
async function makeJobs(
  db: Database,
  count: number,
  outside: Awaited<ReturnType<typeof startOutside>>,
): Promise<string[]> {
  const secrets = createSecretBox(["fedcba9876543210fedcba9876543210"]);
  const ids: string[] = [];
  for (let job = 0; job < count; job++) {
    const id = crypto.randomUUID();
    ids.push(id);
    const trigger = {
      url: outside.hookOf(job),
      method: "POST",
      body: "{{added}}",
      strings: [],
      headers: [],
    };
    const sealed = secrets.seal(JSON.stringify(trigger), `job-trigger:${id}`);
    const host = `127.0.${1 + Math.floor(job / 200)}.${1 + (job % 200)}`;
    const email = outside.mailOf(job);
    await sql`insert into accounts (id, email, email_key, firstname, surname, password_hash, bot_token_sealed, bot_token_hash, plan_id, activated_at, email_notifications)
      values (${id}, ${email}, ${email}, 'A', 'B', '', '', decode(replace(${id}, '-', ''), 'hex'), 'ultimate', now(), ${isMailed(job)})`.execute(
      db,
    );
    await sql`insert into groups (id, account_id, name) values (${id}, ${id}, 'G')`.execute(db);
    await sql`insert into jobs (id, account_id, group_id, name, url, host, frequency_minutes, ignore, trigger_sealed)
      values (${id}, ${id}, ${id}, ${String(job)}, ${outside.pageOf(host, job)}, ${host}, 43200, '[]', ${sealed})`.execute(
      db,
    );
  }
  return ids;
}

/** Repeats a query until it succeeds, because the database may be down. */
async function query<Row>(
  ask: { execute(db: Database): Promise<{ rows: Row[] }> },
  db: Database,
): Promise<Row[]> {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await ask.execute(db)).rows;
    } catch (error) {
      if (attempt % 20 === 19) console.log(`the database is down: ${(error as Error).message}`);
      await sleep(200);
    }
  }
}

type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Kills one process of each kind in turn, each time in a new random order. */
function startKilling({ kill }: Cluster) {
  const ways = {
    api: () => kill.role("api"),
    scheduler: () => kill.role("scheduler"),
    worker: () => kill.role("worker"),
    chromium: () => kill.chromium(),
    postgres: () => kill.postgres(),
  };
  const kinds: Record<string, number> = {};
  let deck: (keyof typeof ways)[] = [];
  return {
    kinds,
    count: () => Object.values(kinds).reduce((sum, times) => sum + times, 0),
    /** Returns whether there was a process to kill. */
    next(): boolean {
      if (deck.length === 0)
        deck = (Object.keys(ways) as (keyof typeof ways)[]).sort(() => Math.random() - 0.5);
      const at = deck.findIndex((kind) => ways[kind]());
      const [kind] = at < 0 ? [] : deck.splice(at, 1);
      if (kind) kinds[kind] = (kinds[kind] ?? 0) + 1;
      return kind !== undefined;
    },
  };
}

/** Asks each process at intervals whether it is ready. */
function watchDown(cluster: Cluster) {
  const since: (number | undefined)[] = [];
  let longest = 0;
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      for (const [at, isReady] of (await cluster.ready()).entries()) {
        const now = performance.now();
        since[at] ??= now;
        longest = Math.max(longest, now - (since[at] ?? now));
        if (isReady) since[at] = undefined;
      }
      await sleep(2_000);
    }
  })();
  return {
    longest: () => longest / 1000,
    async stop() {
      isOver = true;
      await running;
    },
  };
}

/** Sets all stored times an hour back, which has the effect of a clock that jumps an hour ahead. */
async function jumpAnHour(db: Database): Promise<void> {
  const hour = sql`interval '1 hour'`;
  await query(sql`update schedule_state set ticked_at = ticked_at - ${hour}`, db);
  await query(
    sql`update schedules set next_run_at = next_run_at - ${hour}, rhythm_at = rhythm_at - ${hour}, queued_at = queued_at - ${hour}`,
    db,
  );
  await query(
    sql`update pgboss.job set start_after = start_after - ${hour}, created_on = created_on - ${hour},
      heartbeat_on = heartbeat_on - ${hour}, started_on = started_on - ${hour} where state <= 'active'`,
    db,
  );
}

/** Counts captures that the tables name but that the store lacks or holds only in part. */
async function countLost(db: Database, url: string): Promise<number> {
  const blobs = await openBlobs(new URL(url));
  const rows = await query(
    sql<{ owner: string; hash: Buffer; bytes: number }>`
      select account_id as owner, blob as hash, stored_bytes as bytes from contents where refs > 0`,
    db,
  );
  const isStored = await pLimit(8).map(rows, ({ owner, hash, bytes }) =>
    blobs.has(owner, hash, bytes).catch(() => false),
  );
  return isStored.filter((stored) => !stored).length;
}

/** A change may be hit by several faults; each one gives it the recovery time again. */
async function findLate(
  db: Database,
  ids: string[],
  slow: { job: number; version: number; seconds: number }[],
): Promise<string[]> {
  const late: string[] = [];
  for (const { job, version, seconds } of slow) {
    const [row] = await query(
      sql<{ hits: number }>`
        with found as (
          select id, attempts, row_number() over (order by number) as version from executions
          where job_id = ${ids[job]} and changed)
        select greatest(found.attempts - 1 + coalesce(run.attempts - 1, 0), 1)::integer as hits
        from found left join trigger_runs as run on run.execution_id = found.id where version = ${version}`,
      db,
    );
    const hits = row?.hits ?? 1;
    if (seconds > hits * recoverSeconds) late.push(`${seconds.toFixed(0)} s after ${hits} faults`);
  }
  return late;
}
